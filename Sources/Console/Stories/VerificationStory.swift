import ProviderKit

/// What became of a verification, in a few words; or of a request or a text that belongs to none.
struct VerificationStory {
  /// How far a part of a verification has come.
  enum Progress: String {
    case done
    case failed
    /// In progress.
    case waiting
    /// Not reached.
    case ahead
  }

  /// The id of its element.
  let id: String
  let path: String
  let provider: String
  let state: String
  /// The classes of the state's pill.
  let pill: String
  let at: Timestamp
  /// In the order of what happened, together with the time.
  let ordinal: Int
  /// Of a refused request; else 0.
  var request = 0
  /// Nil for a request about nobody.
  var destination: String?
  /// The channel, or what the person signs in with.
  var way: String?
  /// Of each of the parts; empty for a request.
  var progress: [Progress] = []
  var parts = Self.parts
  /// Why it failed.
  var reason: String?
  /// Further texts that a search finds.
  fileprivate(set) var keywords: [String] = []

  static let parts = ["asked", "sent", "arrived", "checked"]

  var position: StoryPosition { StoryPosition(ordinal: ordinal, request: request) }

  var isRefused: Bool { reason != nil || progress.contains(.failed) }

  func contains(_ text: CaselessSearch) -> Bool {
    ([provider, state, destination, way, reason].compactMap(\.self) + keywords).contains(where: text.isFound)
  }
}

extension VerificationStory {
  /// Of a refused request that is about no verification.
  init(_ exchange: Journal.Exchange) {
    id = "story-request-\(exchange.ordinal)"
    path = "/console/requests/\(exchange.ordinal)"
    provider = exchange.owner
    state = exchange.status == 0 ? "no request" : "\(exchange.status) refused"
    pill = "pill bad"
    at = exchange.at
    ordinal = exchange.effects.newestAfter
    request = exchange.ordinal
    let operation = exchange.route ?? "\(exchange.method) \(exchange.shownTarget)"
    reason = (exchange.injection ?? exchange.why?.firstLine ?? operation).capitalizedFirst
    keywords = [operation, exchange.target]
  }

  /// Of a text or call that belongs to no verification. What the app does with its code is not known.
  init(_ message: Message, at now: Timestamp) {
    let delivery = Delivery(of: message, at: now)
    id = "story-\(message.id)"
    path =
      message.channel == .call
      ? "/console/verifications/\(message.ordinal)"
      : "/console/phones/\(PercentCoding.encode(message.destination))#\(message.id)"
    provider = message.provider
    at = message.submittedAt
    ordinal = message.ordinal
    destination = message.destination
    way = message.channel.title
    keywords = [message.id, message.text]
    reason = delivery.reason
    let read: Progress = delivery.arrived == .done && message.code != nil ? .done : .ahead
    progress = [.done, delivery.sent, delivery.arrived, read]
    parts[3] = "code read"
    (state, pill) =
      if delivery.isLost {
        ("not delivered", "pill bad")
      } else if delivery.arrived != .done {
        ("on its way", "pill live")
      } else if let code = message.code { ("code \(code)", "pill ok") } else { ("text", "pill") }
  }

  /// - Parameters:
  ///   - messages: those to its destination.
  ///   - sessions: its silent sessions.
  ///   - failure: the newest request about it that failed.
  init(
    _ subject: Subject, _ messages: [Message], _ sessions: [SilentSession], failure: Journal.Exchange?,
    at now: Timestamp
  ) {
    let subjectState = subject.state(at: now)
    let delivery = Delivery(of: subject, messages, sessions, at: now)
    id = "story-\(subject.ordinal)"
    path = subject.path
    provider = subject.provider
    at = subject.createdAt
    ordinal = subject.ordinal
    destination = subject.shownDestination
    way = subject.way
    keywords = ["V\(subject.ordinal)", subject.destination, failure?.route ?? ""]
    let checks = subject.verification?.checks ?? 0
    // The person never came back: nothing failed.
    let isLeft = subject.verification != nil && subjectState == .expired && checks == 0 && failure == nil
    switch subjectState {
    case .pending where delivery.isLost: (state, pill) = ("not delivered", "pill bad")
    case .pending where subject.channel == .push && delivery.arrived == .done:
      (state, pill) = ("waiting for approval", "pill live")
    default:
      (state, pill) = (
        subjectState.rawValue, subjectState == .pending || isLeft ? "pill" : subjectState.pill
      )
    }
    let checked: Progress =
      switch subjectState {
      case .approved: .done
      case .expired where isLeft: .ahead
      case .denied, .exhausted, .expired: .failed
      case .canceled: .ahead
      case .pending: checks > 0 ? .failed : delivery.arrived == .done ? .waiting : .ahead
      }
    // Whoever answers a push has seen it, also if the clock was set back since.
    let hasAnswered = subject.channel == .push && [.approved, .denied].contains(subjectState)
    progress = [.done, delivery.sent, hasAnswered ? .done : delivery.arrived, checked]
    guard subjectState != .approved else { return }
    let refusal = failure.map { $0.injection ?? $0.why?.firstLine ?? "\($0.status)" }
    let wrongCode = subjectState == .pending && checks > 0 ? "Wrong code, \(checks) so far" : nil
    reason = delivery.reason ?? refusal?.capitalizedFirst ?? wrongCode
  }
}

/// How far the messages of a verification have come.
private struct Delivery {
  private(set) var sent = VerificationStory.Progress.ahead
  private(set) var arrived = VerificationStory.Progress.ahead
  /// Why the newest message did not arrive.
  private(set) var reason: String?

  var isLost: Bool { arrived == .failed || sent == .failed }

  init(of message: Message, at now: Timestamp) { follow(message, at: now) }

  private mutating func follow(_ message: Message, at now: Timestamp) {
    let state = message.state(at: now)
    let hasArrived = message.arrival(by: now) != nil
    sent = state == .refused ? .failed : .done
    arrived = hasArrived ? .done : state == .refused ? .ahead : state.isFailure ? .failed : .waiting
    if !hasArrived, state.isFailure { reason = state.reason.map { "Not delivered: \($0)" } }
  }

  init(of subject: Subject, _ messages: [Message], _ sessions: [SilentSession], at now: Timestamp) {
    if let session = sessions.last {
      sent = .done
      switch session.verdict {
      case .matched?: arrived = .done
      case let verdict?:
        arrived = .failed
        reason = verdict.inWords.capitalizedFirst
      case nil: arrived = session.openedAt == nil ? .waiting : .done
      }
    } else if let message = messages.last {
      follow(message, at: now)
    } else if subject.verification == nil {
      // The app knows of it without a push.
      (sent, arrived) = (.done, .done)
    } else if subject.state(at: now) == .pending {
      sent = .waiting
    }
  }
}

extension Message {
  /// True for what a person reads or hears, from an app.
  var isStory: Bool {
    channel != .push && channel != .silent && !isFromHandset && !isRemoved && !provider.isEmpty
  }
}
