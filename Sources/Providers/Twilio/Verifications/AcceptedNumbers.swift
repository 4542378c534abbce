import ProviderKit

/// The phone numbers that the sandbox accepts for Verify. Source: contract 20.
struct AcceptedNumbers {
  private let sandbox: Sandbox
  private let fictionalNumbers: Settings.FictionalNumbers

  init(of context: RequestContext) {
    sandbox = context.sandbox
    fictionalNumbers = context.settings.fictionalNumbers
  }

  /// Fails with 60200 for a phone number that is not accepted; email addresses pass.
  func check(_ text: String, parameter: String) throws {
    guard let number = PhoneNumber(text), let why = try refusal(of: number) else { return }
    throw APIError.invalidParameter(parameter, value: text, expected: PhoneNumber.expected).because(why)
  }

  /// Why a number is not accepted; nil if it is.
  private func refusal(of number: PhoneNumber) throws -> String? {
    if let why = try sandbox.numbers.refusal(of: number, provider: TwilioProvider.name) { return why }
    guard fictionalNumbers == .refuse, sandbox.numbers.isFictional(number),
      try sandbox.subscribers.recorded(number) == nil
    else { return nil }
    return "\(number) is reserved for fiction, has no record, and the setting fictionalNumbers is refuse"
  }
}
