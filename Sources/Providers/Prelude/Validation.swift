import ProviderKit

/// Values that several operations take. Source: contract 3.1, 3.2 and 11.2.
enum Validation {
  /// A number that can exist. `param` is the field that the error names.
  static func phoneNumber(_ text: String, param: String, in sandbox: Sandbox) throws -> PhoneNumber {
    let number = try e164(text, param: param)
    let validity = try sandbox.numbers.validity(of: number)
    guard validity == .valid else {
      throw APIError(.invalidPhoneNumber, param: param)
        .because(NumberPlan.explanation(of: validity, number))
    }
    return number
  }

  /// Any number in E.164, also one that cannot exist.
  static func e164(_ text: String, param: String) throws(APIError) -> PhoneNumber {
    guard let number = PhoneNumber(text) else {
      throw APIError(.invalidPhoneNumber, param: param).because(PhoneNumber.refusal(of: text, in: param))
    }
    return number
  }

  static func checkCallbackURL(_ url: String?, param: String) throws(APIError) {
    guard let url, AbsoluteURL(url) == nil else { return }
    throw APIError(.invalidCallbackURL, param: param).because("expected an http or https URL")
  }

  static func checkCorrelationID(_ text: String?, param: String) throws(APIError) {
    guard let text, text.unicodeScalars.count > 80 else { return }
    throw APIError(.invalidCorrelationID, param: param)
  }

  /// Reads and validates `metadata.correlation_id`.
  static func correlationID(in fields: Fields) throws -> String? {
    let text = try fields.optionalObject("metadata")?.optionalString("correlation_id")
    try checkCorrelationID(text, param: "metadata.correlation_id")
    return text
  }

  /// True for ASCII digits whose number is in `count`.
  static func isDigits(_ text: String, _ count: ClosedRange<Int>) -> Bool {
    count.contains(text.utf8.count) && text.utf8.allSatisfy { $0.isDigit }
  }
}

extension Fields {
  /// A time in milliseconds since 1970, as stored records have it.
  func timestamp(_ name: String) throws(FieldError) -> Timestamp {
    Timestamp(milliseconds: Int64(try int(name)))
  }
}
