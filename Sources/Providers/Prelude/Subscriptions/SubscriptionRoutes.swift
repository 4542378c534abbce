import ProviderKit

extension PreludeProvider {
  static var subscriptionRoutes: [Route<Sandbox>] {
    [
      .get(
        "/v2/notify/management/subscriptions", as: "listSubscriptionConfigs",
        authenticated(listSubscriptionConfigs)),
      .get(
        "/v2/notify/management/subscriptions/{config}", as: "fetchSubscriptionConfig",
        authenticated(fetchSubscriptionConfig)),
      .get(
        "/v2/notify/management/subscriptions/{config}/phone_numbers", as: "listSubscribers",
        authenticated(listSubscribers)),
      .get(
        "/v2/notify/management/subscriptions/{config}/phone_numbers/{number}", as: "fetchSubscriber",
        authenticated(fetchSubscriber)),
      .get(
        "/v2/notify/management/subscriptions/{config}/phone_numbers/{number}/events",
        as: "listSubscriberEvents", authenticated(listSubscriberEvents)),
    ]
  }
}
