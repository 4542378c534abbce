import ProviderKit

/// What the operator does differently in the APIs about lines. Source: contract 12.
extension Settings {
  static let lineFields: [Field<Settings>] =
    otpFields + personFields + deviceFields + subscriptionFields + consentFields

  private static let otpFields: [Field<Settings>] = [
    .field("otpLength", \.otpLength, .integer(4...10), default: 6, "Characters of a code."),
    .field(
      "otpAlphabet", \.otpAlphabet, .word, default: .digits,
      "Whether codes are digits, or letters and digits."),
    .field("otpValidity", \.otpValidity, .integer(1...86_400), default: 120, "Seconds that a code is valid."),
    .field(
      "otpMaxTry", \.otpMaxTry, .integer(1...100), default: 3, "The wrong code that ends an attempt."),
    .field(
      "otpMaxSend", \.otpMaxSend, .integer(2...1000), default: 6,
      "The request for a code to a number within the window that is refused."),
    .field("otpSendWindow", \.otpSendWindow, .integer(1...86_400), default: 3600, "The window in seconds."),
    .field(
      "otpMessageLimit", \.otpMessageLimit, .integer(8...160), default: 160,
      "Characters that a message may have."),
    .field(
      "otpTokenContext", \.otpTokenContext, .word, default: .ignore,
      "Whether a token of another number may send a code: ignore, or the error INVALID_TOKEN_CONTEXT."),
  ]

  private static let personFields: [Field<Settings>] = [
    .field(
      "callForwardings", \.callForwardings, .word, default: .on,
      "Whether the operator tells conditional forwarding, or answers 501."),
    .field(
      "idDocumentRequired", \.idDocumentRequired, .boolean, default: false,
      "Whether KYC Match needs the number of the identity document."),
    .field(
      "matchScores", \.matchScores, .boolean, default: true, "Whether answers about persons have scores."),
    .field(
      "ageMinimum", \.ageMinimum, .integer(0...120), default: 0, "The lowest age that may be asked for."),
  ]

  private static let deviceFields: [Field<Settings>] = [
    .field(
      "supportedDeviceIdentifiers", \.supportedDeviceIdentifiers, .distinctWords(minItems: 1),
      default: DeviceIdentifierKind.allCases, "The identifiers of devices that the operator knows.")
  ]

  private static let subscriptionFields: [Field<Settings>] = [
    .field(
      "subscriptions", \.subscriptions, .word, default: .now,
      "Whether subscriptions are answered with 201 and 204, or with 202 and the id."),
    .field(
      "sinks", \.sinks, .word, default: .any,
      "Where notifications may go: any https URL and http to this computer, or https only."),
    .field(
      "subscriptionLifecycleEvents", \.subscriptionLifecycleEvents, .word, default: .ended,
      "Whether the end of a subscription is reported, or its start too."),
  ]

  private static let consentFields: [Field<Settings>] = [
    .nullable(
      "consentValidity", \.consentValidity, .integer(1...1_000_000_000),
      "How long a consent is valid that a subscriber gives on a page or a handset, in seconds; null: "
        + "forever."),
    .field(
      "optOutPurposes", \.optOutPurposes, .array(of: .purposeName, maxItems: SandboxLimits.items),
      default: [],
      "Purposes that need no consent; whoever denies one has objected to it (OBJECTED)."),
    .nullable(
      "captureLimit", \.captureLimit, .integer(1...ConsentCapture.limit),
      "URLs that ask a subscriber for one client and purpose within 24 hours; null: no limit."),
  ]

  /// True if the operator finds devices by an identifier.
  func supports(_ identifier: Device.Identifier) -> Bool {
    supportedDeviceIdentifiers.contains(identifier.kind)
  }
}

extension Device.Identifier {
  fileprivate var kind: Settings.DeviceIdentifierKind {
    switch self {
    case .phoneNumber: .phoneNumber
    case .ipv4Address: .ipv4Address
    case .ipv6Address: .ipv6Address
    }
  }
}
