import ProviderKit

/// A message that Notify hands to the carrier: a notification, a reply, or the answer to a keyword.
/// Source: contract 10 and 12.3.
struct OutgoingMessage {
  let ordinal: Int
  let to: PhoneNumber
  let channel: Channel
  /// Nil: the provider's own sender.
  let sender: String?
  let text: String
  let createdAt: Timestamp
  var category = Template.Category.transactional
  /// Nil for messages without a template.
  var templateID: String?
  var variables = Texts()
  /// Where events go; nil: nowhere.
  var callbackURL: String?
  var correlationID: String?
  var sendsAt: Timestamp
  /// The message is not delivered after this time.
  var expiresAt: Timestamp
  /// Overrides the carrier's scenario.
  var scenario: Scenario?

  /// A message that is sent at once, expires after a day, and has no callback.
  init(ordinal: Int, to: PhoneNumber, channel: Channel, sender: String?, text: String, at now: Timestamp) {
    self.ordinal = ordinal
    self.to = to
    self.channel = channel
    self.sender = sender
    self.text = text
    createdAt = now
    sendsAt = now
    expiresAt = now + .seconds(86_400)
  }

  /// Hands the message to the carrier, and enqueues its events.
  func send(in sandbox: Sandbox) throws {
    var draft = MessageDraft(
      provider: PreludeProvider.name,
      reference: Identifier.text(.message, ordinal, at: createdAt, in: sandbox),
      channel: channel, destination: to.description, sender: sender ?? "PRELUDE", text: text, code: nil)
    draft.scenario = scenario
    let message = try sandbox.messages.submit(
      draft, to: sandbox.subscribers[to], at: sendsAt, expiring: expiresAt)
    guard let callbackURL else { return }
    for event in NotifyEvent.all(of: self, sentAs: message, in: sandbox) {
      try event.enqueue(about: ordinal, to: callbackURL, in: sandbox)
    }
  }
}
