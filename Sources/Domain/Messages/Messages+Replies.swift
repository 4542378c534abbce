/// Texts that people send from their handsets. Source: `carrier.md` 4.4.
extension Messages {
  /// What came of a reply.
  package enum ReplyOutcome {
    /// It was sent.
    case sent(Message)
    /// Nobody has written to this handset, so nobody is answered.
    case nobody
    /// The line sends no texts: barred, suspended, out of service, or the handset cannot be reached.
    case silenced
  }

  /// Sends a text from a handset to a sender, or to whoever wrote to it last; on the channel on which that was
  /// written, else as a text message. A text that is a word for stopping or starting changes whose texts the
  /// person gets. The sender's provider takes notice.
  package func reply(
    _ text: String, from number: PhoneNumber, to sender: String?, over wanted: Channel? = nil
  ) throws -> ReplyOutcome {
    var filter = Filter()
    filter.destination = number.description
    filter.channel = wanted
    let written = try inbox(filter).last { sender == nil || $0.sender == sender }
    guard let sender = sender ?? written?.sender else { return .nobody }
    let channel = wanted ?? written.map(\.channel).flatMap { Self.answerable.contains($0) ? $0 : nil } ?? .sms
    var subscriber = try sandbox.subscribers[number]
    let now = sandbox.clock.now
    guard subscriber.writes(over: channel, at: now) else { return .silenced }
    let message = Message(
      ordinal: sandbox.nextOrdinal(), provider: written?.provider ?? "", reference: written?.reference ?? "",
      channel: channel, destination: sender, sender: number.description, text: text, code: nil,
      submittedAt: now,
      arrivesAt: nil, receipts: DeliveryReceipts([DeliveryReceipt(.delivered, after: .zero)]))
    try insert(message)
    if let stops = StopWord(text) {
      subscriber.stop(sender, stops == .stop)
      try sandbox.subscribers.keep(subscriber)
    }
    try sandbox.report(.reply(message, answering: written), to: written?.provider)
    return .sent(message)
  }

  /// Lets a sender's texts through again that a person has stopped: the provider keeps a list of its own.
  package func readmit(_ sender: String, to number: PhoneNumber) throws {
    var subscriber = try sandbox.subscribers[number]
    subscriber.stop(sender, false)
    try sandbox.subscribers.keep(subscriber)
  }

  /// Channels on which a person can write back.
  package static let answerable = Set<Channel>.apps.union([.sms])
}

/// A whole text that networks and senders take for an order. Source: `carrier.md` 4.4; the words are those that
/// carriers of the US ask senders to know.
enum StopWord {
  /// No more texts from this sender.
  case stop
  /// Texts again.
  case start

  /// What a text orders; nil: nothing. Letter case and spaces around it do not matter.
  init?(_ text: String) {
    switch text.split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased() {
    case "STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT": self = .stop
    case "START", "UNSTOP", "YES": self = .start
    default: return nil
    }
  }
}

extension Subscriber {
  /// Whether the person can send a text on a channel.
  fileprivate func writes(over channel: Channel, at now: Timestamp) -> Bool {
    guard !suspended, !isDeactivated(at: now), lineType.takesTexts else { return false }
    return channel == .sms ? reach.sms && !barring.contains(.smsOut) : reach.data && !barring.contains(.data)
  }

  /// Puts a sender on the list of those whose texts are stopped, or takes it off.
  fileprivate mutating func stop(_ sender: String, _ stops: Bool) {
    optOut.removeAll { $0 == sender }
    if stops { optOut.append(sender) }
  }
}
