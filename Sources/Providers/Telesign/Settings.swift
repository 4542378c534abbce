import ProviderKit

/// The state of the account, values that the provider does not publish, and behaviour on which sources
/// disagree. Source: contract 16; 2.5, 4.8, 13.1 and 15 for settings without a row there.
struct Settings: ProviderSettings {
  /// The codes for a wrong code of the Verify API. Source: contract 4.6.
  enum WrongCode: String, CaseIterable, Sendable {
    /// 3909: try again; 3904: rejected for good.
    case live
    /// The reverse.
    case openapi
  }

  enum AccountState: String, CaseIterable, Sendable {
    case active
    case suspended
    case notActivated = "not_activated"
  }

  static let provider = TelesignProvider.name
  static let defaults = Shared(Settings())

  var wrongCode = WrongCode.live
  var unknownReferenceStatus = 400
  var expiredStatus = 400
  var pushDenyFallback = false
  var verifyCodeLength = 6
  var verifyCodeSeconds = 300
  var verifyAttempts = 3
  var deliveredAfterSeconds = 1
  var allowsCallbackURL = false
  var acceptsJSONInQuery = true

  var isStrict = false
  var fineGrained34xx = false
  var dateTolerance = 900
  var hasStrictDates = false
  var nonceWindow = 900
  var shortestNonce = 1
  var longestNonce = 64

  var smsCodeLength = 7
  var smsCodeSeconds = 300
  var smsCodeAttempts = 3
  var voiceCodeLength = 5
  var verifyFeatures: [VerifyFeature] = []
  var messagingStatus = 200
  var showsAdditionalInfo = false
  var retentionHours = 24

  var disabledAddOns: [AddOn] = []
  /// The highest possible score blocks nothing.
  var maximumRisk = highestRisk
  /// Five names, lowest level first.
  var riskLevels = ["very-low", "low", "medium", "high", "very-high"]

  var accountState = AccountState.active
  var hasFunds = true
  /// Empty: any.
  var sourceIP = ""
  /// Empty: any.
  var host = ""
  /// Empty: none.
  var callbackURL = ""
  var disabledProducts: [Product] = []
  var blockedNumbers: [String] = []
  var blockedCountries: [String] = []
  var blockedPrefixes: [String] = []
  var acceptsPlus = true
  var rates = Rates()

  /// Source: contract 11.
  static let highestRisk = 1000

  static let schema = Schema<Settings>(
    "TelesignSettings",
    "The state of the account, values that the provider does not publish, and behaviour on which sources disagree.",
    verifyFields + authenticationFields + legacyFields + lookupFields + accountFields)

  private static var verifyFields: [Field<Settings>] {
    [
      // Source: contract 4.6.
      .field(
        "verify.wrong_code", \.wrongCode, .word, default: .live,
        "Codes for a wrong code of the Verify API: live is 3909 to try again and 3904 when rejected, openapi the reverse."
      ),
      .field(
        "verify.unknown_reference_http", \.unknownReferenceStatus, .oneOf([400, 404]), default: 400,
        "HTTP status for an unknown reference id of the Verify API."),
      .field(
        "verify.expired_http", \.expiredStatus, .oneOf([200, 400]), default: 400,
        "HTTP status if a code of the Verify API comes too late."),
      .field(
        "verify.push_deny_fallback", \.pushDenyFallback, .boolean, default: false,
        "True if a denied push falls back to the next method."),
      .field(
        "verify.code_length", \.verifyCodeLength, .integer(3...10), default: 6,
        "Number of digits of a Verify API code."),
      .field(
        "verify.code_ttl_s", \.verifyCodeSeconds, .integer(60...300), default: 300,
        "How long a Verify API code is valid, in seconds."),
      .field(
        "verify.attempts", \.verifyAttempts, .integer(1...5), default: 3,
        "How often a Verify API code can be submitted."),
      .field(
        "verify.delivered_after_s", \.deliveredAfterSeconds, .integer(0...300), default: 1,
        "Seconds between the submission of a message and its delivery status."),
      .field(
        "verify.callback_allowed", \.allowsCallbackURL, .boolean, default: false,
        "True if a request may contain a callback_url."),
      .field(
        "compat.python_patch_query", \.acceptsJSONInQuery, .boolean, default: true,
        "True if a PATCH may have its JSON body in the query, as the Python client sends it."),
    ]
  }

  private static var authenticationFields: [Field<Settings>] {
    [
      .field(
        "auth.strict", \.isStrict, .boolean, default: false,
        "True if only signatures of the documented string are accepted, not the variants of official SDKs."),
      .field(
        "auth.fine_grained_34xx", \.fineGrained34xx, .boolean, default: false,
        "True if the Verify API and omnichannel answer failed authentication with exact codes instead of 3400."
      ),
      .field(
        "auth.date_tolerance_s", \.dateTolerance, .integer(0...315_360_000), default: 900,
        "How far the date of a signed request may be off, in seconds; 0: any date."),
      .field(
        "auth.strict_dates", \.hasStrictDates, .boolean, default: false,
        "True if signatures are dated by the sandbox's clock, even if it is frozen or moved; else the machine's is right too."
      ),
      .field(
        "auth.nonce_window_s", \.nonceWindow, .integer(0...315_360_000), default: 900,
        "How long a nonce cannot be used again, in seconds."),
      .field(
        "auth.nonce_min", \.shortestNonce, .integer(0...1024), default: 1, "Minimum length of a nonce."),
      .field(
        "auth.nonce_max", \.longestNonce, .integer(1...1024), default: 64, "Maximum length of a nonce."),
    ]
  }

  private static var legacyFields: [Field<Settings>] {
    [
      .field(
        "sms_verify.code_length", \.smsCodeLength, .integer(3...7), default: 7,
        "Number of digits of an SMS Verify code."),
      .field(
        "sms_verify.ttl_s", \.smsCodeSeconds, .integer(1...86_400), default: 300,
        "How long an SMS or Voice Verify code is valid, in seconds."),
      .field(
        "sms_verify.attempts", \.smsCodeAttempts, .integer(1...1_000_000), default: 3,
        "Number of wrong submissions of an SMS or Voice Verify code."),
      .field(
        "voice_verify.code_length", \.voiceCodeLength, .integer(3...5), default: 5,
        "Number of digits of a Voice Verify code."),
      // Source: contract 7.1.
      .field(
        "sms_verify.features", \.verifyFeatures, .distinctWords(), default: [],
        "Facts about the number in the first response of SMS and Voice Verify."),
      .field(
        "messaging.http_success", \.messagingStatus, .oneOf([200, 201]), default: 200,
        "HTTP status for an accepted message."),
      // Source: contract 9.1.
      .field(
        "messaging.additional_info", \.showsAdditionalInfo, .boolean, default: false,
        "True if the status of a message includes its parts, network and price."),
      .field(
        "reference.retention_h", \.retentionHours, .integer(1...87_600), default: 24,
        "How long reference ids can be queried, in hours."),
    ]
  }

  private static var lookupFields: [Field<Settings>] {
    [
      .field(
        "phoneid.disabled_addons", \.disabledAddOns, .distinctWords(), default: [],
        "PhoneID add-ons that are not enabled for the account."),
      .field(
        "score.maximum", \.maximumRisk, .integer(0...highestRisk), default: highestRisk,
        "Numbers with a higher risk score get no code: 233 in SMS Verify, 3072 in the Verify API and omnichannel."
      ),
      // Source: contract 11.
      .field(
        "score.level_names", \.riskLevels, riskLevelNames,
        default: ["very-low", "low", "medium", "high", "very-high"],
        "The names of the five risk levels, lowest first, separated by commas."),
    ]
  }

  private static var accountFields: [Field<Settings>] {
    [
      .field(
        "account.state", \.accountState, .word, default: .active, "Whether the account can be used."),
      .field(
        "account.funds", \.hasFunds, .boolean, default: true, "False if the prepaid account has no money."),
      .field(
        "account.source_ip", \.sourceIP, optionalWord("an IP address, or an empty string"), default: "",
        "The only client address from which requests are accepted; empty: any."),
      .field(
        "account.host", \.host, optionalWord("a host name, or an empty string"), default: "",
        "The only host name of the provider that the account may use; empty: any."),
      // Source: contract 13.1.
      .field(
        "account.callback_url", \.callbackURL,
        .text(
          .string(pattern: "^$|^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"),
          expected: "an http or https URL, or an empty string"
        ) {
          $0.isEmpty || CallbackURL.isValid($0)
        }, default: "", "The URL for callbacks of requests that name none; empty: no callbacks."),
      .field(
        "account.disabled_products", \.disabledProducts, .distinctWords(), default: [],
        "Products that are not enabled for the account."),
      .field(
        "account.blocked_numbers", \.blockedNumbers, .array(of: .e164, maxItems: SandboxLimits.numbers),
        default: [], "Numbers that the customer has asked to block: 229, 129 for calls, 2429, 3052."),
      .field(
        "account.blocked_countries", \.blockedCountries,
        .array(of: .countryCode, maxItems: SandboxLimits.items), default: [],
        "Countries to which nothing is sent: 237, 130 for calls, 2430, 3037, 10034 for Voice."),
      .field(
        "account.blocked_prefixes", \.blockedPrefixes, .array(of: prefix, maxItems: SandboxLimits.items),
        default: [], "Beginnings of numbers to which nothing is sent: 238, 130 for calls, 2430, 3038."),
      .field(
        "phone.lenient", \.acceptsPlus, .boolean, default: true,
        "True if a phone number may begin with +."),
    ]
      // Source: contract 15, which has the live values.
      + Product.allCases.map {
        .field(
          "rate.\($0.rawValue)", \.rates[$0], .integer(0...1_000_000), default: 0,
          "Requests per second for this product; 0: unlimited.")
      }
  }

  private static func optionalWord(_ expected: String) -> FieldType<String> {
    .text(.string(pattern: "^[!-~]*$", maxLength: 255), expected: expected) { text in
      text.utf8.count <= 255 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
  }

  private static var prefix: FieldType<String> {
    .text(.string(pattern: #"^\+[0-9]{1,15}$"#), expected: "+ and 1 to 15 digits") { text in
      text.hasPrefix("+") && (2...16).contains(text.utf8.count)
        && text.utf8.dropFirst().allSatisfy { $0.isDigit }
    }
  }

  private static var riskLevelNames: FieldType<[String]> {
    FieldType(
      .string(pattern: "^[^,]{1,32}(,[^,]{1,32}){4}$"),
      expected: "five names separated by commas, of 1 to 32 bytes each"
    ) { json in
      guard case .string(let text) = json else { return nil }
      let names = text.split(separator: ",", omittingEmptySubsequences: false)
      guard names.count == 5, names.allSatisfy({ (1...32).contains($0.utf8.count) }) else { return nil }
      return names.map(String.init)
    } write: { names, json in
      json.value(names.joined(separator: ","))
    }
  }
}

/// The rate limit of each product, in requests per second; 0: unlimited.
struct Rates: Equatable, Sendable {
  private var limits: [Product: Int] = [:]

  subscript(product: Product) -> Int {
    get { limits[product] ?? 0 }
    set { limits[product] = newValue }
  }
}

/// True for an http or https URL; the provider accepts https only. Source: contract 13.1.
