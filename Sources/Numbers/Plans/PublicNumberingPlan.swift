import Basics
import JSON

/// The numbering plans of all countries: which phone numbers exist, in which country, and for which kind of
/// line.
///
/// Read from generated files on first use; see decision 0038 in `Docs/Decisions.md`.
package struct PublicNumberingPlan: Sendable {
  package static let world = embedded(PublicNumberingPlan.init)

  /// A calling code and the numbers after it.
  struct CallingCode: Sendable {
    /// One to three digits.
    let digits: String
    /// ISO 3166-1 alpha-2; nil for codes of no country, such as 800.
    let country: String?
    /// Where the automaton of valid numbers starts, and that of national formats.
    let firstStates: (numbers: Int, formats: Int)
    /// The possible numbers of digits after the code.
    let lengths: [Int]
  }

  /// By calling code as a number; nil for unassigned codes.
  private let codes: [CallingCode?]
  /// The same, where the automaton of valid numbers starts; 0 for unassigned codes.
  private let firstStates: [UInt16]
  /// Countries without a calling code of their own, by the first digits of their numbers.
  private let countries: [Int: String]
  private let automaton = DigitAutomaton(PackageResources.NumberStates_txt)

  private init() throws(TextTable.Mistake) {
    var codes = [CallingCode?](repeating: nil, count: 1000)
    for row in try TextTable(PackageResources.CallingCodes_txt, columns: 5...5).rows {
      codes[try row.number(0)] = CallingCode(
        digits: row[0], country: row.optional(1), firstStates: (try row.number(2), try row.number(3)),
        lengths: try row.numbers(4))
    }
    self.codes = codes
    firstStates = codes.map { UInt16($0?.firstStates.numbers ?? 0) }
    var countries: [Int: String] = [:]
    for row in try TextTable(PackageResources.SharedCodes_txt, columns: 2...2).rows {
      for prefix in try row.numbers(1) { countries[prefix] = row[0] }
    }
    self.countries = countries
  }

  /// The calling code of a number; nil if it is not assigned.
  func callingCode(of number: PhoneNumber) -> CallingCode? {
    callingCode(before: number.description.dropFirst())
  }

  /// The calling code with which digits begin.
  func callingCode(before digits: Substring) -> CallingCode? {
    guard digits.first != "0" else { return nil }
    var prefix = 0
    for digit in digits.utf8.prefix(3) {
      prefix = prefix &* 10 &+ Int(digit &- 0x30)
      if let code = codes[prefix] { return code }
    }
    return nil
  }

  /// The calling code of a country, ISO 3166-1 alpha-2; nil for unknown ones.
  package func callingCode(ofCountry country: String) -> String? {
    if let own = codes.first(where: { $0?.country == country }) { return own?.digits }
    // Western Sahara has Morocco's numbers.
    if country == "EH" { return callingCode(ofCountry: "MA") }
    guard let prefix = countries.first(where: { $0.value == country })?.key else { return nil }
    return (1...3).lazy.compactMap { Int(String(prefix).prefix($0)) }.compactMap { codes[$0] }.first?.digits
  }

  /// ISO 3166-1 alpha-2: all countries with numbers, and those without numbers of their own.
  package var countryCodes: Set<String> {
    Set(
      codes.compactMap { $0?.country } + countries.values + ["AQ", "BV", "EH", "GS", "HM", "PN", "TF", "UM"])
  }

  /// If a number exists, and else what is wrong with it.
  package func validity(of number: PhoneNumber) -> NumberValidity {
    if label(of: number) != 0 { return .valid }
    guard let code = callingCode(of: number) else { return .invalidCountryCode }
    return code.problem(ofLength: number.description.utf8.count - 1 - code.digits.utf8.count)
  }

  /// The kind of line that a number is reserved for; nil for numbers that do not exist. Numbers for fixed and
  /// mobile lines are mobile.
  package func lineType(of number: PhoneNumber) -> LineType? {
    Self.lineTypes[safe: label(of: number) - 1]
  }

  /// In the order of the generator's kinds. Numbers for voice over IP belong to no place.
  private static let lineTypes: [LineType] = [
    .premium, .tollFree, .sharedCost, .nonFixedVoip, .personal, .pager, .uan, .voicemail, .mobile, .landline,
  ]

  /// 0 for a number that does not exist, else the place of its kind, counted from 1. Every request with a
  /// number runs this, so it reads the bytes directly.
  private func label(of number: PhoneNumber) -> Int {
    var text = number.description
    return text.withUTF8 { text in
      var prefix = 0
      for place in 1...3 {
        prefix = prefix &* 10 &+ Int(text[place] &- 0x30)
        let state = Int(firstStates[prefix])
        if state != 0 { return automaton.label(after: text[(place + 1)...], from: state) }
      }
      return 0
    }
  }

  /// ISO 3166-1 alpha-2. The longest prefix decides. Numbers of no country's plan belong to the code's main
  /// country.
  func country(of number: PhoneNumber) -> String? {
    guard let code = callingCode(of: number) else { return nil }
    var (prefix, country) = (0, code.country)
    for digit in number.description.utf8.dropFirst().prefix(8) {
      prefix = prefix &* 10 &+ Int(digit &- 0x30)
      country = countries[prefix] ?? country
    }
    return country
  }
}

extension PublicNumberingPlan {
  /// What is wrong with a number, for people.
  package func explanation(of validity: NumberValidity, _ number: PhoneNumber) -> String {
    guard let code = callingCode(of: number) else { return "its country code is not assigned" }
    let found = number.description.utf8.count - 1 - code.digits.utf8.count
    let lengths = code.lengths.map(String.init).joined(separator: ", ")
    return switch validity {
    case .valid: "it is valid"
    case .invalidCountryCode: "its country code is not assigned"
    case .tooShort, .tooLong, .invalidLength:
      "it has \(found) digits after the country code \(code.digits); expected \(lengths)"
    case .invalidPrefix: "no number with \(found) digits after the country code \(code.digits) begins so"
    }
  }
}

extension PublicNumberingPlan.CallingCode {
  /// What is wrong with a number of so many digits after the code, which does not exist.
  func problem(ofLength length: Int) -> NumberValidity {
    if lengths.contains(length) { return .invalidPrefix }
    if length < lengths.first ?? 0 { return .tooShort }
    return length > lengths.last ?? 0 ? .tooLong : .invalidLength
  }
}
