import ProviderKit

/// `endpoint`, in paths and bodies: a number in E.164 that can exist. Source: contract 2 and 3.
enum Endpoint {
  static func number(_ text: String, _ context: RequestContext) throws -> PhoneNumber {
    guard text.hasPrefix("+") else {
      let code = ErrorCode(rawValue: context.settings.plusCode) ?? .noPlus
      throw APIError(code, ErrorCode.noPlus.message).because(
        PhoneNumber.refusal(of: text, in: "identity.endpoint"))
    }
    guard let number = PhoneNumber(text) else {
      throw APIError(.invalidValue, "identity.endpoint: expected \(PhoneNumber.expected)")
        .because(PhoneNumber.refusal(of: text, in: "identity.endpoint"))
    }
    let validity = try context.sandbox.numbers.validity(of: number)
    guard validity == .valid else {
      throw APIError(.invalidValue, "identity.endpoint: not a number that can exist")
        .because(NumberPlan.explanation(of: validity, number))
    }
    return number
  }
}
