/// A message before its submission to the carrier.
package struct MessageDraft: Sendable {
  package let provider: String
  /// The provider's id of the verification.
  package let reference: String
  package let channel: Channel
  /// A phone number or email address.
  package let destination: String
  /// A number, a short code or a name.
  package let sender: String
  package let text: String
  /// The code in the text.
  package let code: String?
  /// The options of a call.
  package var speech = Speech()
  /// True if the provider is notified when the delivery fails.
  package var reportsLoss = false
  /// The request's own scenario, for providers whose clients can name one.
  package var scenario: Scenario?
  /// The scenario of the provider's test numbers. Run-time scenarios and the subscriber's record win over it.
  package var ending: Scenario?

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
