import Domain
import JSON
import ProviderKit

// Values that several operations take. Source: contract 3.1, 3.2 and 11.2.

/// A number that can exist. `param` is the field that the error names.
func requirePhoneNumber(_ text: String, param: String, in sandbox: Sandbox) throws -> PhoneNumber {
  let number = try requireE164(text, param: param)
  let validity = try sandbox.numbers.validity(of: number)
  guard validity == .valid else {
    throw APIError(.invalidPhoneNumber, param: param)
      .because(NumberPlan.explanation(of: validity, number))
  }
  return number
}

/// Any number in E.164, also one that cannot exist.
func requireE164(_ text: String, param: String) throws(APIError) -> PhoneNumber {
  guard let number = PhoneNumber(text) else {
    throw APIError(.invalidPhoneNumber, param: param).because(PhoneNumber.refusal(of: text, in: param))
  }
  return number
}

func requireCallbackURL(_ url: String?, param: String) throws(APIError) {
  guard let url, !isWebURL(url) else { return }
  throw APIError(.invalidCallbackURL, param: param).because("expected an http or https URL")
}

func requireCorrelationID(_ text: String?, param: String) throws(APIError) {
  guard let text, text.unicodeScalars.count > 80 else { return }
  throw APIError(.invalidCorrelationID, param: param)
}

/// Reads and validates `metadata.correlation_id`.
func correlationID(in fields: Fields) throws -> String? {
  let text = try fields.optionalObject("metadata")?.optionalString("correlation_id")
  try requireCorrelationID(text, param: "metadata.correlation_id")
  return text
}

/// True for `http` and `https` URLs with a host, up to 2048 bytes.
func isWebURL(_ text: String) -> Bool {
  guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
    return false
  }
  let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
  return !host.isEmpty && text.utf8.count <= 2048 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

/// True for text of the form of a language tag (BCP 47).
func isLanguageTag(_ text: String) -> Bool {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  return (2...8).contains(parts[0].count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
    && parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

/// True for ASCII digits whose number is in `count`.
func isDigits(_ text: String, _ count: ClosedRange<Int>) -> Bool {
  count.contains(text.utf8.count) && text.utf8.allSatisfy { $0.isDigit }
}

/// True for an ASCII letter or digit, or one of `others`.
func isAlphanumeric(_ byte: UInt8, or others: String = "") -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  default: others.utf8.contains(byte)
  }
}

extension Fields {
  /// One of a type's words.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ name: String, of type: Word.Type
  ) throws(FieldError) -> Word {
    guard let word = Word(rawValue: try string(name)) else {
      throw mismatch(name, expected: "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// A time in milliseconds since 1970, as stored records have it.
  func timestamp(_ name: String) throws(FieldError) -> Timestamp {
    Timestamp(milliseconds: Int64(try int(name)))
  }
}
