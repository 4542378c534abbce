import ProviderKit

/// What has become of a message: it was delivered, or the verification ends for a reason. Source: contract
/// 7 and 8.
struct Delivery: Equatable, Sendable {
  /// Nil if it was delivered.
  let reason: Reason?

  /// `smsResult` of the callback.
  var word: String { reason == nil ? "Successful" : "Failed" }

  static let table = DeliveryTable<Delivery>(
    [
      .init(.delivered, successful), .init(.read, successful), .init(.expired, failed),
      .init(.undeliverable, failed), .init(.rejected, failed), .init(.refused, failed),
    ], named: Dictionary(uniqueKeysWithValues: named.map { ($0.name, $0.delivery) }))

  private static let successful = Delivery(reason: nil)
  private static let failed = Delivery(reason: .deliveryFailure)

  /// What a scenario can ask for: the results of texts, and the reasons for ERROR.
  private static let named: [(name: String, delivery: Delivery, channels: Set<Channel>)] = [
    ("Successful", successful, [.sms]), ("Failed", failed, [.sms, .whatsapp]),
    ("NetworkError", Delivery(reason: .networkError), [.sms, .whatsapp, .call]),
    ("InternalError", Delivery(reason: .internalError), [.sms, .whatsapp, .call]),
  ]

  static let statuses = named.map { name, delivery, channels in
    ProviderStatus(
      name, delivery.reason?.rawValue ?? "", delivery.reason == nil ? .delivered : .undeliverable,
      over: channels)
  }
}
