import ProviderKit

/// One flow: from unify, or from another call that hands out an auth token, to its outcome. Source: contract
/// 4.2 and 5.
///
/// Timers are judged when a session is read, so nothing runs at their ends.
struct Session: StoredRecord, Equatable {
  /// The operation that started it.
  enum Kind: String, CaseIterable, Sendable {
    case unify
    case preFill
    case auth
  }

  /// Whose possession check it is. Source: contract 4.1.
  enum PossessionType: String, CaseIterable, Sendable {
    case mobile
    case desktop
    /// Supplied by the customer.
    case none
  }

  /// What the device must do next. Source: contract 6.2.
  enum Step: String, CaseIterable, Sendable {
    /// No device has used the auth token.
    case created
    case mobileAuth = "mobile_auth"
    case otpStart = "otp_start"
    case otpFinish = "otp_finish"
    case linkStart = "instant_link_start"
    case linkWait = "instant_link_wait"
    case finished = "auth_finish"
  }

  enum Outcome: String, CaseIterable, Sendable {
    case open
    case passed
    /// The customer must check the possession, and bind the number. Source: contract 5.7.
    case possessionRequired
    case failed
  }

  /// How a session passed.
  enum Means: String, CaseIterable, Sendable {
    case key
    case mobileAuth
    case otp
    case instantLink
    /// The customer's own check.
    case bind
    /// None: the test user needs no device.
    case testUser
  }

  var correlationID = ""
  /// Names the session to devices.
  var authID = ""
  var clientID = ""
  var kind = Kind.unify
  var possession = PossessionType.mobile
  var options = SessionOptions()
  /// The number that is checked, in the notation of the client; nil until somebody gives one.
  var number: String?
  var createdAt = Timestamp.earliest
  var expiresAt = Timestamp.earliest

  var step = Step.created
  var outcome = Outcome.open
  var means: Means?
  /// The number of the failure's code. Source: contract 9.6.
  var failure: FraudCode?
  /// Why the session failed, for the journal.
  var why: String?
  /// True once a status has answered `possession_required`. Only then can a number be bound.
  var askedForPossession = false

  var device = SessionDevice()
  /// The registration that the device has; nil if it has none.
  var deviceID: String?

  /// Of codes and links, the first included.
  var sends = 0
  /// Of one-time codes.
  var entries = 0
  /// Of phone numbers, by the device.
  var numberEntries = 0
  /// True while the device must name a number, because none is known or another one is wanted.
  var needsNumber = false
  var sentAt: Timestamp?
  /// Of the newest link, in its URL.
  var linkToken: String?
  var linkClickedAt: Timestamp?
  /// True if nobody opened the link in time.
  var hasTimedOut = false
  /// The ordinal of the domain's verification; nil until something was sent.
  var verification: Int?

  static let schema = Schema<Session>([
    .required("correlationId", \.correlationID, .string),
    .required("authId", \.authID, .string),
    .required("clientId", \.clientID, .string),
    .required("kind", \.kind, .word),
    .required("possessionType", \.possession, .word),
    .nested("options", \.options, SessionOptions.schema),
    .optional("number", \.number, .string),
    .required("createdAt", \.createdAt, .timestamp),
    .required("expiresAt", \.expiresAt, .timestamp),
    .required("step", \.step, .word),
    .required("outcome", \.outcome, .word),
    .optional("means", \.means, .word),
    .optional("failure", \.failure, .numberWord),
    .optional("why", \.why, .string),
    .required("askedForPossession", \.askedForPossession, .boolean),
    .nested("device", \.device, SessionDevice.schema),
    .optional("deviceId", \.deviceID, .string),
    .required("sends", \.sends, .count),
    .required("entries", \.entries, .count),
    .required("numberEntries", \.numberEntries, .count),
    .required("needsNumber", \.needsNumber, .boolean),
    .optional("sentAt", \.sentAt, .timestamp),
    .optional("linkToken", \.linkToken, .string),
    .optional("linkClickedAt", \.linkClickedAt, .timestamp),
    .required("timedOut", \.hasTimedOut, .boolean),
    .optional("verification", \.verification, .ordinal),
  ])
}

extension Session {
  /// `number`, parsed.
  var mobileNumber: MobileNumber? { number.flatMap { MobileNumber($0) } }
}

/// What a client asked for when it started a session. Source: contract 4.1.
struct SessionOptions: Equatable, Sendable {
  var finalTargetURL: String?
  /// A text with a run of `#` for code or URL.
  var smsMessage: String?
  var allowsOTPRetry = false
  var checksReputation = false
  /// True if the possession must be checked, even if the device has a key of the number.
  var rebind = false
  /// The registration that a device without a key may recover.
  var deviceID: String?
  /// Nil: the client's own option decides.
  var mobileAuth: Bool?
  var clientRequestID: String?
  var clientCustomerID: String?
  var clientHumanID: String?

  static let schema = Schema<SessionOptions>([
    .optional("finalTargetUrl", \.finalTargetURL, .string),
    .optional("smsMessage", \.smsMessage, .string),
    .field("allowOTPRetry", \.allowsOTPRetry, .boolean, default: false),
    .field("checkReputation", \.checksReputation, .boolean, default: false),
    .field("rebind", \.rebind, .boolean, default: false),
    .optional("deviceId", \.deviceID, .string),
    .optional("mobileAuthEnabled", \.mobileAuth, .boolean),
    .optional("clientRequestId", \.clientRequestID, .string),
    .optional("clientCustomerId", \.clientCustomerID, .string),
    .optional("clientHumanId", \.clientHumanID, .string),
  ])
}

/// What a device says about itself when it authenticates. Source: contract 6.2.
struct SessionDevice: Equatable, Sendable {
  enum Platform: String, CaseIterable, Sendable {
    case web, android, ios
  }

  /// What the app on the device can do.
  enum Feature: String, CaseIterable, Sendable {
    case mobileAuth, otp, instantLink, deviceContext
  }

  var platform = Platform.web
  var features: [Feature] = []
  /// True if Mobile Auth succeeds over Wi-Fi too.
  var isInMobileAuthTestMode = false
  /// The number of the SIM.
  var cellularNumber: String?

  static let schema = Schema<SessionDevice>([
    .field("platform", \.platform, .word, default: .web),
    .field("features", \.features, .distinctWords(), default: []),
    .field("mobileAuthTestMode", \.isInMobileAuthTestMode, .boolean, default: false),
    .optional("cellularNumber", \.cellularNumber, .string),
  ])
}
