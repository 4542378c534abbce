import Numbers
import Testing

@Suite("Domain · numbers as people write them")
struct DialledTextTests {
  @Test(
    "46 D4: numbers of 56 countries, written in 31 ways, are read as libphonenumber reads them",
    arguments: writtenNumbers.split(separator: "\n").map(String.init))
  func ways(row: String) throws {
    let parts = row.split(separator: "|").map(String.init)
    let written = Self.ways(parts[1], parts[2], parts[3])

    let found = written.map { Self.outcome(of: $0, from: parts[0], meant: parts[1]) }

    try #require(written.count == parts[4].count)
    for (text, (found, expected)) in zip(written, zip(found, parts[4])) {
      // Numbers within a city, and those that are too long for E.164, are invalid in some way.
      let isRight = expected == "b" ? "sipl".contains(found) : found == String(expected)
      #expect(isRight, "\(text) from \(parts[0]): \(found), expected \(expected)")
    }
  }

  @Test(
    "46 D4: where numbers begin with 0, it is a prefix only before a whole number",
    arguments: ["06 03 12 34", "+241 06 03 12 34", "00241 06031234"])
  func zeroOfNumber(text: String) {
    #expect(DialledText(text, from: "GA").outcome == .number("+24106031234"))
  }

  private static func outcome(of text: String, from country: String, meant: String) -> String {
    switch DialledText(text, from: country).outcome {
    case .notANumber: return "n"
    case .invalidCountryCode: return "c"
    case .tooShort: return "s"
    case .number(let text):
      guard let number = PhoneNumber(text) else { return NumberValidity(ofText: text)?.letter ?? "n" }
      let validity = PublicNumberingPlan.world.validity(of: number)
      return validity == .valid && text != meant ? "o" : validity.letter
    }
  }

  /// The same ones in the same order as in `Tests/Tools/written_numbers.py`.
  private static func ways(_ e164: String, _ national: String, _ international: String) -> [String] {
    let code = String(international.prefix { $0 != " " })
    let rest = international.dropFirst(code.count + 1)
    let digits = e164.dropFirst()
    let shifted = e164.unicodeScalars.map { Character(Unicode.Scalar($0.value + 0xFEE0) ?? $0) }
    let arabic = e164.unicodeScalars.map { scalar in
      Character(scalar == "+" ? scalar : Unicode.Scalar(scalar.value - 0x30 + 0x660) ?? scalar)
    }
    return [
      e164, international, international.replacing(" ", with: "-"), international.replacing(" ", with: "."),
      "\(code) (0)\(rest)", "\(code)0\(rest)", "(\(international))", national, national.filter(\.isNumber),
      String(e164.dropFirst(code.count)), String(digits), "00\(digits)", "011\(digits)", "0011 \(digits)",
      String(shifted), String(arabic), "tel:\(e164);ext=7", "\(national) ext. 5", "\(international) x12",
      "Phone: \(international)", international.replacing(" ", with: "\u{A0}"), "\u{202A}\(e164)\u{202C}",
      "\(code)/\(rest)", "\(e164)/\(e164)", "\(e164), \(e164)", String(e164.dropLast()), "\(e164)12",
      "+\(e164)", "+\(digits.prefix(2))", "+0\(digits)", "\(e164.prefix(6))call\(e164.dropFirst(6))",
    ]
  }
}

extension NumberValidity {
  fileprivate var letter: String {
    switch self {
    case .valid: "v"
    case .invalidCountryCode: "c"
    case .tooShort: "s"
    case .tooLong: "l"
    case .invalidLength: "i"
    case .invalidPrefix: "p"
    }
  }
}
