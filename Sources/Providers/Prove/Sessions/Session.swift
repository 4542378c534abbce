import Domain
import JSON
import ProviderKit

/// One flow: from unify, or from another call that hands out an auth token, to its outcome. Source: contract
/// 4.2 and 5.
///
/// Timers are judged when a session is read, so nothing runs at their ends.
struct Session: Equatable, Sendable {
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
  var reason: String?
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

  static let schema = Schema<Session>(
    nil, "A session.",
    [
      .required("correlationId", \.correlationID, .string, "The id for back ends."),
      .required("authId", \.authID, .string, "The id for devices."),
      .required("clientId", \.clientID, .string, "The client that started it."),
      .required("kind", \.kind, .word, "The operation that started it."),
      .required("possessionType", \.possession, .word, "Whose possession check it is."),
      .nested("options", \.options, SessionOptions.schema, "What the client asked for."),
      .optional("number", \.number, .string, "The number that is checked."),
      .required("createdAt", \.createdAt, .timestamp, "When it started."),
      .required("expiresAt", \.expiresAt, .timestamp, "When it ends."),
      .required("step", \.step, .word, "What the device must do next."),
      .required("outcome", \.outcome, .word, "The outcome."),
      .optional("means", \.means, .word, "How it passed."),
      .optional("failure", \.failure, .numberWord, "The code of the failure."),
      .optional("reason", \.reason, .string, "Why it failed."),
      .required("askedForPossession", \.askedForPossession, .boolean, "Whether a number can be bound."),
      .nested("device", \.device, SessionDevice.schema, "What the device said."),
      .optional("deviceId", \.deviceID, .string, "The registration of the device."),
      .required("sends", \.sends, .integer, "Codes and links that were sent."),
      .required("entries", \.entries, .integer, "One-time codes that were entered."),
      .required("numberEntries", \.numberEntries, .integer, "Numbers that were entered."),
      .required("needsNumber", \.needsNumber, .boolean, "Whether the device must name a number."),
      .optional("sentAt", \.sentAt, .timestamp, "When the newest code or link was sent."),
      .optional("linkToken", \.linkToken, .string, "The token of the newest link."),
      .optional("linkClickedAt", \.linkClickedAt, .timestamp, "When the link was opened."),
      .required("timedOut", \.hasTimedOut, .boolean, "Whether the link was not opened in time."),
      .optional("verification", \.verification, .integer, "The verification of the domain."),
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

  static let schema = Schema<SessionOptions>(
    nil, "What the client asked for.",
    [
      .optional("finalTargetUrl", \.finalTargetURL, .string, "Where a link leads to."),
      .optional("smsMessage", \.smsMessage, .string, "The text of messages."),
      .field("allowOTPRetry", \.allowsOTPRetry, .boolean, default: false, "Three codes instead of one."),
      .field("checkReputation", \.checksReputation, .boolean, default: false, "Check the reputation."),
      .field("rebind", \.rebind, .boolean, default: false, "Check the possession in any case."),
      .optional("deviceId", \.deviceID, .string, "The registration to recover."),
      .optional("mobileAuthEnabled", \.mobileAuth, .boolean, "Whether to attempt Mobile Auth."),
      .optional("clientRequestId", \.clientRequestID, .string, "The client's id of the request."),
      .optional("clientCustomerId", \.clientCustomerID, .string, "The client's id of the customer."),
      .optional("clientHumanId", \.clientHumanID, .string, "The client's id of the person."),
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

  static let schema = Schema<SessionDevice>(
    nil, "What the device said.",
    [
      .field("platform", \.platform, .word, default: .web, "The platform."),
      .field("features", \.features, .distinctWords(), default: [], "What the app can do."),
      .field(
        "mobileAuthTestMode", \.isInMobileAuthTestMode, .boolean, default: false,
        "Whether Mobile Auth succeeds over Wi-Fi."),
      .optional("cellularNumber", \.cellularNumber, .string, "The number of the SIM."),
    ])
}
