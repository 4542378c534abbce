import ProviderKit

/// The status codes of a message or call over time. Source: contract 7.2, 7.4 and 14.
struct DeliveryTimeline {
  struct Entry: Equatable {
    /// The code applies from this time on.
    let at: Timestamp
    /// `status.code`.
    let code: Int
    let isFinal: Bool
  }

  /// In order of time; the first one is of the submission.
  private let entries: [Entry]

  /// Source: contract 7.4 for the order of codes.
  init(of message: Message, in sandbox: Sandbox) throws {
    if message.channel == .call {
      entries = Self.entries(of: message, try sandbox.calls.find(message.ordinal))
    } else {
      entries = Self.entries(of: message)
    }
  }

  func entry(at time: Timestamp) -> Entry { entries.last { $0.at <= time } ?? entries[0] }

  /// Nil if the status never becomes final.
  var finalEntry: Entry? { entries.first(where: \.isFinal) }

  private static func entries(of message: Message) -> [Entry] {
    // Without a receipt the status changes at these times.
    let timeouts = [Duration.zero, DeliveryStatus.unknownAfter, DeliveryStatus.unconfirmedAfter]
    let times = (timeouts + message.receipts.all.map(\.after)).map { message.submittedAt + $0 }
    return times.sorted().reduce(into: []) { entries, time in
      let status = DeliveryStatus(of: message, at: time)
      guard entries.last?.code != status.code else { return }
      entries.append(Entry(at: time, code: status.code, isFinal: status.isFinal))
    }
  }

  private static func entries(of message: Message, _ call: Call?) -> [Entry] {
    guard let last = message.receipts.last else {
      return [Entry(at: message.submittedAt, code: 103, isFinal: false)]
    }
    let named = last.providerStatus == nil ? nil : DeliveryStatus.table.status(of: last)
    let code =
      named?.code ?? call.map { Self.code(of: $0.result) }
      ?? (last.error == NumberEnding.blockedError ? 130 : 106)
    return [
      Entry(at: message.submittedAt, code: 103, isFinal: false),
      Entry(at: message.submittedAt + last.after, code: code, isFinal: named?.isFinal ?? true),
    ]
  }

  private static func code(of result: CallPlan.Result) -> Int {
    switch result {
    case .answered, .hungUp, .voicemail: 100
    case .noAnswer, .declined: 101
    case .busy: 107
    case .unreachable: 106
    }
  }
}

/// `additional_info` of a delivery: parts, network and a made-up price. Source: contract 9.1 and 13.2.
struct AdditionalInfo {
  private let parts: Int
  private let subscriber: Subscriber?

  init(of message: Message, in sandbox: Sandbox) throws {
    parts = TextEncoding(of: message.text).segments
    subscriber = try PhoneNumber(message.destination).map { try sandbox.subscribers[$0] }
  }

  func write(to json: inout JSONWriter) {
    json.object("additional_info") { json in
      json.member("message_parts_count", parts)
      json.member("mcc", subscriber?.mcc)
      json.member("mnc", subscriber?.mnc)
      json.member("price", "0.00850")
      json.member("currency", "USD")
    }
  }
}
