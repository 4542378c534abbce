import ProviderKit

/// Settings that the live service has in its dashboard, on which sources about it disagree, or that tests
/// need. Source: contract 2.4, 3, 4.3, 12.4, 14 and 16.2.
struct Settings: ProviderSettings {
  /// The response to a check beyond `maxChecks`.
  enum CheckLimit: String, CaseIterable {
    case silentFailure = "silent_failure"
    case error
  }

  enum CodePolicy: String, CaseIterable {
    case random
    case fixed
    case derived
  }

  enum Codes: String, CaseIterable {
    case perAttempt = "per_attempt"
    case sameForWindow = "same_for_window"
  }

  /// The response to a check with text that cannot be a code.
  enum ImpossibleCode: String, CaseIterable {
    case failure
    case error
  }

  /// Which ids requests may name.
  enum KnownIDs: String, CaseIterable {
    /// Any, even if the sandbox does not know it.
    case open
    /// Only ids that a seed has.
    case seeded
  }

  enum RiskFactors: String, CaseIterable {
    case newest
    /// The factors before 2026.
    case previous
  }

  enum SDKKeyPlatform: String, CaseIterable {
    case any
    case ios
    case android
    case web
  }

  enum SignatureAlphabet: String, CaseIterable {
    case base64url
    case base64
  }

  var windowSeconds = 600
  var maxAttempts = 5
  var maxChecks = 5
  var checkLimit = CheckLimit.silentFailure
  var codeSize = 6
  var codePolicy = CodePolicy.random
  var fixedCode = "12345678"
  var codes = Codes.perAttempt
  var impossibleCode = ImpossibleCode.failure
  var customCodes = false
  var forceChallenge = true
  var emailTargets = true
  var management = true
  var callerNames = true
  var kycCountries = ["FR"]
  var templates = KnownIDs.open
  var inboundMessages = KnownIDs.open
  var inboundCallbackURL = ""
  var autoFallbacks = 0
  var channels = MessageChannel.allCases
  var repeatedAttempts = 0
  var riskFactors = RiskFactors.newest
  var retryRateLimits = false
  var signalsSeconds = 3600
  var sdkKeyPlatform = SDKKeyPlatform.any
  var silentNeedsDispatch = true
  var silentNeedsCellular = false
  var cellularSources: [String] = []
  var silentSeconds = 120
  var silentRedirect = 302
  var silentDelayMs = 0
  var silentQuirks: [String] = []
  var signsWebhooks = true
  var signatureAlphabet = SignatureAlphabet.base64url
  var signaturePadding = true

  static let provider = PreludeProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "PreludeSettings",
    "Settings that the live service has in its dashboard, on which sources about it disagree, or that tests need.",
    verificationFields + accountFields + deliveryFields + silentFields + webhookFields)

  private static let verificationFields: [Field<Settings>] = [
    .field(
      "windowSeconds", \.windowSeconds, .integer(1...86_400), default: 600,
      "How long a verification is pending, in seconds."),
    .field(
      "maxAttempts", \.maxAttempts, .integer(1...1_000_000), default: 5,
      "How often the code of one verification may be sent."),
    .field(
      "maxChecks", \.maxChecks, .integer(1...1_000_000), default: 5,
      "How many checks of one verification are evaluated."),
    .field(
      "checkLimit", \.checkLimit, .word, default: .silentFailure,
      "The response to further checks: an ordinary failure, or the error 429 too_many_checks."),
    .field(
      "codeSize", \.codeSize, .integer(4...8), default: 6, "Digits of a code if the request does not say."),
    .field(
      "codePolicy", \.codePolicy, .word, default: .random,
      "How codes are chosen: random (the same in every run), the first digits of fixedCode, or the last digits "
        + "of the number."),
    .field("fixedCode", \.fixedCode, .digits(8...8), default: "12345678", "The digits for fixed codes."),
    .field(
      "codes", \.codes, .word, default: .perAttempt,
      "A new code for each attempt, or one code for all attempts of a verification."),
    .field(
      "impossibleCode", \.impossibleCode, .word, default: .failure,
      "The response to a check with text that cannot be a code: a failure, or the error 400 impossible_code."),
  ]

  private static let accountFields: [Field<Settings>] = [
    .field("customCodes", \.customCodes, .boolean, default: false, "Callers may choose codes."),
    .field("forceChallenge", \.forceChallenge, .boolean, default: true, "Callers may request a challenge."),
    .field("emailTargets", \.emailTargets, .boolean, default: true, "Email addresses can be verified."),
    .field(
      "management", \.management, .boolean, default: true,
      "The account may manage number lists, sender IDs and test numbers."),
    .field(
      "callerNames", \.callerNames, .boolean, default: true,
      "Lookups may return the name that a handset shows for a caller."),
    .field(
      "kycCountries", \.kycCountries, .array(of: .countryCode, maxItems: SandboxLimits.items),
      default: ["FR"],
      "Countries whose operators support KYC match, ISO 3166-1 alpha-2; empty: the account has no KYC match."),
    .field(
      "templates", \.templates, .word, default: .open,
      "Templates that requests may name: all, or only those of seeds."),
    .field(
      "inboundMessages", \.inboundMessages, .word, default: .open,
      "Inbound messages that may be replied to: all, or only known ones."),
    .field(
      "inboundCallbackUrl", \.inboundCallbackURL,
      .webURL, default: "", "Where inbound WhatsApp and RCS messages are reported; empty: nowhere."),
  ]

  private static let deliveryFields: [Field<Settings>] = [
    .field(
      "autoFallbacks", \.autoFallbacks, .integer(0...100), default: 0,
      "Automatic retries on other channels after a lost message if the request does not say; "
        + "0: none, and max_auto_fallbacks has no effect."),
    .field(
      "channels", \.channels, .distinctWords(minItems: 1), default: MessageChannel.allCases,
      "The channels of the region, in the order in which attempts use them."),
    .field(
      "repeatedAttempts", \.repeatedAttempts, .integer(0...1_000_000), default: 0,
      "Verifications of one number within an hour after which it is blocked for repeated_attempts; 0: never."),
    .field(
      "riskFactors", \.riskFactors, .word, default: .newest,
      "Names of risk factors: the newest, or those before 2026."),
    .field(
      "retryRateLimits", \.retryRateLimits, .boolean, default: false,
      "SDKs may retry requests that were rate limited."),
  ]

  private static let silentFields: [Field<Settings>] = [
    .field(
      "signalsSeconds", \.signalsSeconds, .integer(1...86_400), default: 3600,
      "How long signals are valid, in seconds."),
    .field("sdkKeyPlatform", \.sdkKeyPlatform, .word, default: .any, "The platform of the SDK key."),
    .field(
      "silentNeedsDispatch", \.silentNeedsDispatch, .boolean, default: true,
      "Silent verification needs a dispatch of signals."),
    .field(
      "silentNeedsCellular", \.silentNeedsCellular, .boolean, default: false,
      "The dispatch must also have come over the cellular interface."),
    .field(
      "cellularSources", \.cellularSources,
      .array(
        of: .text(.string(minLength: 1), expected: "the beginning of an address, such as 10.20.") {
          !$0.isEmpty
        }, maxItems: SandboxLimits.items), default: [],
      "Prefixes of source addresses that count as mobile data, such as 10.20."),
    .field(
      "silentSeconds", \.silentSeconds, .integer(1...86_400), default: 120,
      "How long a silent URL is valid, in seconds."),
    .field(
      "silentRedirect", \.silentRedirect, .oneOf([301, 302, 303, 307, 308]), default: 302,
      "The status of its first redirect."),
    .field(
      "silentDelayMs", \.silentDelayMs, .integer(0...60_000), default: 0,
      "How long each hop of a silent verification waits, in milliseconds."),
    .field(
      "silentQuirks", \.silentQuirks,
      .array(
        of: .text(.string(pattern: SDKQuirk.pattern), expected: SDKQuirk.example) { SDKQuirk($0) != nil },
        maxItems: SandboxLimits.items),
      default: [],
      "Header fields for SDKs on the first redirect, such as X-SDK-Quirk-TLS: host=\"*\";version=\"1.2\"."),
  ]

  private static let webhookFields: [Field<Settings>] = [
    .field("signsWebhooks", \.signsWebhooks, .boolean, default: true, "Webhooks are signed."),
    .field(
      "signatureAlphabet", \.signatureAlphabet, .word, default: .base64url, "The encoding of signatures."),
    .field("signaturePadding", \.signaturePadding, .boolean, default: true, "Signatures are padded with =."),
  ]
}

extension Settings {
  /// Requires access to the management API, which the setting `management` removes. Source: contract 6.
  func requireManagement() throws(APIError) {
    guard management else { throw APIError(.forbidden).because("the setting management is off") }
  }
}

extension VerificationRules {
  /// The limits of a verification.
  init(_ settings: Settings, codeLength: Int) {
    self.init()
    self.codeLength = codeLength
    lifetime = .seconds(settings.windowSeconds)
    sendLimit = settings.maxAttempts
    sendWindow = .seconds(2 * 86_400)
    checkLimit = settings.maxChecks
    codes = settings.codes == .perAttempt ? .perAttempt : .same
    refusesStartWhileLocked = false
  }
}
