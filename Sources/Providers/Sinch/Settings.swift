import ProviderKit

/// Settings that the live service has in its dashboard, or about which its documents say nothing. Source:
/// contract 9.
struct Settings: ProviderSettings {
  /// The answer to a start that is denied.
  enum DenyAnswer: String, CaseIterable {
    /// 403 with the code 40300.
    case error
    /// 200; the status is DENIED.
    case record
  }

  /// What the last hop of a seamless verification answers.
  enum SeamlessBody: String, CaseIterable {
    case json
    case empty
  }

  var callbackURL = ""
  var callbackTimeout = 5
  var callbackRetries = 3
  var denyAnswer = DenyAnswer.error
  var minimumAuth = AuthLevel.basic
  var timestampTolerance = 300
  var openStatus = false
  var expiry = 300
  var flashCallExpiry = 120
  var seamlessExpiry = 120
  var seamlessBody = SeamlessBody.json
  var codeLength = 4
  var maxAttempts = 3
  var velocity = 0
  var plusCode = ErrorCode.noPlus.rawValue
  var strictMembers = false
  var priceDelay = 0
  var credit: Int?
  var countries: [String] = []
  var blocked: [PhoneNumber] = []
  var fraud: [PhoneNumber] = []

  static let provider = SinchProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "SinchSettings",
    "Settings that the live service has in its dashboard, or about which its documents say nothing.",
    applicationFields + verificationFields + accountFields)

  private static let applicationFields: [Field<Settings>] = [
    .field(
      "callbackUrl", \.callbackURL, .webURL, default: "",
      "Where the callbacks of applications go that have no URL of their own; empty: nowhere."),
    .field(
      "callbackTimeout", \.callbackTimeout, .integer(1...60), default: 5,
      "How long the receiver of a callback may take, in seconds."),
    .field(
      "callbackRetries", \.callbackRetries, .integer(0...6), default: 3,
      "How often a result or delivery callback is repeated: after 1, 5, 25 seconds and so on. Request callbacks are not."
    ),
    .field(
      "denyAnswer", \.denyAnswer, .word, default: .error,
      "The answer to a start that is denied: error, 403 with the code 40300; record, 200, and the status is DENIED."
    ),
    .field(
      "minimumAuth", \.minimumAuth, .word, default: .basic,
      "The weakest authorization that applications accept that have no minimum of their own."),
    .field(
      "timestampTolerance", \.timestampTolerance, .integer(0...86_400), default: 300,
      "How far the x-timestamp of a signed request may be from the sandbox's time or the machine's, in "
        + "seconds; 0: not checked."
    ),
    .field(
      "openStatus", \.openStatus, .boolean, default: false,
      "The status by number needs no authorization, as in the documents of 2021."),
    .field(
      "strictMembers", \.strictMembers, .boolean, default: false,
      "Unknown members of a start are the error 40001."),
    .field(
      "plusCode", \.plusCode, .oneOf([ErrorCode.noPlus.rawValue, ErrorCode.missingParameter.rawValue]),
      default: ErrorCode.noPlus.rawValue, "The code for a number without its plus sign."),
  ]

  private static let verificationFields: [Field<Settings>] = [
    .field(
      "expiry", \.expiry, .integer(1...86_400), default: 300,
      "How long codes of texts, WhatsApp messages and phone calls are valid, in seconds."),
    .field(
      "flashCallExpiry", \.flashCallExpiry, .integer(1...86_400), default: 120,
      "How long a flash call can be reported, in seconds: reportTimeout."),
    .field(
      "seamlessExpiry", \.seamlessExpiry, .integer(1...86_400), default: 120,
      "How long a seamless verification can be completed, in seconds."),
    .field(
      "seamlessBody", \.seamlessBody, .word, default: .json,
      "What the last hop of a seamless verification answers: its id and status, or nothing."),
    .field("codeLength", \.codeLength, .integer(4...10), default: 4, "Characters of a code."),
    .field(
      "maxAttempts", \.maxAttempts, .integer(1...1_000_000), default: 3,
      "How many wrong codes or caller numbers fail a verification."),
  ]

  private static let accountFields: [Field<Settings>] = [
    .field(
      "velocity", \.velocity, .integer(0...86_400), default: 0,
      "How long a number must wait between two starts, in seconds; 0: not at all."),
    .nullable(
      "credit", \.credit, .count, "How many verifications the account can still pay; null: any number."),
    .field(
      "priceDelay", \.priceDelay, .integer(0...86_400), default: 0,
      "How long after its end the price of a verification is known, in seconds."),
    .field(
      "countries", \.countries, .array(of: .countryCode, maxItems: SandboxLimits.items), default: [],
      "Countries to which the account may verify, ISO 3166-1 alpha-2; empty: all."),
    .field(
      "blocked", \.blocked, .array(of: .phoneNumber, maxItems: SandboxLimits.numbers), default: [],
      "Numbers whose verifications are DENIED as Blocked."),
    .field(
      "fraud", \.fraud, .array(of: .phoneNumber, maxItems: SandboxLimits.numbers), default: [],
      "Numbers whose verifications are DENIED as Fraud."),
  ]
}

extension Settings {
  /// Every start is a new verification, and the last wrong code ends it. Source: contract 4 and 6.
  var verificationRules: VerificationRules {
    var rules = VerificationRules()
    rules.resendsWhilePending = false
    rules.refusesStartWhileLocked = false
    rules.locksOnLastFailure = true
    rules.checkLimit = maxAttempts
    rules.codeLength = codeLength
    return rules
  }
}
