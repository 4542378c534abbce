import ProviderKit

/// Settings for points where sources about the live service disagree, and limits that tests may want to
/// change. The defaults are the live service's. Source: contract 17.
struct Settings: ProviderSettings {
  var publicBaseURL: String?
  var checkStatusCode = CheckStatusCode.ok
  var notFoundPathStyle = NotFoundPathStyle.versioned
  var ttlSeconds = 600
  var maxChecks = 5
  var maxSends = 5
  var sendWindowSeconds = 600
  var customCodeWhenDisabled = CustomCodeWhenDisabled.error60204
  var checkWithoutPending = CheckWithoutPending.notFound
  var fetchAfterMaxAttempts = FetchAfterMaxAttempts.readable
  var attemptChannelCase = AttemptChannelCase.lower
  var lookupWhenDisabled = LookupWhenDisabled.carrierNull
  var oauthTokenSeconds = 3600
  var senders: [String] = []
  var optOutType = false
  var messagingCountries: [String] = []
  var callsPerSecond = 0
  var invalidToCode = InvalidToCode.current
  var lookupErrors: [LookupError] = []
  var lookupV1 = LookupV1.on
  var pushIncludeDate = true
  var maxRateLimits = 10
  var maxBuckets = 5
  var restrictions = Restrictions()
  var webhookBody = WebhookBody.form
  var eventSink: String?
  var unsupportedLocale = UnsupportedLocale.notFound
  var fictionalNumbers = FictionalNumbers.accept
  var signatureFields = Self.allSignatureFields
  var strictPushTokenLength = false
  var unverifiedFactorHours = 24

  /// The values of these members stay the same between a device's request and its answer. Source: contract
  /// 11.8.
  private static let allSignatureFields =
    "sid,service_sid,entity_sid,identity,factor_sid,date_created,details,hidden_details,status"

  enum CheckStatusCode: Int, CaseIterable, Sendable {
    case ok = 200
    case created = 201
  }

  enum NotFoundPathStyle: String, CaseIterable, Sendable {
    case versioned = "/v2/Services/..."
    case unversioned = "/Services/..."
  }

  enum CustomCodeWhenDisabled: String, CaseIterable, Sendable {
    case error60204, ignore
  }

  enum CheckWithoutPending: String, CaseIterable, Sendable {
    case notFound = "20404"
    case invalidParameter = "60200"
  }

  enum FetchAfterMaxAttempts: String, CaseIterable, Sendable {
    case readable, deleted
  }

  /// The error of a call to an impossible number, which has changed. Source: `senders.md` 2.
  enum InvalidToCode: Int, CaseIterable, Sendable {
    case current = 13223
    case older = 21211
  }

  enum AttemptChannelCase: String, CaseIterable, Sendable {
    case lower, upper
  }

  enum LookupWhenDisabled: String, CaseIterable, Sendable {
    case carrierNull, empty
  }

  enum LookupV1: String, CaseIterable, Sendable {
    case on, removed
  }

  enum WebhookBody: String, CaseIterable, Sendable {
    case form, json
  }

  enum UnsupportedLocale: String, CaseIterable, Sendable {
    case notFound = "404"
    case english
  }

  /// The live service refuses numbers that are reserved for fiction. Source: contract 20.
  enum FictionalNumbers: String, CaseIterable, Sendable {
    case accept, refuse
  }

  static let provider = TwilioProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "TwilioSettings", "Settings of the Twilio provider. The defaults are the live service's.",
    [
      .nullable(
        "publicBaseURL", \.publicBaseURL, .baseURL,
        "Scheme and authority of links, without a slash at the end; null: as the client called."),
      .field(
        "checkStatusCode", \.checkStatusCode, .numberWord, default: .ok,
        "Status of an answered check: 200, or 201 as in Twilio's OpenAPI document."),
      .field(
        "notFoundPathStyle", \.notFoundPathStyle, .word, default: .versioned,
        "The path in the text of error 20404; without /v2 as before September 2025."),
      .field(
        "ttlSeconds", \.ttlSeconds, .integer(120...86_400), default: 600,
        "How long a verification is pending, in seconds."),
      .field(
        "maxChecks", \.maxChecks, .integer(1...1_000_000), default: 5,
        "How many checks a verification allows; the next one gets error 60202."),
      .field(
        "maxSends", \.maxSends, .integer(1...1_000_000), default: 5,
        "How many sends a verification allows within the send window; the next one gets error 60203."),
      .field(
        "sendWindowSeconds", \.sendWindowSeconds, .integer(1...86_400), default: 600,
        "The window in which sends are counted, in seconds."),
      .field(
        "customCodeWhenDisabled", \.customCodeWhenDisabled, .word, default: .error60204,
        "A CustomCode for a Service with CustomCodeEnabled off: error 60204, or ignored."),
      .field(
        "checkWithoutPending", \.checkWithoutPending, .word, default: .notFound,
        "The error of a check without a pending verification."),
      .field(
        "fetchAfterMaxAttempts", \.fetchAfterMaxAttempts, .word, default: .readable,
        "Whether a verification can still be fetched after too many checks, until it expires."),
      .field(
        "attemptChannelCase", \.attemptChannelCase, .word, default: .lower,
        "The letter case of channels in send_code_attempts."),
      .field(
        "lookupWhenDisabled", \.lookupWhenDisabled, .word, default: .carrierNull,
        "The member lookup for a Service with LookupEnabled off: a null carrier, or an empty object."),
      .field(
        "oauthTokenSeconds", \.oauthTokenSeconds, .integer(1...86_400), default: 3600,
        "How long an OAuth access token is valid, in seconds."),
      .field(
        "senders", \.senders, .array(of: .string(1...20), maxItems: SandboxLimits.items), default: [],
        "The account's own senders, besides numbers of seeds: messages from others get error 21606, calls 21210. Empty: any sender."
      ),
      .field(
        "optOutType", \.optOutType, .boolean, default: false,
        "Whether apps get OptOutType with texts such as STOP, as with Advanced Opt-Out."),
      .field(
        "messagingCountries", \.messagingCountries, .array(of: .countryCode, maxItems: SandboxLimits.items),
        default: [], "Countries to which messages may be sent; others get error 21408. Empty: all countries."),
      .field(
        "callsPerSecond", \.callsPerSecond, .integer(0...10_000), default: 0,
        "How many calls can be created in a second; the next one gets error 20429. 0: any number."),
      .field(
        "invalidToCode", \.invalidToCode, .numberWord, default: .current,
        "The error of a call to an impossible number: 13223, or the older 21211."),
      .field(
        "lookupErrors", \.lookupErrors, .objects(LookupError.schema, maxItems: 10) { LookupError() },
        default: [],
        "Errors of Lookup's packages, such as 60606 for one that is not enabled."),
      .field(
        "lookupV1", \.lookupV1, .word, default: .on,
        "Lookup v1 as it is; or removed, so that every number gets error 20404."),
      .field(
        "pushIncludeDate", \.pushIncludeDate, .boolean, default: true,
        "Push.IncludeDate of a Service that does not set it: true in a recorded answer, false in the SDKs' comments."
      ),
      .field(
        "maxRateLimits", \.maxRateLimits, .integer(1...100), default: 10,
        "How many rate limits a Service can have; the next one gets error 60207."),
      .field(
        "maxBuckets", \.maxBuckets, .integer(1...100), default: 5,
        "How many buckets a rate limit can have; the next one gets error 60210."),
      .field(
        "webhookBody", \.webhookBody, .word, default: .form,
        "The body of webhooks about factors and challenges: a form, or JSON with its hash in the URL."),
      .nullable(
        "eventSink", \.eventSink, .webURL,
        "The URL that gets the events of Services with VerifyEventSubscriptionEnabled; null: nobody gets them."
      ),
      .field(
        "unsupportedLocale", \.unsupportedLocale, .word, default: .notFound,
        "A Locale that the provider has no text for: status 404, or the text in English."),
      .field(
        "signatureFields", \.signatureFields,
        .text(
          .string(pattern: "^([a-z_]+(,[a-z_]+)*)?$"), expected: "names separated by commas, without spaces",
          isNameList), default: allSignatureFields,
        "The members of a challenge that a device signs; empty: no Twilio-Verify-Signature-Fields header."),
      .field(
        "strictPushTokenLength", \.strictPushTokenLength, .boolean, default: false,
        "Whether a push token needs at least 32 characters."),
      .field(
        "unverifiedFactorHours", \.unverifiedFactorHours, .integer(1...24), default: 24,
        "How long a factor stays unverified until it is removed, in hours."),
      .field(
        "fictionalNumbers", \.fictionalNumbers, .word, default: .accept,
        "Numbers that are reserved for fiction, such as +447700900123, and have no record: accepted, or error 60200."
      ),
    ] + Restrictions.fields)
}

extension FieldType where Value == String {
  fileprivate static var webURL: FieldType {
    .text(.string(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://"), expected: "an http or https URL") {
      AbsoluteURL($0) != nil
    }
  }
}

extension Settings {
  private static func isNameList(_ text: String) -> Bool {
    text.isEmpty
      || text.utf8.count <= 1000
        && text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { name in
          !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
        }
  }

  /// A request's path as the text of error 20404 has it.
  func notFoundPath(_ path: String) -> String {
    notFoundPathStyle == .unversioned && path.hasPrefix("/v2/") ? String(path.dropFirst(3)) : path
  }
}

extension VerificationRules {
  /// The limits of a verification.
  init(_ settings: Settings, codeLength: Int) {
    self.init()
    self.codeLength = codeLength
    lifetime = .seconds(settings.ttlSeconds)
    checkLimit = settings.maxChecks
    sendLimit = settings.maxSends
    sendWindow = .seconds(settings.sendWindowSeconds)
  }
}
