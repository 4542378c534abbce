import Domain
import HTTP
import JSON
import ProviderKit

/// Settings of a sandbox: the vendor's unpublished values, what sources conflict about, and the state of the
/// account. Source: contract 16; 2.5, 4.8, 13.1 and 15 for those that have no row there.
struct Settings: ListedSettings {
  static let provider = TelesignProvider.name

  /// `live`: 3909 try again, 3904 over; `openapi`: the reverse. Source: contract 4.6.
  var wrongCode = "live"
  /// HTTP status for a well-formed id that nobody has, and for what came too late.
  var unknownReferenceStatus = 400
  var expiredStatus = 400
  /// Whether a denied push falls back to the next method.
  var pushDenyFallback = false
  /// A Verify API code: digits, seconds, submissions.
  var verifyCodeLength = 6
  var verifyCodeSeconds = 300
  var verifyAttempts = 3
  /// How many seconds after its submission a delivery is told of.
  var deliveredAfter = 1
  /// Whether a request may name its `callback_url`.
  var allowsCallback = false
  /// Whether JSON in the query of a PATCH is its body.
  var takesPatchQuery = true
  /// Only signatures by the rule; the finer 34xx; how far dates may be off, in seconds, 0: any date.
  var isStrict = false
  var fineGrained34xx = false
  var dateTolerance = 900
  /// How long a nonce is remembered, in seconds, and how long it may be.
  var nonceWindow = 900
  var shortestNonce = 1
  var longestNonce = 64
  /// An SMS or voice code: digits, seconds, wrong submissions.
  var smsCodeLength = 7
  var voiceCodeLength = 5
  var smsCodeSeconds = 300
  var smsCodeAttempts = 3
  /// HTTP status of a message that was taken.
  var messagingStatus = 200
  /// Whether a message's status answer has `additional_info`. Source: contract 9.1.
  var showsAdditionalInfo = false
  /// What a code's sending tells of the number besides. Source: contract 7.1.
  var verifyFeatures: [String] = []
  /// How long references can be asked for.
  var retentionHours = 24
  /// `active`, `suspended` or `not_activated`.
  var accountState = "active"
  /// Whether there is money in a prepaid account.
  var hasFunds = true
  /// The one address that requests may come from, and the one host they may go to; empty: any.
  var sourceIP = ""
  var host = ""
  /// Where callbacks go unless a request names another place; empty: nowhere.
  var callbackURL = ""
  /// Products that the account has not.
  var disabledProducts: [String] = []
  /// Whether a number may begin with `+`.
  var takesPlus = true
  /// Add-ons of PhoneID that the account has not.
  var disabledAddOns: [String] = []
  /// The names of the five levels of risk, lowest first, with commas. Source: contract 11.
  var riskLevelNames = "very-low,low,medium,high,very-high"
  /// Requests in a second, 0: any number. The live values are in contract 15.
  var rates = Rates()

  /// Every member, as seeds have them.
  static var settings: [Setting<Settings>] {
    verifySettings + authSettings + codeSettings + lookupSettings + accountSettings
  }

  private static var verifySettings: [Setting<Settings>] {
    [
      .word("verify.wrong_code", \.wrongCode, ["live", "openapi"]),
      .number("verify.unknown_reference_http", \.unknownReferenceStatus, [400, 404]),
      .number("verify.expired_http", \.expiredStatus, [200, 400]),
      .flag("verify.push_deny_fallback", \.pushDenyFallback),
      .number("verify.code_length", \.verifyCodeLength, 3...10),
      .number("verify.code_ttl_s", \.verifyCodeSeconds, 60...300),
      .number("verify.attempts", \.verifyAttempts, 1...5),
      .number("verify.delivered_after_s", \.deliveredAfter, 0...300),
      .flag("verify.callback_allowed", \.allowsCallback),
      .flag("compat.python_patch_query", \.takesPatchQuery),
    ]
  }

  private static var authSettings: [Setting<Settings>] {
    [
      .flag("auth.strict", \.isStrict),
      .flag("auth.fine_grained_34xx", \.fineGrained34xx),
      .number("auth.date_tolerance_s", \.dateTolerance, 0...315_360_000),
      .number("auth.nonce_window_s", \.nonceWindow, 0...315_360_000),
      .number("auth.nonce_min", \.shortestNonce, 0...1024),
      .number("auth.nonce_max", \.longestNonce, 1...1024),
    ]
  }

  private static var codeSettings: [Setting<Settings>] {
    [
      .number("sms_verify.code_length", \.smsCodeLength, 3...7),
      .number("sms_verify.ttl_s", \.smsCodeSeconds, 1...86_400),
      .number("sms_verify.attempts", \.smsCodeAttempts, 1...1_000_000),
      .number("voice_verify.code_length", \.voiceCodeLength, 3...5),
      .words(
        "sms_verify.features", \.verifyFeatures, of: VerifyFeature.allCases.map(\.rawValue), orNone: true),
      .number("messaging.http_success", \.messagingStatus, [200, 201]),
      .flag("messaging.additional_info", \.showsAdditionalInfo),
      .number("reference.retention_h", \.retentionHours, 1...87_600),
    ]
  }

  private static var lookupSettings: [Setting<Settings>] {
    [
      .words("phoneid.disabled_addons", \.disabledAddOns, of: AddOn.allCases.map(\.rawValue), orNone: true),
      .text("score.level_names", \.riskLevelNames, expected: "five names with commas between them") {
        let names = $0.split(separator: ",", omittingEmptySubsequences: false)
        return names.count == 5 && names.allSatisfy { (1...32).contains($0.utf8.count) }
      },
    ]
  }

  /// The names of the levels of risk, lowest first.
  var riskLevels: [String] { riskLevelNames.split(separator: ",").map(String.init) }

  private static var accountSettings: [Setting<Settings>] {
    [
      .word("account.state", \.accountState, ["active", "suspended", "not_activated"]),
      .flag("account.funds", \.hasFunds),
      .text("account.source_ip", \.sourceIP, expected: "an address, or nothing", isSetting),
      .text("account.host", \.host, expected: "a host name, or nothing", isSetting),
      .text("account.callback_url", \.callbackURL, expected: "a URL of http or https, or nothing") {
        $0.isEmpty || isCallbackURL($0)
      },
      .words(
        "account.disabled_products", \.disabledProducts, of: Product.allCases.map(\.rawValue), orNone: true),
      .flag("phone.lenient", \.takesPlus),
    ]
      + Product.allCases.map {
        .number("rate.\($0.rawValue)", \.rates[$0], 0...1_000_000)
      }
  }

  private static func isSetting(_ text: String) -> Bool {
    text.utf8.count <= 255 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// How many requests for each product there may be in a second; 0: any number.
struct Rates: Equatable {
  private var limits: [Product: Int] = [:]

  /// The limit of a product.
  subscript(product: Product) -> Int {
    get { limits[product] ?? 0 }
    set { limits[product] = newValue }
  }
}

/// Whether callbacks can go there. Source: contract 13.1; plain HTTP is the sandbox's own.
func isCallbackURL(_ text: String) -> Bool { AbsoluteURL(text) != nil }
