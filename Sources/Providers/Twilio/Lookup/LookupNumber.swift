import ProviderKit

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
    // A record or a seed can make a number valid that no country has.
    if let exact = PhoneNumber(query.number), try Self.problem(with: query.number, in: sandbox) == nil {
      self.init(number: exact, text: query.number, problem: nil)
      return
    }
    let dialled = DialledText(query.number, from: query.country.uppercased())
    guard case .number(let text) = dialled.outcome else {
      self.init(number: nil, text: query.number, problem: ValidationProblem(dialled.outcome))
      return
    }
    let problem = try Self.problem(with: text, in: sandbox)
    self.init(number: problem == nil ? PhoneNumber(text) : nil, text: text, problem: problem)
  }

  private init(number: PhoneNumber?, text: String, problem: ValidationProblem?) {
    self.number = number
    self.text = text
    self.problem = problem
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
  fileprivate init(_ outcome: DialledText.Outcome) {
    self =
      switch outcome {
      case .tooShort: .tooShort
      case .invalidCountryCode: .invalidCountryCode
      case .notANumber, .number: .notANumber
      }
  }

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
