import ProviderKit

/// What the public texts leave open. Source: contract 12.
struct Settings: ProviderSettings {
  enum UnknownMembers: String, CaseIterable, Sendable {
    case ignore
    case refuse
  }

  enum ClientAuth: String, CaseIterable, Sendable {
    case any
    case privateKeyJWT = "private_key_jwt"
  }

  /// The answer to a `maxAge` of zero or less.
  enum MaxAgeBelowOne: String, CaseIterable, Sendable {
    case outOfRange = "OUT_OF_RANGE"
    case invalidArgument = "INVALID_ARGUMENT"
  }

  /// The rules for tokens of Number Verification: those of Fall25, or single use and 300 s.
  enum NumberVerificationTokens: String, CaseIterable, Sendable {
    case fall25
    case sync26
  }

  enum UnknownNumbers: String, CaseIterable, Sendable {
    case open
    case notFound = "404"
  }

  /// Whether a code may be sent with a token of another number.
  enum OTPTokenContext: String, CaseIterable, Sendable {
    case ignore
    case invalidTokenContext = "INVALID_TOKEN_CONTEXT"
  }

  enum OTPAlphabet: String, CaseIterable, Sendable {
    case digits
    case alphanumeric
  }

  enum CallForwardings: String, CaseIterable, Sendable {
    case on
    case notImplemented = "501"
  }

  enum DeviceIdentifierKind: String, CaseIterable, Sendable {
    case phoneNumber
    case ipv4Address
    case ipv6Address
  }

  enum SubscriptionAnswers: String, CaseIterable, Sendable {
    case now = "sync"
    case later = "async"
  }

  enum Sinks: String, CaseIterable, Sendable {
    case any
    case https
  }

  enum LifecycleEvents: String, CaseIterable, Sendable {
    case ended
    case all
  }

  var unknownMembers = UnknownMembers.ignore
  var clientAuth = ClientAuth.any
  var purposes: [String]?
  var codeLifetime = 60
  var cibaExpires = 120
  var cibaInterval = 2
  var nvTokens = NumberVerificationTokens.fall25
  var unknownNumbers = UnknownNumbers.open
  var monitoredPeriod: Int?
  var maxAgeBelowOne = MaxAgeBelowOne.outOfRange
  var newSIMCountsAsSwap = true
  var otpLength = 6
  var otpAlphabet = OTPAlphabet.digits
  var otpValidity = 120
  var otpMaxTry = 3
  var otpMaxSend = 6
  var otpSendWindow = 3600
  var otpMessageLimit = 160
  var otpTokenContext = OTPTokenContext.ignore
  var callForwardings = CallForwardings.on
  var idDocumentRequired = false
  var matchScores = true
  var ageMinimum = 0
  var supportedDeviceIdentifiers = DeviceIdentifierKind.allCases
  var subscriptions = SubscriptionAnswers.now
  var sinks = Sinks.any
  var subscriptionLifecycleEvents = LifecycleEvents.ended
  var consentValidity: Int?
  var optOutPurposes: [String] = []
  var captureLimit: Int?

  static let provider = CAMARAProvider.name
  static let defaults = Shared(Settings())
  static let schema = Schema<Settings>(
    "CAMARASettings", "What the public texts about CAMARA leave open, or that tests need.",
    [
      .field(
        "unknownMembers", \.unknownMembers, .word, default: .ignore,
        "Members of a body that the specification does not have: ignored, or refused with INVALID_ARGUMENT."),
      .field(
        "unknownNumbers", \.unknownNumbers, .word, default: .open,
        "Numbers that can exist but have no record: open, a plain line each; or 404 IDENTIFIER_NOT_FOUND."),
    ] + authorizationFields + simSwapFields + lineFields)

  private static let authorizationFields: [Field<Settings>] = [
    .field(
      "clientAuth", \.clientAuth, .word, default: .any,
      "How clients sign in: any known way, or private_key_jwt only, as the profile demands."),
    .nullable(
      "purposes", \.purposes, .array(of: .purposeName, maxItems: SandboxLimits.items),
      "The purposes that clients may name, such as FraudPreventionAndDetection; null: all."),
    .field(
      "codeLifetime", \.codeLifetime, .integer(1...600), default: 60,
      "How long an authorization code is valid, in seconds."),
    .field(
      "cibaExpires", \.cibaExpires, .integer(1...86_400), default: 120,
      "How long a request of CIBA waits for the subscriber, in seconds."),
    .field(
      "cibaInterval", \.cibaInterval, .integer(0...3600), default: 2,
      "The least time between two polls, in seconds."),
    .field(
      "nvTokens", \.nvTokens, .word, default: .fall25,
      "Tokens for Number Verification: reusable for an hour as in Fall25, or as in Sync26 for one request within "
        + "300 s, without a refresh token."),
  ]

  private static let simSwapFields: [Field<Settings>] = [
    .nullable(
      "monitoredPeriod", \.monitoredPeriod, .integer(1...10_000),
      "For how many days the operator keeps the times of SIM swaps; null: forever."),
    .field(
      "maxAgeBelowOne", \.maxAgeBelowOne, .word, default: .outOfRange,
      "The error for a maxAge of zero or less."),
    .field(
      "newSimCountsAsSwap", \.newSIMCountsAsSwap, .boolean, default: true,
      "Whether a new contract, a number brought along and a new holder count as a SIM swap."),
  ]
}
