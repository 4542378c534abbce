import ProviderKit

/// Who can get a message, and from whom: the rules of a creation beyond its form. Source: contract 16.2.
struct MessageRules {
  private let form: MessageForm
  private let caller: Caller
  private let settings: Shared<Settings>
  private let sandbox: Sandbox

  init(for form: MessageForm, of caller: Caller, _ settings: Shared<Settings>, in sandbox: Sandbox) {
    self.form = form
    self.caller = caller
    self.settings = settings
    self.sandbox = sandbox
  }

  /// Fails for a receiver that gets no message.
  func receiver() throws -> PhoneNumber {
    let to = form.to
    func fail(_ code: Int, _ why: String) -> APIError {
      .message(code, to: to.text, from: form.from?.text ?? "").because(why)
    }
    if let code = MagicNumber.receiverError(to.name) { throw fail(code, "\(to.name) is a test number") }
    guard let number = to.number else { throw fail(21211, "To: expected \(PhoneNumber.expected)") }
    if !MagicNumber.contains(number),
      let refusal = try sandbox.numbers.refusal(of: number, provider: TwilioProvider.name)
    {
      throw fail(21211, refusal)
    }
    let restrictions = settings.value.restrictions
    if restrictions.accountType != .full, !restrictions.verifiedNumbers.contains(number.description) {
      throw fail(21608, "a trial account, and the setting verifiedNumbers does not have \(number)")
    }
    if !settings.value.messagingCountries.isEmpty {
      let country = number.country ?? "unknown"
      guard settings.value.messagingCountries.contains(country) else {
        throw fail(21408, "the country is \(country), which the setting messagingCountries does not have")
      }
    }
    if to.channel == .sms, case let type = try sandbox.subscribers[number].lineType, !type.takesTexts {
      throw fail(21614, "the line of \(number) is \(type.rawValue)")
    }
    return number
  }

  /// The sender that the handset shows. A Messaging Service has one sender.
  func sender(to number: PhoneNumber) throws -> String {
    guard let from = form.from else {
      let chosen = settings.value.senders.first ?? MagicNumber.sender
      try requireSubscription(of: number, to: chosen)
      return chosen
    }
    func fail(_ code: Int, _ why: String) -> APIError {
      .message(code, to: form.to.text, from: from.text).because(why)
    }
    if let code = MagicNumber.senderError(from.name) { throw fail(code, "\(from.name) is a test number") }
    guard from.channel != .sms || from.number != number || MagicNumber.contains(number) else {
      throw fail(21266, "From: expected another number than To")
    }
    guard !caller.isTest || from.name == MagicNumber.sender else {
      throw fail(21606, "test credentials can send from \(MagicNumber.sender) only")
    }
    guard from.isSender else {
      throw fail(21212, "From: expected a phone number, a short code or a name of 11 characters")
    }
    guard try isOwn(from.name) else {
      throw fail(21606, "neither the setting senders nor a number of seeds is \(from.name)")
    }
    try requireSubscription(of: number, to: from.name)
    return from.name
  }

  private func isOwn(_ sender: String) throws -> Bool {
    let senders = settings.value.senders
    return try senders.isEmpty || senders.contains(sender)
      || OwnNumber.find(sender, in: sandbox) != nil
  }

  /// Fails with 21610 if the person has stopped texts from the sender.
  private func requireSubscription(of number: PhoneNumber, to sender: String) throws {
    guard try sandbox.subscribers[number].hasStopped(sender) else { return }
    throw APIError.message(21610, to: form.to.text, from: form.from?.text ?? sender)
      .because("\(number) has stopped texts from \(sender)")
  }
}
