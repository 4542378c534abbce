import Control

/// The phone numbers and codes of a recording, to be hidden in any notation.
struct RecordedDigits: Sendable {
  private var codes: Set<String> = []
  /// Digits without zeros in front: whole numbers, or those without a calling code.
  private var numbers: Set<String> = []

  mutating func learn(codes: [String]) { self.codes.formUnion(codes) }

  /// Learns a text that is a phone number: `12025550100`, `0170 1234567`.
  mutating func learn(number text: String) {
    guard text.utf8.count <= Self.numberLimit, text.utf8.allSatisfy(Self.isPart) else { return }
    let digits = text.filter(\.isDigit)
    // With separators, eight digits are a date.
    guard digits.count == text.count || digits.count > 8 else { return }
    learn(digits.drop { $0 == "0" })
  }

  /// Learns the numbers after a plus sign, which may be percent-encoded.
  mutating func learnNumbers(in text: String) {
    let plain = text.replacing("%2B", with: "+").replacing("%2b", with: "+")
    for piece in plain.split(separator: "+").dropFirst() { learn(piece.prefix(while: \.isDigit)) }
  }

  private mutating func learn(_ digits: Substring) {
    if PhoneNumber("+\(digits)") != nil { numbers.insert(String(digits)) }
  }

  /// The text without the codes, and with only the first and the last two digits of numbers.
  func hiding(in text: String) -> String {
    var (shown, rest) = ("", text[...])
    while let first = rest.first {
      guard first.isDigit else {
        shown.append(rest.removeFirst())
        continue
      }
      let piece = rest.prefix(while: \.isDigit)
      if piece.utf8.count == 4, let time = rest.prefixMatch(of: #/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/#) {
        shown += time.output
        rest = rest[time.range.upperBound...]
        continue
      }
      var number = rest.prefix(Self.numberLimit).prefix { $0.utf8.allSatisfy(Self.isPart) && $0 != "+" }
      while number.last?.isDigit == false { number.removeLast() }
      let isFraction = shown.last == "."
      let isWhole =
        !isFraction && [shown.last, rest[number.endIndex...].first].allSatisfy { $0?.isWordPart != true }
      if codes.contains(String(piece)) {
        shown += Masking.mark
      } else if isWhole, isKnown(number) || Self.isNational(number) {
        shown += Self.hiddenMiddle(number)
        rest = rest[number.endIndex...]
        continue
      } else {
        shown += isKnown(piece) ? Self.hiddenMiddle(piece) : String(piece)
      }
      rest = rest[piece.endIndex...]
    }
    return shown
  }

  /// Of a number with its separators, in bytes.
  private static let numberLimit = 30
  /// Of the digits that one notation of a number has more than another: a calling code.
  private static let callingCodeLimit = 3

  private static func isPart(_ byte: UInt8) -> Bool { byte.isDecimalDigit || " ()-./+".utf8.contains(byte) }

  /// True for a known number, also with or without its calling code.
  private func isKnown(_ text: Substring) -> Bool {
    let digits = String(text.replacing("(0)", with: "").filter(\.isDigit).drop { $0 == "0" })
    return 7...15 ~= digits.utf8.count
      && numbers.contains {
        $0.hasSuffix(digits)
          || $0.utf8.count + Self.callingCodeLimit >= digits.utf8.count && digits.hasSuffix($0)
      }
  }

  /// True for what can only be a number as people write it at home, or with an international prefix:
  /// `0170 1234567`, `00491701234567`.
  private static func isNational(_ text: Substring) -> Bool {
    let digits = text.filter(\.isDigit)
    let zeros = digits.prefix { $0 == "0" }.count
    // One dot is that of a fraction.
    return 1...2 ~= zeros && 9...17 ~= digits.count && text.count { $0 == "." } != 1
  }

  /// All digits but the first and the last two.
  private static func hiddenMiddle(_ number: Substring) -> String {
    let count = number.count(where: \.isDigit)
    var position = 0
    return String(
      number.map { character in
        guard character.isDigit else { return character }
        position += 1
        return position <= 2 || position > count - 2 ? character : "•"
      })
  }
}

extension Character {
  fileprivate var isDigit: Bool { "0"..."9" ~= self }
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
