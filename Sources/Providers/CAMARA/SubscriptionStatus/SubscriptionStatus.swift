import ProviderKit

// Subscription Status 0.1.0. Source: contract 8.3.

extension Scope {
  /// Spelt so in the specification.
  static let subscriptionStatus = ["subscription-status:retrive-subscription-status"]
}

extension CAMARAProvider {
  /// The specification spells the path without an "e", its tests with one.
  static var subscriptionStatusRoutes: [Route<Sandbox>] {
    [
      ("/subscription-status/v0.1/retrive-subscription-status", "retriveSubscriptionStatus"),
      ("/subscription-status/v0.1/retrieve-subscription-status", "retrieveSubscriptionStatus"),
    ].map {
      .post(
        $0.0, as: $0.1,
        operation("subscription-status:retrive-subscription-status", retrieveSubscriptionStatus))
    }
  }
}

/// `POST /retrive-subscription-status`: which services of a line work.
func retrieveSubscriptionStatus(_ context: RequestContext) throws -> Response {
  let number = try context.body.optionalPhoneNumber()
  let subscriber = try Subject.subscriber(numbered: number, context)
  return context.response { json in
    json.member("voiceSmsIn", status(subscriber.isStopped(.voiceIn, .smsIn)))
    json.member("voiceSmsOut", status(subscriber.isStopped(.voiceOut, .smsOut)))
    json.member(
      "dataService",
      subscriber.isStopped(.data) ? "suspended" : subscriber.throttled ? "throttled" : "active")
  }
}

private func status(_ isStopped: Bool) -> String { isStopped ? "suspended" : "active" }

extension Subscriber {
  /// True if none of these services works. Source: contract 14.
  fileprivate func isStopped(_ services: Barring...) -> Bool {
    suspended || services.allSatisfy(barring.contains)
  }
}
