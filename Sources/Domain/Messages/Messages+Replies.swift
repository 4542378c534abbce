import Basics
package import Numbers

/// Texts that people send from their handsets. Source: `carrier.md` 4.4.
extension Messages {
  package enum ReplyOutcome {
    case sent(Message)
    /// The handset has no message to reply to.
    case noSender
    /// The line cannot send texts: barred, suspended, out of service, or not reachable.
    case blocked
  }

  /// Sends a text from a handset to a sender, by default to that of the newest message and on its channel.
  /// Texts such as STOP change the person's opt-outs. The sender's provider is notified.
  package func reply(
    _ text: String, from number: PhoneNumber, to sender: String?, over wanted: Channel? = nil
  ) throws -> ReplyOutcome {
    var filter = Filter()
    filter.destination = number.description
    filter.channel = wanted
    let written = try inbox(filter).last { sender == nil || $0.sender == sender }
    guard let sender = sender ?? written?.sender else { return .noSender }
    let channel = wanted ?? written.map(\.channel).flatMap { Self.answerable.contains($0) ? $0 : nil } ?? .sms
    var subscriber = try sandbox.subscribers[number]
    let now = sandbox.clock.now
    guard subscriber.canSend(over: channel, at: now) else { return .blocked }
    let message = Message(
      ordinal: sandbox.nextOrdinal(), provider: written?.provider ?? "", reference: written?.reference ?? "",
      channel: channel, destination: sender, sender: number.description, text: text, code: nil,
      submittedAt: now, arrivesAt: nil,
      receipts: Self.receiptsOfTexts)
    try insert(message)
    if let stops = StopWord(text) {
      subscriber.setOptOut(stops == .stop, of: sender)
      try sandbox.subscribers.keep(subscriber)
    }
    try sandbox.report(.reply(message, answering: written), to: written?.provider)
    return .sent(message)
  }

  /// True if a text to this number or name can have an effect: messages of the sandbox came from it, a
  /// provider receives texts there, or the text changes the person's opt-outs.
  package func canBeReceived(_ text: String, by receiver: String) throws -> Bool {
    if try StopWord(text) != nil || newest(from: receiver) != nil { return true }
    return try sandbox.shared.hooks.contains { try $0.receivesTexts(receiver, sandbox) }
  }

  /// Removes a sender from a person's opt-outs, for providers with a list of their own.
  package func resubscribe(_ sender: String, to number: PhoneNumber) throws {
    var subscriber = try sandbox.subscribers[number]
    subscriber.setOptOut(false, of: sender)
    try sandbox.subscribers.keep(subscriber)
  }

  /// Those of the texts that people send: they are delivered at once, and arrive on no handset.
  static let receiptsOfTexts = DeliveryReceipts([DeliveryReceipt(.delivered, after: .zero)])

  /// Channels on which a person can reply.
  package static let answerable = Set<Channel>.apps.union([.sms])
}

extension Message {
  /// True if a person has sent it from a handset.
  package var isFromHandset: Bool {
    arrivesAt == nil && receipts.column == Messages.receiptsOfTexts.column
  }
}

/// A text that stops or restarts a sender's texts. Source: `carrier.md` 4.4; the words are those that US
/// carriers ask senders to support.
package enum StopWord {
  case stop
  case start

  /// Nil for any other text. Letter case and surrounding spaces do not matter.
  package init?(_ text: String) {
    switch text.split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased() {
    case "STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT": self = .stop
    case "START", "UNSTOP", "YES": self = .start
    default: return nil
    }
  }
}

extension Subscriber {
  /// True if the person can send a text on a channel.
  fileprivate func canSend(over channel: Channel, at now: Timestamp) -> Bool {
    guard !suspended, !isDeactivated(at: now), lineType.takesTexts else { return false }
    return channel == .sms ? reach.sms && !barring.contains(.smsOut) : reach.data && !barring.contains(.data)
  }

  /// Adds a sender to the opt-outs, or removes it.
  fileprivate mutating func setOptOut(_ isOptedOut: Bool, of sender: String) {
    optOut.removeAll { $0 == sender }
    if isOptedOut { optOut.append(sender) }
  }
}
