import Domain
import ProviderKit

extension RequestContext {
  /// Throws 60200 for a phone number that the sandbox does not accept; email addresses pass.
  /// Source: contract 20.
  func requireAcceptedNumber(_ text: String, parameter: String = "To") throws {
    guard let number = PhoneNumber(text), let reason = try refusal(of: number) else { return }
    throw APIError.invalidParameter(parameter, value: text, expected: PhoneNumber.expected).because(reason)
  }

  /// Why the vendor does not send to a number; nil if it does.
  private func refusal(of number: PhoneNumber) throws -> String? {
    if let reason = try sandbox.numbers.refusal(of: number, provider: TwilioProvider.name) { return reason }
    guard settings.fictionalNumbers == .refuse, sandbox.numbers.isFictional(number),
      try sandbox.subscribers.recorded(number) == nil
    else { return nil }
    return "\(number) is reserved for fiction, has no record, and the setting fictionalNumbers is refuse"
  }
}
