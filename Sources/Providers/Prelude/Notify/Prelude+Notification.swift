import Domain
import JSON

extension Prelude {
  /// A message of Notify to one receiver. Source: contract 10.
  struct Notification {
    /// Its number in the sandbox.
    let ordinal: Int
    /// What was asked for.
    let plan: NotificationPlan
    /// Its receiver.
    let to: PhoneNumber
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
      try outgoing.send(in: sandbox)
    }

    private var outgoing: Outgoing {
      let form = plan.form
      var outgoing = Outgoing(
        ordinal: ordinal, to: to, channel: channel, sender: form.sender, text: plan.text,
        category: plan.template.category, templateID: plan.template.id, variables: form.variables,
        callbackURL: form.callbackURL, correlationID: form.correlationID, createdAt: plan.createdAt,
        leavesAt: plan.leavesAt, expiresAt: plan.expiresAt)
      outgoing.scenario = scenario
      return outgoing
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
    /// What it is for.
    let category: Template.Category
    /// What it is worded by, where by a template.
    let templateID: String?
    /// What came for the template.
    let variables: Texts
    /// Whom to tell.
    let callbackURL: String?
    /// What the app calls it.
    let correlationID: String?
    /// When it was asked for.
    let createdAt: Timestamp
    /// When it leaves.
    let leavesAt: Timestamp
    /// When it is worth nothing any more.
    let expiresAt: Timestamp
    /// What is to come of it on purpose.
    var scenario: Scenario?

    /// Hands it to the carrier, and writes down what its sender is to be told of it.
    func send(in sandbox: Sandbox) throws {
      var draft = MessageDraft(
        provider: name, reference: identifier(.message, ordinal, at: createdAt, in: sandbox),
        channel: channel, destination: to.description, sender: sender ?? "PRELUDE", text: text, code: nil)
      draft.scenario = scenario
      let message = try sandbox.messages.submit(
        draft, to: sandbox.subscribers[to], at: leavesAt, expiring: expiresAt)
      guard let callbackURL else { return }
      for chapter in OutgoingStory(of: self, carried: message, in: sandbox).chapters {
        try chapter.tell(of: ordinal, to: callbackURL, in: sandbox)
      }
    }
  }
}
