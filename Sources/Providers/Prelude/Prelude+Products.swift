import Domain
import HTTP

/// The route table beside verification.
extension Prelude {
  /// Lists of numbers, sender IDs and test numbers. Source: contract 6.
  static var managementRoutes: [Route<Sandbox>] {
    [
      .absent(.get, "/v2/verification/management/phone-numbers/sandbox", as: "listTestNumbers"),
      .absent(.put, "/v2/verification/management/phone-numbers/sandbox", as: "putTestNumber"),
      .absent(
        .delete, "/v2/verification/management/phone-numbers/sandbox/{number}", as: "deleteTestNumber"),
      .absent(.get, "/v2/verification/management/phone-numbers/{action}", as: "listNumbers"),
      .absent(.post, "/v2/verification/management/phone-numbers/{action}", as: "addNumber"),
      .absent(.delete, "/v2/verification/management/phone-numbers/{action}", as: "removeNumber"),
      .absent(.get, "/v2/verification/management/sender-id", as: "listSenderIDs"),
      .absent(.post, "/v2/verification/management/sender-id", as: "submitSenderID"),
    ]
  }

  /// Lookup, Watch and KYC match. Source: contract 7 to 9.
  static var productRoutes: [Route<Sandbox>] {
    [
      .absent(.get, "/v2/lookup/{number}", as: "lookUpNumber"),
      .absent(.post, "/v2/watch/predict", as: "predictOutcome"),
      .absent(.post, "/v2/watch/eval", as: "evaluateFlow"),
      .absent(.post, "/v2/watch/event", as: "sendEvents"),
      .absent(.post, "/v2/watch/feedback", as: "sendFeedbacks"),
      .absent(.post, "/v2/intel/kyc/match/{number}", as: "matchIdentity"),
    ]
  }

  /// Notify and its older sister. Source: contract 10.
  static var notifyRoutes: [Route<Sandbox>] {
    [
      .absent(.post, "/v2/notify", as: "sendMessage"),
      .absent(.post, "/v2/notify/batch", as: "sendBatch"),
      .absent(.post, "/v2/notify/reply", as: "replyToMessage"),
      .absent(.get, "/v2/notify/management/subscriptions", as: "listSubscriptionConfigs"),
      .absent(
        .get, "/v2/notify/management/subscriptions/{config}", as: "fetchSubscriptionConfig"),
      .absent(
        .get, "/v2/notify/management/subscriptions/{config}/phone_numbers", as: "listSubscribers"),
      .absent(
        .get, "/v2/notify/management/subscriptions/{config}/phone_numbers/{number}", as: "fetchSubscriber"),
      .absent(
        .get, "/v2/notify/management/subscriptions/{config}/phone_numbers/{number}/events",
        as: "listSubscriberEvents"),
      .absent(.post, "/v2/transactional", as: "sendTransactional"),
    ]
  }
}
