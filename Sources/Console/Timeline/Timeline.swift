import Domain

/// Requests and events of a sandbox in one list, newest first.
struct Timeline {
  enum Entry {
    case request(Journal.Exchange)
    case event(Event)
  }

  struct Line {
    let entry: Entry
    /// The ordinal of the verification that it is about; nil if there is none.
    let verification: Int?
    /// The phone number or email address that it is about.
    let destination: String?
  }

  let lines: [Line]
  /// Where the page with older lines begins; nil if there are none.
  let earlier: StoryPosition?

  /// The newest exchanges are searched for those that caused an event.
  private static let exchangeLimit = 1000
  private static let eventLimit = 400

  init(of sandbox: Sandbox, _ filter: TimelineFilter, limit: Int, before: StoryPosition) throws {
    let exchanges = Array(sandbox.journal.newestFirst.prefix(Self.exchangeLimit))
    let events = filter.showsEvents ? try sandbox.events.before(before.ordinal, limit: Self.eventLimit) : []
    // The last ones of both that were looked at.
    var (event, request) = (before.ordinal, before.request)
    var destinations: [Int: String] = [:]
    func line(_ entry: Entry, about verification: Int?, sentTo destination: String?) throws -> Line {
      var found = destination
      if found == nil, let verification {
        found = try destinations[verification] ?? sandbox.verifications.find(verification)?.claim.destination
        destinations[verification] = found
      }
      return Line(entry: entry, verification: verification, destination: found)
    }
    var lines: [Line] = []
    let entries = Self.merged(exchanges.filter { $0.ordinal < before.request }, events)
    var count = 0
    for entry in entries where lines.count < limit {
      count += 1
      switch entry {
      case .request(let exchange): request = exchange.ordinal
      case .event(let one): event = one.ordinal
      }
      let line =
        switch entry {
        case .request(let exchange):
          try line(entry, about: exchange.effects.verification, sentTo: exchange.destination(among: events))
        case .event(let event):
          try line(entry, about: event.verification(among: exchanges), sentTo: event.destination)
        }
      if filter.matches(line) { lines.append(line) }
    }
    self.lines = lines
    earlier =
      count < entries.count || events.count == Self.eventLimit
      ? StoryPosition(ordinal: event, request: request) : nil
  }

  /// Newest first: a request precedes the events that it caused. Both lists are newest first.
  private static func merged(_ exchanges: [Journal.Exchange], _ events: [Event]) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(exchanges.count + events.count)
    var rest = events[...]
    // Exchanges that were never dispatched, such as refused tunnels, have no ordinals: they keep their place.
    var newest = Int.max
    for exchange in exchanges {
      newest = min(newest, exchange.effects.newestAfter == 0 ? newest : exchange.effects.newestBefore)
      let later = rest.prefix { $0.ordinal > newest }
      entries += later.map { .event($0) }
      rest = rest.dropFirst(newest == .max ? 0 : later.count)
      entries.append(.request(exchange))
    }
    return entries + rest.map { .event($0) }
  }
}

extension Journal.Exchange {
  /// The receiver of the first message that the request sent.
  fileprivate func destination(among events: [Event]) -> String? {
    guard effects.newestAfter > effects.newestBefore else { return nil }
    return events.last { effects.contains($0.ordinal) && $0.hasReceiver }?.destination
  }
}

extension Event {
  /// The verification that an event is about: its subject, or that of the request that created its subject.
  fileprivate func verification(among exchanges: [Journal.Exchange]) -> Int? {
    switch kind {
    case .verificationStarted, .verificationApproved, .verificationDenied, .verificationCanceled,
      .verificationExpired, .verificationExhausted:
      return subject
    default:
      let cause =
        exchanges.first { $0.effects.contains(subject) } ?? exchanges.first { $0.effects.contains(ordinal) }
      return cause?.effects.verification
    }
  }

  var isOfWebhook: Bool { kind.rawValue.hasPrefix("webhook.") }

  /// True if the destination is a person's.
  fileprivate var hasReceiver: Bool { !isOfWebhook }

  /// `message arrived`, `subscriber SIM swapped`
  var inWords: String {
    let words = kind.rawValue.replacing(".", with: " ")
      .map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
    return words.replacing("sim swapped", with: "SIM swapped")
  }
}
