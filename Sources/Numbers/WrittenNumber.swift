import JSON

/// A text in the place of a phone number, as a client or a person wrote it.
package struct WrittenNumber {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// In bytes. Longer texts are no numbers.
  private static let limit = 60
  /// Fewer digits are codes and dates.
  private static let fewestDigits = 7

  /// What in the text may keep it from being read as E.164, such as `begins with 00 instead of +`; nil if
  /// there is nothing, or if the text is no number. `expectsPlus`: false where digits alone are right.
  package func remark(expectsPlus: Bool) -> String? {
    guard mayBeNumber, let oddity = oddity ?? (expectsPlus ? lackOfPlus : nil) else { return nil }
    guard let meant = PhoneNumber.suggestion(for: readable), meant.description != text,
      PublicNumberingPlan.world.validity(of: meant) == .valid
    else { return oddity }
    return "\(oddity); did you mean \(meant)?"
  }

  /// True for ` 12025550100` and `tel: 12025550100`: a plus sign that nobody escaped in a form or query. Also
  /// for email addresses and times.
  package var hasLostPlus: Bool {
    guard text.utf8.count <= Self.limit, let place = text.lastIndex(of: " ") else { return false }
    let rest = text[place...].dropFirst()
    let isStart = place == text.startIndex || text[..<place].last == ":"
    let isTime =
      text.first?.isNumber ?? false && text.contains("T") && rest.utf8.count == 5
      && rest.utf8.dropFirst(2).first == UInt8(ascii: ":")
    return isStart && PhoneNumber("+\(rest)") != nil || isTime
      || EmailAddress.isValid(text.replacing(" ", with: "+"))
  }

  /// True if most of it are digits.
  package var mayBeNumber: Bool {
    guard text.utf8.count <= Self.limit else { return false }
    let digits = text.unicodeScalars.count { $0.properties.numericType == .decimal }
    return digits >= Self.fewestDigits && digits * 2 > text.unicodeScalars.count
  }

  private var oddity: String? {
    let plain = text.lowercased()
    if plain.hasPrefix("%2b") { return "begins with %2B: it is encoded twice" }
    if let odd = text.unicodeScalars.first(where: Self.isForeign) {
      return "has \(odd.codePointWithName) instead of an ASCII character"
    }
    if plain.hasPrefix("tel:") { return "begins with tel:" }
    if plain.hasSuffix(".0") { return "ends with .0: it was written as a fraction" }
    if isExponent(plain) { return "is in exponent notation: its last digits are lost" }
    if hasTwoNumbers { return "has two numbers" }
    if text.contains("(0)") { return "has (0), which is dialled within the country only" }
    if text.dropFirst().contains("+") { return "has a plus sign after its start" }
    if text.hasPrefix("00") { return "begins with 00 instead of +" }
    if let letter = text.first(where: \.isLetter) { return "has the letter \(letter)" }
    if text.utf8.contains(where: { " -.()/".utf8.contains($0) }) { return "has blanks or punctuation" }
    return trunkZero
  }

  /// `12025550100`, and `2025550100`, which is written as in its country.
  private var lackOfPlus: String? {
    guard !text.hasPrefix("+") else { return nil }
    let isComplete = PhoneNumber("+\(text)").map { PublicNumberingPlan.world.validity(of: $0) } == .valid
    return isComplete ? "has no plus sign" : "has neither a plus sign nor a country code"
  }

  /// `+4407700900123`: the number exists without the zero after its country code.
  private var trunkZero: String? {
    guard let number = PhoneNumber(text), let code = number.callingCode, number.nationalDigits.hasPrefix("0"),
      let meant = PhoneNumber("+\(code)\(number.nationalDigits.dropFirst())"),
      PublicNumberingPlan.world.validity(of: number) != .valid,
      PublicNumberingPlan.world.validity(of: meant) == .valid
    else { return nil }
    return "has a 0 after the country code \(code), which is dialled within the country only"
  }

  private var hasTwoNumbers: Bool {
    text.split { ",;/|".contains($0) }.count { $0.utf8.count { $0.isDigit } >= Self.fewestDigits } > 1
  }

  private func isExponent(_ plain: String) -> Bool {
    let halves = plain.split(separator: "e", omittingEmptySubsequences: false)
    return halves.count == 2
      && halves.allSatisfy { half in
        !half.isEmpty && half.utf8.allSatisfy { $0.isDigit || "+.".utf8.contains($0) }
      }
  }

  /// A digit, plus sign or dash of another script.
  private static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII && !scalar.isInvisible
      && (scalar.properties.numericType == .decimal || scalar.properties.generalCategory == .dashPunctuation
        || scalar == "\u{FF0B}" || scalar == "\u{2212}")
  }

  /// The text as `DialledText` reads it.
  private var readable: String {
    var plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isInvisible }))
    if plain.lowercased().hasPrefix("%2b") { plain = "+" + plain.dropFirst(3) }
    if plain.hasSuffix(".0") { plain.removeLast(2) }
    return plain
  }
}
