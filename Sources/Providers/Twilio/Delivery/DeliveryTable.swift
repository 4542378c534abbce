package import ProviderKit

// What the provider shows for the carrier's receipts, and every status that a scenario can ask for. Source:
// `carrier.md` 1.2; the texts: the provider's error dictionary, https://www.twilio.com/docs/api/errors, read
// 2026-11-25.

extension MessageStatus {
  static let table = DeliveryTable<MessageStatus>(
    [
      .init(.accepted, MessageStatus(.queued)),
      .init(.enroute, MessageStatus(.sent)),
      .init(.delivered, MessageStatus(.delivered)),
      .init(.read, MessageStatus(.read)),
      .init(.expired, unreachable),
      .init(.undeliverable, errors: [1, 2, 5, 9], unknownHandset),
      .init(.undeliverable, errors: [27, 31, 40, 60, 61], unreachable),
      .init(.undeliverable, unknownError),
      .init(.rejected, errors: [11], landline),
      .init(.rejected, errors: [13], blocked),
      .init(.rejected, errors: [21], invalidRecipient),
      .init(.rejected, filtered),
      .init(.refused, errors: SubmitStatus.numbers(.queueFull), queueOverflow),
      .init(.refused, MessageStatus(.failed, 30008, "Unknown error")),
    ], named: Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0.status) }))

  private static let queueOverflow = MessageStatus(.failed, 30001, "Queue overflow")
  private static let unreachable = MessageStatus(.undelivered, 30003, "Unreachable destination handset")
  private static let blocked = MessageStatus(.undelivered, 30004, "Message blocked")
  private static let unknownHandset = MessageStatus(.undelivered, 30005, "Unknown destination handset")
  private static let landline = MessageStatus(.undelivered, 30006, "Landline or unreachable carrier")
  private static let filtered = MessageStatus(.undelivered, 30007, "Message filtered")
  static let unknownError = MessageStatus(.undelivered, 30008, "Unknown error")
  /// For numbers without the channel's app.
  private static let invalidRecipient = MessageStatus(.undelivered, 63024, "Invalid message recipient")

  /// Failures that no receipt leads to.
  private static let onlyNamed: [MessageStatus] = [
    .init(.failed, 30002, "Account suspended"),
    .init(.undelivered, 30009, "Missing inbound segment"),
    .init(.failed, 30010, "Message price exceeds max price"),
    .init(.undelivered, 30022, "US A2P 10DLC - Rate Limits Exceeded"),
    .init(.undelivered, 30023, "US A2P 10DLC - Daily Message Cap Reached"),
    .init(.undelivered, 30032, "Toll-Free Number Has Not Been Verified"),
    .init(.undelivered, 30034, "US A2P 10DLC - Message from an Unregistered Number"),
    .init(.failed, 30036, "Validity Period Expired"),
    .init(.failed, 30410, "Provider Timeout Error"),
    .init(.undelivered, 63003, "Channel could not find To address"),
    .init(.undelivered, 63014, "Channel message blocked by user action"),
    .init(.undelivered, 63016, "Failed to send freeform message because you are outside the allowed window"),
    .init(.failed, 63017, "Rate limit exceeded"),
    .init(.failed, 63018, "Rate limit exceeded for Channel"),
    .init(.failed, 63021, "Channel invalid content error"),
    .init(.failed, 63023, "Channel generic error"),
  ]

  /// Statuses without an error, and failures by their codes.
  private static let named: [(name: String, status: MessageStatus)] =
    [Name.queued, .sent, .delivered, .read, .undelivered, .failed].map { ($0.rawValue, MessageStatus($0)) }
    + ([
      queueOverflow, unreachable, blocked, unknownHandset, landline, filtered, unknownError, invalidRecipient,
    ] + onlyNamed).compactMap { status in status.failure.map { (String($0.code), status) } }

  fileprivate static let all = named.map { name, status in
    ProviderStatus(
      name, status.failure?.message ?? "", status.state,
      over: name.hasPrefix("63") || status.name == .read ? .apps : Set<Channel>.apps.union([.sms]))
  }

  /// The carrier's state that it stands for.
  private var state: DeliveryReceipt.State {
    switch name {
    case .delivered: .delivered
    case .read: .read
    case .undelivered: .undeliverable
    case .failed: .rejected
    case .sent: .enroute
    case .accepted, .queued, .scheduled, .canceled, .received: .accepted
    }
  }
}

extension DeliveryStatus {
  /// The statuses of calls that scenarios can ask for. Source: contract 6.
  fileprivate static let calls: [ProviderStatus] = [
    .init("completed", "", .delivered, over: [.call]), .init("busy", "", .undeliverable, over: [.call]),
    .init("no-answer", "", .undeliverable, over: [.call]), .init("failed", "", .undeliverable, over: [.call]),
    .init("canceled", "", .undeliverable, over: [.call]),
  ]
}

extension TwilioProvider {
  package static var deliveryStatuses: [ProviderStatus] { MessageStatus.all + DeliveryStatus.calls }
}
