import HTTP
import ProviderKit

/// What the account may do now. Source: contract 7.1, 9.1, 10.4 and 15.1.
struct AccountRules {
  private let settings: Settings
  private let format: ErrorFormat

  init(_ context: RequestContext) {
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

  func checkFunds() throws(APIError) {
    guard settings.hasFunds else {
      throw APIError.noFunds(in: format).because("the setting account.funds is off")
    }
  }
}
