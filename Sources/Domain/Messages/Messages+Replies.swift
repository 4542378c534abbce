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

  /// Sends a text from a handset to a sender, or to whoever wrote to it last. A text that is a word for stopping
  /// or starting changes whose texts the person gets. The sender's provider takes notice.
  package func reply(_ text: String, from number: PhoneNumber, to sender: String?) throws -> ReplyOutcome {
    var filter = Filter()
    filter.destination = number.description
    let written = try inbox(filter).last { sender == nil || $0.sender == sender }
    guard let sender = sender ?? written?.sender else { return .nobody }
    var subscriber = try sandbox.subscribers[number]
    let now = sandbox.clock.now
    guard subscriber.reach.sms, !subscriber.suspended, !subscriber.barring.contains(.smsOut),
      !subscriber.isDeactivated(at: now), subscriber.lineType.takesTexts
    else { return .silenced }
    let message = Message(
      ordinal: sandbox.nextOrdinal(), provider: written?.provider ?? "", reference: written?.reference ?? "",
      channel: .sms, destination: sender, sender: number.description, text: text, code: nil, submittedAt: now,
      arrivesAt: nil, receipts: DeliveryReceipts([DeliveryReceipt(.delivered, after: .zero)]))
    try insert(message)
    if let stops = StopWord(text) {
      subscriber.stop(sender, stops == .stop)
      try sandbox.subscribers.keep(subscriber)
    }
    try sandbox.report(.reply(message, answering: written), to: written?.provider)
    return .sent(message)
  }
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
  /// Puts a sender on the list of those whose texts are stopped, or takes it off.
  fileprivate mutating func stop(_ sender: String, _ stops: Bool) {
    optOut.removeAll { $0 == sender }
    if stops { optOut.append(sender) }
  }
}
