import Basics
import Database
import Numbers

/// Networks that are down: scenarios with the outcome `networkDown`.
extension Scenario {
  var isOutage: Bool { outcome == Behaviour.networkDown.name }

  /// Delivers the texts that were held by outages which have ended.
  package static func rulesChanged(from earlier: [Scenario], in sandbox: Sandbox) throws {
    let ended = earlier.filter(\.isOutage)
    guard !ended.isEmpty else { return }
    try sandbox.messages.forEachHeldText { message in
      guard let number = PhoneNumber(message.destination) else { return }
      let subscriber = try sandbox.subscribers[number]
      let draft = MessageDraft(message)
      let plan = UsualDelivery.plan(of: draft, to: subscriber, at: sandbox.clock.now)
      guard ended.contains(where: { $0.matches(draft, to: subscriber) }), plan.arrivesAfter != nil,
        try !sandbox.scenarios.isInOutage(message)
      else { return }
      try sandbox.messages.release(message)
    }
  }
}

extension Rules<Scenario> {
  /// True if the operator of a number answers nothing about it. Counts no rule as applied.
  package func isOperatorDown(for subscriber: Subscriber, provider: String) throws -> Bool {
    try (all.map(\.rule) + subscriber.scenarios).contains {
      $0.isOutage && $0.matches(silent: subscriber, provider: provider)
    }
  }

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
  /// Calls `act` with the texts that the carrier holds or held until they expired, oldest first.
  fileprivate func forEachHeldText(_ act: (Message) throws -> Void) throws {
    var page: [Message] = []
    repeat {
      page = try sandbox.database.all(
        Message.self,
        """
        WHERE key > ? AND key < ? AND arrives_at IS NULL AND channel = ? AND instr(receipts, ?) > 0
        ORDER BY key LIMIT 1000
        """, sandbox.key(page.last?.ordinal ?? 0), sandbox.key(.max), Channel.sms.rawValue,
        DeliveryReceipt.State.expired.rawValue)
      for message in page { try act(message) }
    } while !page.isEmpty
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
