package import ProviderKit

// What the provider shows for the carrier's receipts, and every status that a scenario can ask for. Source:
// contract 14 and `data/telesign-codes.json`; `carrier.md` 1.1 and 1.2 for the receipts.

extension DeliveryStatus {
  static let table = DeliveryTable<DeliveryStatus>(
    [
      .init(.accepted, .inProgress),
      .init(.enroute, .atGateway),
      .init(.delivered, .delivered),
      .init(.read, .read),
      .init(.expired, .expired),
      .init(.undeliverable, errors: [1, 2, 5, 9], .permanentPhoneError),
      .init(.undeliverable, errors: [31, 40], .temporaryPhoneError),
      .init(.undeliverable, errors: [27, 60, 61], .subscriberAbsent),
      .init(.undeliverable, .failed),
      .init(.rejected, errors: [0], .suspectedSpam),
      .init(.rejected, errors: [11], .unsupported),
      .init(.rejected, errors: [13], .blockedBySubscriber),
      .init(.rejected, errors: [21], .channelUnsupported),
      .init(.rejected, .blocked),
      .init(.refused, errors: SubmitStatus.numbers(.throttled, .queueFull), .rejectedTemporarily),
      .init(.refused, errors: SubmitStatus.numbers(.systemError), .gatewayErrorTemporary),
      .init(.refused, errors: SubmitStatus.numbers(.invalidDestination), .invalidDestination),
      .init(.refused, .rejectedPermanently),
    ], named: named)

  static let delivered = DeliveryStatus(200, .delivered, omnichannel: 3000)
  static let read = DeliveryStatus(200, .read, omnichannel: 3005)
  static let atGateway = DeliveryStatus(203, .enroute, omnichannel: 3002)
  static let failed = DeliveryStatus(207, .undeliverable, omnichannel: 3003)
  static let temporaryPhoneError = DeliveryStatus(210, .undeliverable, omnichannel: 3030)
  static let permanentPhoneError = DeliveryStatus(211, .undeliverable, omnichannel: 3031)
  static let expired = DeliveryStatus(221, .expired, omnichannel: 3033)
  static let unsupported = DeliveryStatus(222, .rejected, omnichannel: 3034)
  static let blocked = DeliveryStatus(230, .rejected, omnichannel: 3053)
  /// The provider does not know whether the message arrived. It did.
  static let unknown = DeliveryStatus(250, .delivered, omnichannel: 3039)
  static let unconfirmed = DeliveryStatus(251, .delivered, omnichannel: 3004)
  static let inProgress = DeliveryStatus(290, .accepted, omnichannel: 3001)
  static let rejectedTemporarily = DeliveryStatus(503, .rejected, omnichannel: 3041)
  static let rejectedPermanently = DeliveryStatus(504, .rejected, omnichannel: 3042)
  static let gatewayErrorTemporary = DeliveryStatus(505, .rejected, omnichannel: 3043)
  static let invalidDestination = DeliveryStatus(507, .rejected)
  static let blockedBySubscriber = DeliveryStatus(510, .rejected, omnichannel: 3046)
  static let subscriberAbsent = DeliveryStatus(514, .undeliverable, omnichannel: 3050)
  static let suspectedSpam = DeliveryStatus(515, .rejected, omnichannel: 3051)
  static let channelUnsupported = DeliveryStatus(516, .rejected, omnichannel: 3055)

  /// Statuses of texts, those first that stand for a code that several have.
  private static let texts: [DeliveryStatus] =
    [
      delivered, read, atGateway, failed, temporaryPhoneError, permanentPhoneError, expired, unsupported,
      blocked, unknown, unconfirmed, inProgress, rejectedTemporarily, rejectedPermanently,
      gatewayErrorTemporary, invalidDestination, blockedBySubscriber, subscriberAbsent, suspectedSpam,
      channelUnsupported,
    ] + onlyNamed

  /// Statuses of texts that no receipt leads to.
  private static let onlyNamed: [DeliveryStatus] = [
    .init(201, .delivered, omnichannel: 3000), .init(220, .undeliverable, omnichannel: 3032),
    .init(229, .rejected, omnichannel: 3052),
    .init(231, .rejected, omnichannel: 3035), .init(232, .rejected), .init(233, .rejected, omnichannel: 3072),
    .init(237, .rejected, omnichannel: 3037), .init(238, .rejected, omnichannel: 3038), .init(286, .rejected),
    .init(291, .accepted, omnichannel: 3001), .init(292, .enroute, omnichannel: 3040),
    .init(295, .enroute, omnichannel: 3001),
    .init(500, .rejected), .init(501, .rejected), .init(502, .rejected),
    .init(506, .rejected, omnichannel: 3044),
    .init(508, .rejected, omnichannel: 3057), .init(509, .rejected, omnichannel: 3045),
    .init(511, .undeliverable, omnichannel: 3047),
    .init(512, .undeliverable, omnichannel: 3048), .init(513, .undeliverable, omnichannel: 3049),
    .init(517, .rejected),
    .init(518, .rejected), .init(519, .rejected), .init(520, .rejected), .init(521, .rejected),
    .init(599, .delivered, omnichannel: 3039),
  ]

  /// Statuses of omnichannel messages without a counterpart for texts, which show 207 instead.
  private static let onlyOmnichannel: [DeliveryStatus] = [
    3006, 3011, 3012, 3036, 3054, 3058, 3059, 3061, 3062, 3071, 3073,
  ].map { .init(207, .rejected, omnichannel: $0) }

  private static let calls: [DeliveryStatus] = [
    .init(100, .delivered, omnichannel: 3000), .init(101, .undeliverable),
    .init(103, .enroute, omnichannel: 3001),
    .init(104, .undeliverable), .init(105, .enroute, omnichannel: 3001), .init(106, .undeliverable),
    .init(107, .undeliverable), .init(108, .undeliverable), .init(129, .undeliverable, omnichannel: 3052),
    .init(130, .undeliverable, omnichannel: 3053),
  ]

  private static let named: [String: DeliveryStatus] = {
    let byCode = (texts + calls).map { (String($0.code), $0) }
    let byOmnichannelCode = (texts + onlyOmnichannel).map { (String($0.omnichannelCode), $0) }
    return Dictionary(byCode + byOmnichannelCode) { first, _ in first }
  }()

  /// In the order of their names.
  static let all: [ProviderStatus] = {
    let calls = Set(Self.calls.map { String($0.code) })
    return named.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { name, status in
      let isText = name == String(status.code)
      return ProviderStatus(
        name, StatusTexts[Int(name) ?? 0], status.state,
        over: calls.contains(name) ? [.call] : isText ? [.sms] : Set<Channel>.apps.union([.sms]))
    }
  }()
}

extension TelesignProvider {
  package static var deliveryStatuses: [ProviderStatus] { DeliveryStatus.all }
}
