import ProviderKit

/// Settings that the live service has in its dashboard, on which sources about it disagree, or that tests
/// need. Source: contract 12.
struct Settings: ProviderSettings {
  /// The response to a cancellation that comes too early or too late.
  enum EarlyCancel: String, CaseIterable {
    case notFound
    case conflict
    case allow
  }

  enum Templates: String, CaseIterable {
    case on
    case forbidden
  }

  enum PriceModel: String, CaseIterable {
    case conversion
    case success
  }

  /// Whether something unusual is accepted.
  enum Acceptance: String, CaseIterable {
    case accept
    case refuse
  }

  var errorBase = APIError.Base.current
  var codeLength = 4
  var channelTimeout = 180
  var maxAttempts = 3
  var failFast = true
  var earlyCancel = EarlyCancel.notFound
  var cancelAfter = 30
  var concurrentGrace = 0
  var silentTimeout = 60
  var templates = Templates.on
  var advanced = Acceptance.refuse
  var leadingPlus = Acceptance.accept
  var clientRefHyphens = Acceptance.accept
  var pinCode = Acceptance.refuse
  var fraudCheck = 0
  var priceModel = PriceModel.conversion
  var legacyPrice = "0.10000000"
  var blockedNetworks: [String] = []
  var purposes = ["FraudPreventionAndDetection"]
  var idDocumentRequired = false
  var smsWebhookMethod = SMSWebhook.Method.json
  var deliveryURL = ""
  var inboundURL = ""
  var signWebhooks = false
  var signatureMethod = SMSSignature.Method.md5hash
  var smsMessageID = StoredSMS.MessageID.uuid
  var smsPrice = "0.03330000"
  var balance = "10000.00000000"
  var throughput = 0
  var demo: [PhoneNumber] = []
  var barred: [PhoneNumber] = []
  var numericSenderCountries: [String] = []
  var shortCodes = Acceptance.accept
  var conversions = Acceptance.refuse

  static let provider = VonageProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "VonageSettings",
    "Settings that the live service has in its dashboard, on which sources about it disagree, or that tests need.",
    verifyFields + accountFields + otherFields + smsFields)

  private static let verifyFields: [Field<Settings>] = [
    .field(
      "codeLength", \.codeLength, .integer(4...10), default: 4,
      "Digits of a code if the request does not say."),
    .field(
      "channelTimeout", \.channelTimeout, .integer(15...900), default: 180,
      "Seconds until the next channel if the request does not say."),
    .field(
      "maxAttempts", \.maxAttempts, .integer(1...1000), default: 3,
      "The wrong code with this number ends the request with 410."),
    .field(
      "failFast", \.failFast, .boolean, default: true,
      "A message that cannot be delivered starts the next channel at once; else that waits for the timeout."),
    .field(
      "earlyCancel", \.earlyCancel, .word, default: .notFound,
      "The response to a cancellation before cancelAfter, or after the second channel has begun: 404, 409, or 204 as at other times."
    ),
    .field(
      "cancelAfter", \.cancelAfter, .integer(0...900), default: 30,
      "Seconds after the start from which a request can be canceled."),
    .field(
      "concurrentGrace", \.concurrentGrace, .integer(0...900), default: 0,
      "Seconds after a cancellation in which another request for the number is a conflict."),
    .field(
      "silentTimeout", \.silentTimeout, .integer(1...900), default: 60,
      "Seconds until the channel after silent authentication begins."),
    .field(
      "priceModel", \.priceModel, .word, default: .conversion,
      "With success, channels last 60 seconds at least."),
  ]

  private static let accountFields: [Field<Settings>] = [
    .field(
      "templates", \.templates, .word, default: .on, "Whether the account may change templates, else 403."),
    .field(
      "advanced", \.advanced, .word, default: .refuse,
      "The response to a check with a token, for silent authentication of mode advanced: accept any token after the phone was recognized, or 422."
    ),
    .field(
      "leadingPlus", \.leadingPlus, .word, default: .accept,
      "Phone numbers with a plus sign: accept, or 422."),
    .field(
      "clientRefHyphens", \.clientRefHyphens, .word, default: .accept,
      "Hyphens in client_ref, as in the provider's examples: accept, or 422 as its description of the API says."
    ),
    .field(
      "pinCode", \.pinCode, .word, default: .refuse,
      "The parameter pin_code of Verify legacy: accept, or status 20 as for accounts without this feature."),
    .field(
      "fraudCheck", \.fraudCheck, .integer(0...1_000_000), default: 0,
      "Requests for one number within an hour after which channels are blocked, unless the request says fraud_check false; 0: never."
    ),
  ]

  private static let otherFields: [Field<Settings>] = [
    .field(
      "errorBase", \.errorBase, .word, default: .current,
      "The beginning of type in errors: current, or as in older versions of the provider's SDKs."),
    .field(
      "legacyPrice", \.legacyPrice,
      .text(.string(pattern: "^[0-9]+[.][0-9]+$", maxLength: 20), expected: "a price such as 0.10000000") {
        let parts = $0.split(separator: ".", omittingEmptySubsequences: false)
        return $0.utf8.count <= 20 && parts.count == 2
          && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0.isDigit } }
      }, default: "0.10000000", "The price of a request of Verify legacy, in euros."),
    .field(
      "blockedNetworks", \.blockedNetworks, .array(of: .digits(5...6), maxItems: SandboxLimits.items),
      default: [],
      "Networks, as mobile country and network code, that are blocked for Verify legacy until the account unblocks them."
    ),
    .field(
      "purposes", \.purposes,
      .array(
        of: .text(.string(minLength: 1, maxLength: 100), expected: "1 to 100 characters") {
          (1...100).contains($0.utf8.count)
        }, maxItems: SandboxLimits.items), default: ["FraudPreventionAndDetection"],
      "The purposes that Identity Insights accepts from a request with a purpose."),
    .field(
      "idDocumentRequired", \.idDocumentRequired, .boolean, default: false,
      "Whether a subscriber match needs the number of the identity document."),
  ]
}

extension Settings {
  /// The limits of a verification. Each channel has its own time, so this has none. Source: contract 5.
  var verificationRules: VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = codeLength
    rules.checkLimit = maxAttempts
    rules.locksOnLastFailure = true
    rules.refusesStartWhileLocked = false
    // Sending a code does not extend the verification.
    rules.lifetime = .zero
    return rules
  }
}
