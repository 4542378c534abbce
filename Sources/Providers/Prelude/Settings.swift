import Domain
import JSON
import ProviderKit

/// Settings of a sandbox: what is a dashboard's on the live service, where sources about it conflict, and
/// what tests want otherwise. Source: contract 2.4, 3, 4.3, 12.4, 14 and 16.2.
struct Settings: ListedSettings {
  static let provider = PreludeProvider.name

  /// How long a verification waits, in seconds, and how often it may be sent and checked.
  var windowSeconds = 600
  var maxAttempts = 5
  var maxChecks = 5
  /// `silent_failure` or `error`: a check beyond the limit.
  var checkLimit = "silent_failure"
  /// Digits of a code that is not said otherwise.
  var codeSize = 6
  /// `random`, `fixed` or `derived`: where codes come from. `random` is the sandbox's own chance, which
  /// gives the same code in every run; `derived` are the last digits of the number.
  var codePolicy = "random"
  /// What `fixed` codes are the first digits of.
  var fixedCode = "12345678"
  /// `per_attempt` or `same_for_window`.
  var codes = "per_attempt"
  /// `failure` or `error`: a code that cannot be one.
  var impossibleCode = "failure"
  /// Features that an account has or has not.
  var customCodes = false
  var forceChallenge = true
  var emailTargets = true
  var management = true
  /// Whether lookups may tell the name that a handset shows for a caller.
  var callerNames = true
  /// Countries whose operators answer identity matches; none: the account has none of it.
  var kycCountries = ["FR"]
  /// `open` or `seeded`: whether a template that no seed describes can be sent by.
  var templates = "open"
  /// `open` or `seeded`: whether a message that nobody is known to have sent can be replied to.
  var inboundMessages = "open"
  /// Where the account is told of what people write to it by WhatsApp or RCS; empty: nowhere.
  var inboundCallbackURL = ""
  /// How many attempts may follow by themselves on one that was lost, where a request does not say; 0: the account
  /// has none of it, and `max_auto_fallbacks` no effect.
  var autoFallbacks = 0
  /// The channels of the region, in the order in which attempts go through them.
  var channels = ["sms", "rcs", "whatsapp", "viber", "zalo", "telegram"]
  /// After how many windows of one number in an hour it is blocked for `repeated_attempts`; 0: never.
  var repeatedAttempts = 0
  /// `newest` or `previous`: the words for risk factors.
  var riskFactors = "newest"
  /// Whether SDKs are left to repeat what was refused as too many.
  var retryRateLimits = false
  /// How long signals are worth something, in seconds.
  var signalsSeconds = 3600
  /// The platform that the SDK key is for: `any`, `ios`, `android` or `web`.
  var sdkKeyPlatform = "any"
  /// Whether silent verification needs a dispatch, and one that came over the cellular interface.
  var silentNeedsDispatch = true
  var silentNeedsCellular = false
  /// What source addresses begin with that are on mobile data, beside those of beacons.
  var cellularSources: [String] = []
  /// How long a silent URL is worth something, in seconds, and the status of its redirect.
  var silentSeconds = 120
  var silentRedirect = 302
  /// How long each hop of a silent chain keeps the handset waiting, in milliseconds.
  var silentDelayMs = 0
  /// Header fields for SDKs on the first redirect: `X-SDK-Quirk-TLS: host="*";version="1.2"`.
  var silentQuirks: [String] = []
  /// Whether webhooks are signed, and how the signature is written.
  var signsWebhooks = true
  var signatureAlphabet = "base64url"
  var signaturePadding = true

  /// Every member, as seeds have them.
  static var settings: [Setting<Settings>] {
    [
      .number("windowSeconds", \.windowSeconds, 1...86_400),
      .number("maxAttempts", \.maxAttempts, 1...1_000_000),
      .number("maxChecks", \.maxChecks, 1...1_000_000),
      .word("checkLimit", \.checkLimit, ["silent_failure", "error"]),
      .number("codeSize", \.codeSize, 4...8),
      .word("codePolicy", \.codePolicy, ["random", "fixed", "derived"]),
      .text("fixedCode", \.fixedCode, expected: "8 digits") {
        $0.utf8.count == 8 && $0.utf8.allSatisfy { $0.isDigit }
      },
      .word("codes", \.codes, ["per_attempt", "same_for_window"]),
      .word("impossibleCode", \.impossibleCode, ["failure", "error"]),
      .flag("customCodes", \.customCodes),
      .flag("forceChallenge", \.forceChallenge),
      .flag("emailTargets", \.emailTargets),
      .flag("management", \.management),
      .flag("callerNames", \.callerNames),
      .countries("kycCountries", \.kycCountries),
      .word("templates", \.templates, ["open", "seeded"]),
      .word("inboundMessages", \.inboundMessages, ["open", "seeded"]),
      .text("inboundCallbackUrl", \.inboundCallbackURL, expected: "an http or https URL, or nothing") {
        $0.isEmpty || isWebURL($0)
      },
      .number("autoFallbacks", \.autoFallbacks, 0...100),
      .words("channels", \.channels, of: ["sms", "rcs", "whatsapp", "viber", "zalo", "telegram"]),
      .number("repeatedAttempts", \.repeatedAttempts, 0...1_000_000),
      .word("riskFactors", \.riskFactors, ["newest", "previous"]),
      .flag("retryRateLimits", \.retryRateLimits),
      .number("signalsSeconds", \.signalsSeconds, 1...86_400),
      .word("sdkKeyPlatform", \.sdkKeyPlatform, ["any", "ios", "android", "web"]),
      .flag("silentNeedsDispatch", \.silentNeedsDispatch),
      .flag("silentNeedsCellular", \.silentNeedsCellular),
      .texts("cellularSources", \.cellularSources, expected: "what addresses begin with, 10.20.") {
        !$0.isEmpty
      },
      .number("silentSeconds", \.silentSeconds, 1...86_400),
      .number("silentRedirect", \.silentRedirect, [301, 302, 303, 307, 308]),
      .number("silentDelayMs", \.silentDelayMs, 0...60_000),
      .texts("silentQuirks", \.silentQuirks, expected: Quirk.form) { Quirk($0) != nil },
      .flag("signsWebhooks", \.signsWebhooks),
      .word("signatureAlphabet", \.signatureAlphabet, ["base64url", "base64"]),
      .flag("signaturePadding", \.signaturePadding),
    ]
  }
}
