import Domain

/// The number of a lookup, and if it can exist. Source: contract 16.1.
struct LookupNumber {
  /// Nil for a number that cannot exist.
  let number: PhoneNumber?
  /// In E.164 if possible, else as in the request.
  let text: String
  /// Nil for a valid number.
  let problem: ValidationProblem?

  enum ValidationProblem: String {
    case tooShort = "TOO_SHORT"
    case tooLong = "TOO_LONG"
    case invalidButPossible = "INVALID_BUT_POSSIBLE"
    case invalidCountryCode = "INVALID_COUNTRY_CODE"
    case invalidLength = "INVALID_LENGTH"
    case notANumber = "NOT_A_NUMBER"
  }

  init(_ query: LookupQuery, in sandbox: Sandbox) throws {
    let candidates = Self.candidates(query.number, of: query.country)
    var first: (text: String, problem: ValidationProblem)?
    for text in candidates {
      guard let problem = try Self.problem(with: text, in: sandbox) else {
        self.init(number: PhoneNumber(text), text: text, problem: nil)
        return
      }
      first = first ?? (text, problem)
    }
    self.init(number: nil, text: first?.text ?? query.number, problem: first?.problem ?? .notANumber)
  }

  private init(number: PhoneNumber?, text: String, problem: ValidationProblem?) {
    self.number = number
    self.text = text
    self.problem = problem
  }

  /// Texts in E.164 that a number may mean: in national format with or without the first digit, which may be
  /// the prefix for calls within the country.
  static func candidates(_ text: String, of country: String) -> [String] {
    let digits = String(text.filter { !" -.()".contains($0) })
    guard digits.first != "+" else { return [digits] }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let code = NumberPlan.callingCode(ofCountry: country.uppercased())
    else { return [] }
    let national = "+\(code)\(digits)"
    return digits.first == "0" || digits.hasPrefix(code) && code == "1"
      ? [national, "+\(code)\(digits.dropFirst())"] : [national]
  }

  private static func problem(with text: String, in sandbox: Sandbox) throws -> ValidationProblem? {
    guard let number = PhoneNumber(text) else {
      return NumberValidity(ofText: text).map { ValidationProblem($0) } ?? .notANumber
    }
    if MagicNumber.contains(number) { return nil }
    switch try sandbox.numbers.validity(of: number) {
    case .valid:
      return try sandbox.numbers.refusal(of: number, provider: TwilioProvider.name) == nil
        ? nil : .invalidButPossible
    case let validity: return ValidationProblem(validity)
    }
  }
}

extension LookupNumber.ValidationProblem {
  init(_ validity: NumberValidity) {
    self =
      switch validity {
      case .tooShort: .tooShort
      case .tooLong: .tooLong
      case .invalidLength: .invalidLength
      case .invalidCountryCode: .invalidCountryCode
      case .invalidPrefix, .valid: .invalidButPossible
      }
  }
}
