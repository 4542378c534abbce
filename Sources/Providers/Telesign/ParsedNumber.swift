import ProviderKit

/// A phone number of a request: digits only, with the country code. Source: contract 4.2, 7.1 and 15.1.
struct ParsedNumber: Equatable {
  /// The digits without `+`, as responses repeat them.
  let digits: String
  let phoneNumber: PhoneNumber
  /// True if the request wrote a `+`, which the provider does not ask for.
  let hadPlus: Bool

  /// Accepts 7 to 15 digits, and a leading `+` if the setting allows it. Numbers that cannot exist pass.
  init?(_ text: String, _ settings: Settings) {
    hadPlus = settings.acceptsPlus && text.hasPrefix("+")
    let digits = hadPlus ? String(text.dropFirst()) : text
    guard let phoneNumber = PhoneNumber("+\(digits)") else { return nil }
    self.digits = digits
    self.phoneNumber = phoneNumber
  }

  /// A phone number to send to. Those that cannot exist are rejected, and with `--numbers safe-only` also
  /// those that may belong to real people.
  static func toSendTo(_ text: String, in context: RequestContext) throws -> ParsedNumber {
    let number = try parsed(text, in: context)
    if !providerExamples.contains(number.digits) { try number.requireAllowed(text, in: context) }
    return number
  }

  /// A phone number to look up: one that cannot exist has an answer too. Source: contract 10.2.
  static func toLookUp(_ text: String, in context: RequestContext) throws -> ParsedNumber {
    let number = try parsed(text, in: context)
    let isValid = try context.sandbox.numbers.validity(of: number.phoneNumber) == .valid
    if isValid { try number.requireAllowed(text, in: context) }
    return number
  }

  private static func parsed(_ text: String, in context: RequestContext) throws(APIError) -> ParsedNumber {
    guard let number = ParsedNumber(text, context.settings) else {
      throw APIError.invalidNumber(text, in: context.format).because(
        PhoneNumber.refusal(of: text, in: "phone_number", expected: "digits with the country code"))
    }
    return number
  }

  private func requireAllowed(_ text: String, in context: RequestContext) throws {
    let numbers = context.sandbox.numbers
    guard let why = try numbers.refusal(of: phoneNumber, provider: TelesignProvider.name) else { return }
    throw APIError.invalidNumber(text, in: context.format).because(why)
  }

  /// Numbers of official tests that no country has. Source: contract 15.1.
  private static let providerExamples: Set = ["11234567890"]

  var ending: NumberEnding? { NumberEnding(rawValue: String(digits.suffix(4))) }
}

/// The last four digits of a number that choose a behaviour. Source: contract 15.1.
enum NumberEnding: String, CaseIterable {
  case undelivered = "0207"
  case expired = "0221"
  case blocked = "0230"
  case unknownOutcome = "0250"
  case inProgress = "0290"
  case rateLimited = "0429"
  case unavailable = "0503"
  case invalid = "0010"
  case voip = "0005"
  case trial = "0033"
  case approvesPush = "0700"
  case deniesPush = "0701"
  case ignoresPush = "0702"
  case silentMismatch = "0450"

  /// The default scenario of messages to such a number.
  var scenario: Scenario? {
    switch self {
    case .undelivered: Self.scenario("undeliverable", error: 34)
    case .expired: Self.scenario("absent", after: .seconds(5))
    case .blocked: Self.scenario("reject", error: Self.blockedError)
    case .unknownOutcome: Self.scenario("noReceipt")
    case .inProgress: Self.scenario("noReceipt", after: .seconds(3_153_600_000))
    case .silentMismatch: Self.scenario("mismatch")
    default: nil
    }
  }

  /// The default answer of the number's owner to a push. Source: contract 15.1.
  var pushReaction: PushReaction? {
    switch self {
    case .approvesPush: .approve
    case .deniesPush: .deny
    case .ignoresPush: .ignore
    default: nil
    }
  }

  /// The carrier's error code that marks a message as blocked by the provider.
  static let blockedError = 230

  private static func scenario(
    _ outcome: String, after: Duration? = nil, error: Int? = nil
  ) -> Scenario? {
    var scenario = Scenario(requested: outcome)
    scenario?.after = after
    scenario?.error = error
    return scenario
  }
}
