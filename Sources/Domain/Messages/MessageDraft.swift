/// A message before the carrier has taken it.
package struct MessageDraft: Sendable {
  /// The provider that sends it.
  package let provider: String
  /// The provider's own id of what it is about.
  package let reference: String
  /// How it is to travel.
  package let channel: Channel
  /// Where it goes.
  package let destination: String
  /// Whom it is from.
  package let sender: String
  /// What it says.
  package let text: String
  /// The code in the text.
  package let code: String?
  /// How it is to be said, where it is a call.
  package var speech = Speech()
  /// Whether its provider takes notice when the carrier gives it up.
  package var reportsLoss = false
  /// What the request itself wants to become of it, where the provider's clients can say so.
  package var scenario: Scenario?
  /// What the provider's own test numbers make of it, where neither run-time scenarios nor the subscriber's record
  /// say otherwise.
  package var ending: Scenario?

  /// A draft from its parts.
  package init(
    provider: String, reference: String, channel: Channel, destination: String, sender: String, text: String,
    code: String?
  ) {
    self.provider = provider
    self.reference = reference
    self.channel = channel
    self.destination = destination
    self.sender = sender
    self.text = text
    self.code = code
  }
}
