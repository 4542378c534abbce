package import ProviderKit

// What the provider shows for the carrier's receipts, and every status that a scenario can ask for. Source:
// contract 5, 12.2 and 12.3; `carrier.md` 1.1 for the error numbers.

extension Delivery {
  static let table = DeliveryTable<Delivery>(
    [
      .init(.enroute, Delivery(.inTransit)),
      .init(.delivered, Delivery(.delivered)),
      .init(.read, Delivery(.read)),
      .init(.expired, Delivery(.expired, .unavailable)),
      .init(.undeliverable, errors: [1, 2, 5, 9], Delivery(.undeliverable, .unknownRecipient)),
      .init(.undeliverable, errors: [27, 31, 60, 61], Delivery(.undeliverable, .unavailable)),
      .init(.undeliverable, errors: [34], Delivery(.undeliverable, .network)),
      .init(.undeliverable, errors: [11, 13], Delivery(.undeliverable, .carrierRejected)),
      .init(.undeliverable, Delivery(.undeliverable, .generic)),
      .init(.rejected, Delivery(.undeliverable, .carrierRejected)),
      .init(.refused, Delivery(.undeliverable, .carrierRejected)),
    ],
    named: Dictionary(uniqueKeysWithValues: (states + losses).map { ($0.name, $0.delivery) }))

  private static let states: [(name: String, delivery: Delivery)] =
    [DeliveryState.inTransit, .delivered, .read, .undeliverable, .expired, .unknown].map {
      ($0.rawValue, Delivery($0))
    }

  private static let losses: [(name: String, delivery: Delivery)] = LossReason.allCases.map {
    ($0.rawValue, Delivery(.undeliverable, $0))
  }

  fileprivate static let all = (states + losses).map { name, delivery in
    ProviderStatus(
      name, "", delivery.carrierState,
      over: delivery.state == .read ? .apps : Set<Channel>.apps.union([.sms]))
  }

  /// The carrier's state that it stands for. An unknown message has arrived.
  private var carrierState: DeliveryReceipt.State {
    switch state {
    case .submitted, .silentStarted: .accepted
    case .inTransit: .enroute
    case .delivered, .unknown, .silentVerified: .delivered
    case .read: .read
    case .undeliverable, .silentMismatch: .undeliverable
    case .expired: .expired
    }
  }
}

extension PreludeProvider {
  package static var deliveryStatuses: [ProviderStatus] { Delivery.all }
}
