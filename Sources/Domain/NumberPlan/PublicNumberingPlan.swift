/// The numbering plans of all countries: which phone numbers exist, and in which country.
///
/// Decoded from generated tables on first use; see `Docs/Decisions/0038-numbering-plans-are-an-automaton.md`.
struct PublicNumberingPlan: Sendable {
  static let world = PublicNumberingPlan()

  /// A calling code and the numbers after it.
  struct CallingCode: Sendable {
    /// One to three digits.
    let digits: String
    /// ISO 3166-1 alpha-2; nil for codes of no country, such as 800.
    let country: String?
    let firstState: Int
    /// The possible numbers of digits after the code.
    let lengths: [Int]
  }

  /// By calling code as a number; nil for unassigned codes.
  private let codes: [CallingCode?]
  /// Countries without a calling code of their own, by the first digits of their numbers.
  private let countries: [Int: String]
  /// Ten per state: the next state for each digit, plus `accepts` if a number may end there.
  private let targets: [UInt16]

  private init() {
    var codes = [CallingCode?](repeating: nil, count: 1000)
    for row in Self.codeRows.split(separator: "\n") {
      let words = row.split(separator: " ")
      guard words.count > 3, let code = Int(words[0]), codes.indices.contains(code), let state = Int(words[2])
      else { continue }
      codes[code] = CallingCode(
        digits: String(words[0]), country: words[1] == "-" ? nil : String(words[1]), firstState: state,
        lengths: words.dropFirst(3).compactMap { Int($0) })
    }
    self.codes = codes
    var countries: [Int: String] = [:]
    for row in Self.countryRows.split(separator: "\n") {
      let words = row.split(separator: " ")
      for prefix in words.dropFirst().compactMap({ Int($0) }) { countries[prefix] = String(words[0]) }
    }
    self.countries = countries
    targets = Self.decodeStates()
  }

  /// The calling code of a number; nil if it is not assigned.
  func callingCode(of number: PhoneNumber) -> CallingCode? {
    var prefix = 0
    for digit in number.description.utf8.dropFirst().prefix(3) {
      prefix = prefix &* 10 &+ Int(digit &- 0x30)
      if let code = codes[prefix] { return code }
    }
    return nil
  }

  /// If a number exists, and else what is wrong with it.
  func validity(of number: PhoneNumber) -> NumberValidity {
    guard let code = callingCode(of: number) else { return .invalidCountryCode }
    let digits = number.description.utf8.dropFirst(1 + code.digits.utf8.count)
    var state = code.firstState
    var mayEnd = false
    for digit in digits {
      let target = Int(targets[state &* 10 &+ Int(digit &- 0x30)])
      state = target & (Self.accepts - 1)
      mayEnd = target & Self.accepts != 0
    }
    return mayEnd ? .valid : code.problem(ofLength: digits.count)
  }

  /// ISO 3166-1 alpha-2. The longest prefix decides. Numbers of no country's plan belong to the code's main country.
  func country(of number: PhoneNumber) -> String? {
    guard let code = callingCode(of: number) else { return nil }
    var (prefix, country) = (0, code.country)
    for digit in number.description.utf8.dropFirst().prefix(8) {
      prefix = prefix &* 10 &+ Int(digit &- 0x30)
      country = countries[prefix] ?? country
    }
    return country
  }

  /// Set in a target whose state accepts. Larger than any state.
  private static let accepts = 0x8000

  /// Reads `stateRows`: pairs of characters, the high one first, that stand for 0 to 8280. A state consists of groups,
  /// and a group of two values: its digits as a mask, with bit 10 for an accepting state and bit 11 for the state's last
  /// group; then the next state for these digits.
  private static func decodeStates() -> [UInt16] {
    let characters = stateRows.utf8.filter { $0 != UInt8(ascii: "\n") }.map { Int($0) - ($0 > 92 ? 36 : 35) }
    var rows = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 1)
    var flags = [0]
    var row = rows[0]
    for place in stride(from: 0, to: characters.count - 3, by: 4) {
      let mask = characters[place] * 91 + characters[place + 1]
      for digit in 0..<10 where mask >> digit & 1 == 1 {
        row[digit] = characters[place + 2] * 91 + characters[place + 3]
      }
      guard mask >> 11 & 1 == 1 else { continue }
      rows.append(row)
      flags.append(mask >> 10 & 1 == 1 ? accepts : 0)
      row = rows[0]
    }
    return rows.flatMap { row in row.map { UInt16($0 | flags[$0]) } }
  }
}

extension PublicNumberingPlan {
  /// What is wrong with a number, for people.
  func explanation(of validity: NumberValidity, _ number: PhoneNumber) -> String {
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
  fileprivate func problem(ofLength length: Int) -> NumberValidity {
    if lengths.contains(length) { return .invalidPrefix }
    if length < lengths.first ?? 0 { return .tooShort }
    return length > lengths.last ?? 0 ? .tooLong : .invalidLength
  }
}
