import ProviderKit

/// Answers a text that a person has sent to the provider.
func answerReply(_ text: Message, in sandbox: Sandbox) throws {
  let brand = try Settings.current(in: sandbox).brand
  guard text.destination == brand, let number = PhoneNumber(text.sender) else { return }
  let answer = MessageDraft(
    provider: DemoProvider.name, reference: "reply", channel: .sms, destination: number.description,
    sender: brand, text: "Nobody reads replies to \(brand).", code: nil)
  _ = try sandbox.messages.submit(answer, to: sandbox.subscribers[number])
}
