import Database

/// Networks that are down: scenarios with the outcome `networkDown`.
extension Scenario {
  var isOutage: Bool { outcome == Behaviour.networkDown.name }

  /// Delivers the texts that were held by outages which have ended.
  package static func rulesChanged(from earlier: [Scenario], in sandbox: Sandbox) throws {
    let ended = earlier.filter(\.isOutage)
    guard !ended.isEmpty else { return }
    for message in try sandbox.messages.heldTexts {
      guard let number = PhoneNumber(message.destination) else { continue }
      let subscriber = try sandbox.subscribers[number]
      let draft = MessageDraft(message)
      let plan = UsualDelivery.plan(of: draft, to: subscriber, at: sandbox.clock.now)
      guard ended.contains(where: { $0.matches(draft, to: subscriber) }), plan.arrivesAfter != nil,
        try !sandbox.scenarios.isInOutage(message)
      else { continue }
      try sandbox.messages.release(message)
    }
  }
}

extension Rules<Scenario> {
  /// True if the network of a message's destination is down.
  func isInOutage(_ message: Message) throws -> Bool {
    guard let number = PhoneNumber(message.destination) else { return false }
    let subscriber = try sandbox.subscribers[number]
    let outages = (try all.map(\.rule) + subscriber.scenarios).filter(\.isOutage)
    guard !outages.isEmpty else { return false }
    let draft = MessageDraft(message)
    return outages.contains { $0.matches(draft, to: subscriber) }
  }
}

extension Messages {
  /// The newest texts that the carrier holds, oldest first.
  fileprivate var heldTexts: [Message] {
    get throws {
      try sandbox.database.all(
        Message.self,
        "WHERE sandbox = ? AND arrives_at IS NULL AND channel = ? ORDER BY ordinal DESC LIMIT 1000",
        sandbox.id, Channel.sms.rawValue
      ).reversed()
    }
  }
}

extension MessageDraft {
  /// A message that was submitted.
  fileprivate init(_ message: Message) {
    self.init(
      provider: message.provider, reference: message.reference, channel: message.channel,
      destination: message.destination, sender: message.sender, text: message.text, code: message.code)
  }
}
