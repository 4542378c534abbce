package import JSON

/// A phone number in E.164: `+`, a first digit that is not zero, 7 to 15 digits in all.
package struct PhoneNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number with its `+`.
  package let description: String

  /// Nil for any other text; nothing is stripped or guessed.
  package init?(_ text: String) {
    var text = text
    guard text.withUTF8(Self.isValid) else { return nil }
    description = text
  }

  /// Every request with a number runs this, so it reads the bytes directly.
  private static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (8...16).contains(text.count), text[0] == UInt8(ascii: "+"), text[1] != UInt8(ascii: "0") else {
      return false
    }
    for index in 1..<text.count where !text[index].isDigit { return false }
    return true
  }

  /// The digits as one number: 15 at most, so they fit.
  package var digits: Int {
    var text = description
    return text.withUTF8 { text in
      var value = 0
      for index in 1..<text.count { value = value &* 10 &+ Int(text[index] &- 0x30) }
      return value
    }
  }

  package static let pattern = "^\\+[1-9][0-9]{6,14}$"
  /// For errors: what a valid number looks like.
  package static let expected = "a phone number such as +12025550100"

  /// The reason why a text in the field `name` is refused.
  package static func refusal(of text: String, in name: String, expected: String = expected) -> String {
    "\(name): expected \(expected); found \(text.quoted)"
  }

  /// That of the numbers in the default seed.
  package static let seededCountry = "US"

  /// The number that a text in another notation may mean: `1 (202) 555-0100`, `0012025550100`; nil if none is
  /// valid. `country`: of a text that may have no calling code, `2025550100`.
  package static func suggestion(for text: String, in country: String? = nil) -> PhoneNumber? {
    let isInternational = text.contains("+") || text.hasPrefix("00") || text.contains("\u{FF0B}")
    if !isInternational, let country, let number = DialledText(text, from: country).number,
      PublicNumberingPlan.world.validity(of: number) == .valid
    {
      return number
    }
    return DialledText(isInternational ? text : "+\(text)", from: "").number
  }

  /// The ISO 3166-1 code of the country; nil for calling codes that belong to none.
  package var country: String? { PublicNumberingPlan.world.country(of: self) }

  /// One to three digits; nil if the code is not assigned.
  package var callingCode: String? { PublicNumberingPlan.world.callingCode(of: self)?.digits }

  /// The digits after the calling code; all digits if that is not assigned.
  package var nationalDigits: String {
    String(description.dropFirst(1 + (callingCode?.utf8.count ?? 0)))
  }

  /// As people in its country write the number: `(202) 555-0100`, `07700 900123`.
  package var nationalFormat: String {
    guard let code = PublicNumberingPlan.world.callingCode(of: self) else { return nationalDigits }
    return NationalFormats.world.format(
      description.utf8.dropFirst(1 + code.digits.utf8.count), from: code.firstStates.formats)
  }

  /// As people write it abroad: `+1 202 555 0100`, `+44 7700 900123`. The groups are those at home.
  package var internationalFormat: String {
    guard let code = callingCode else { return description }
    var groups = nationalFormat[...]
    // The trunk prefix is for calls within the country.
    while groups.count(where: \.isNumber) > nationalDigits.count { groups.removeFirst() }
    let words = groups.split { !$0.isNumber }
    return (["+\(code)"] + words.map(String.init)).joined(separator: " ")
  }
}

extension FieldType where Value == PhoneNumber {
  package static var phoneNumber: FieldType {
    .text(
      .string(pattern: PhoneNumber.pattern), expected: PhoneNumber.expected,
      meant: { PhoneNumber.suggestion(for: $0, in: PhoneNumber.seededCountry)?.description },
      parse: { PhoneNumber($0) },
      format: { $0.description })
  }
}
