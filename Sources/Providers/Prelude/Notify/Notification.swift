import Domain
import JSON
import ProviderKit

/// A message of Notify to one receiver. Source: contract 10.
struct Notification {
  /// Its number in the sandbox.
  let ordinal: Int
  /// What was asked for.
  let plan: NotificationPlan
  /// Its receiver.
  let to: PhoneNumber
  /// Whom it is from; nil: the vendor's own sender.
  let sender: String?
  /// How it travels.
  let channel: Channel
  /// What is to come of it on purpose.
  let scenario: Scenario?

  /// `tx_…`
  func id(in sandbox: Sandbox) -> String {
    identifier(.message, ordinal, at: plan.createdAt, in: sandbox)
  }

  /// Hands it to the carrier.
  func send(in sandbox: Sandbox) throws {
    var outgoing = Outgoing(
      ordinal: ordinal, to: to, channel: channel, sender: sender, text: plan.text, at: plan.createdAt)
    outgoing.category = plan.template.category
    outgoing.templateID = plan.template.id
    outgoing.variables = plan.form.variables
    outgoing.callbackURL = plan.form.callbackURL
    outgoing.correlationID = plan.form.correlationID
    outgoing.leavesAt = plan.leavesAt
    outgoing.expiresAt = plan.expiresAt
    outgoing.scenario = scenario
    try outgoing.send(in: sandbox)
  }
}

/// A text to one receiver, with whom to tell what becomes of it. Source: contract 10 and 12.3.
struct Outgoing {
  /// Its number in the sandbox.
  let ordinal: Int
  /// Its receiver.
  let to: PhoneNumber
  /// How it travels.
  let channel: Channel
  /// Whom it is from; nil: the vendor's own sender.
  let sender: String?
  /// The words.
  let text: String
  /// When it was asked for.
  let createdAt: Timestamp
  /// What it is for.
  var category = Template.Category.transactional
  /// What it is worded by, where by a template.
  var templateID: String?
  /// What came for the template.
  var variables = Texts()
  /// Whom to tell.
  var callbackURL: String?
  /// What the app calls it.
  var correlationID: String?
  /// When it leaves.
  var leavesAt: Timestamp
  /// When it is worth nothing any more.
  var expiresAt: Timestamp
  /// What is to come of it on purpose.
  var scenario: Scenario?

  /// A text that leaves at once, is worth nothing a day later, and of which nobody is told.
  init(ordinal: Int, to: PhoneNumber, channel: Channel, sender: String?, text: String, at now: Timestamp) {
    self.ordinal = ordinal
    self.to = to
    self.channel = channel
    self.sender = sender
    self.text = text
    createdAt = now
    leavesAt = now
    expiresAt = now + .seconds(86_400)
  }

  /// Hands it to the carrier, and writes down what its sender is to be told of it.
  func send(in sandbox: Sandbox) throws {
    var draft = MessageDraft(
      provider: PreludeProvider.name, reference: identifier(.message, ordinal, at: createdAt, in: sandbox),
      channel: channel, destination: to.description, sender: sender ?? "PRELUDE", text: text, code: nil)
    draft.scenario = scenario
    let message = try sandbox.messages.submit(
      draft, to: sandbox.subscribers[to], at: leavesAt, expiring: expiresAt)
    guard let callbackURL else { return }
    for event in NotifyEvents(of: self, carried: message, in: sandbox).events {
      try event.tell(of: ordinal, to: callbackURL, in: sandbox)
    }
  }
}
