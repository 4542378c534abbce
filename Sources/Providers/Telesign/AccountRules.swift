import ProviderKit

/// What the account may do now. Source: contract 7.1, 9.1, 10.4 and 15.1.
struct AccountRules {
  private let sandbox: Sandbox
  private let settings: Settings
  private let format: ErrorFormat

  init(_ context: RequestContext) {
    sandbox = context.sandbox
    settings = context.settings
    format = context.format
  }

  /// Throws if the number's ending asks for an error, or if the account has no money.
  func checkSending(to number: ParsedNumber?) throws(APIError) {
    switch number?.ending {
    case .rateLimited: throw APIError.rateLimited(in: format).because("the number ends in 0429")
    case .unavailable: throw APIError.unavailable(503, in: format).because("the number ends in 0503")
    case .trial:
      throw APIError.trialAccount(number?.digits ?? "", in: format).because("the number ends in 0033")
    default: break
    }
    try checkFunds()
  }

  /// Why nothing is sent to a number; nil if it is.
  func block(of number: ParsedNumber) throws -> SendingBlock? {
    let text = number.phoneNumber.description
    if settings.blockedNumbers.contains(text) { return .customer }
    if !settings.blockedCountries.isEmpty, let country = number.phoneNumber.country,
      settings.blockedCountries.contains(country)
    {
      return .country
    }
    if settings.blockedPrefixes.contains(where: text.hasPrefix) { return .prefix }
    guard settings.maximumRisk < Settings.highestRisk else { return nil }
    let score = RiskScore(of: try LineInfo(of: number, in: sandbox), at: sandbox.clock.now).score
    return score > settings.maximumRisk ? .risk : nil
  }

  /// Throws if the Verify API or omnichannel sends nothing to a number. Source: contract 4.9.
  func checkBlocks(of number: ParsedNumber?) throws {
    guard let block = try number.flatMap(block) else { return }
    throw APIError(block.omnichannelCode, in: .omnichannel).because(block.reason)
  }

  /// Throws if the Voice API makes no calls to the number's country. Source: contract 9.3.
  func checkCallCountry(of number: ParsedNumber) throws {
    guard let block = try block(of: number), block == .country else { return }
    throw APIError(10034, in: format).because(block.reason)
  }

  func checkFunds() throws(APIError) {
    guard settings.hasFunds else {
      throw APIError.noFunds(in: format).because("the setting account.funds is off")
    }
  }
}

/// Why nothing is sent to a number: the account's lists, or the number's risk. The contract has the codes,
/// the settings are ours. Source: `data/telesign-codes.json`.
enum SendingBlock {
  /// The customer has asked to block the number.
  case customer
  case country
  case prefix
  /// The risk score is above the account's limit.
  case risk

  /// `status.code` of a product with codes in `status`; nil if the product does not know this block.
  func code(for kind: ReferenceKind) -> Int? {
    switch (kind, self) {
    case (.smsVerification, .customer): 229
    case (.smsVerification, .country): 237
    case (.smsVerification, .prefix): 238
    case (.smsVerification, .risk): 233
    case (.callVerification, .customer): 129
    case (.callVerification, .country), (.callVerification, .prefix): 130
    case (.appVerification, .customer): 2429
    case (.appVerification, .country), (.appVerification, .prefix): 2430
    default: nil
    }
  }

  var omnichannelCode: Int {
    switch self {
    case .customer: 3052
    case .country: 3037
    case .prefix: 3038
    case .risk: 3072
    }
  }

  var reason: String {
    switch self {
    case .customer: "the setting account.blocked_numbers has the number"
    case .country: "the setting account.blocked_countries has the country"
    case .prefix: "the setting account.blocked_prefixes has a prefix of the number"
    case .risk: "the risk score is above the setting score.maximum"
    }
  }
}
