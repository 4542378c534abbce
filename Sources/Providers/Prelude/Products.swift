import Domain
import HTTP
import ProviderKit

// The route table beside verification.

/// Lists of numbers, sender IDs and test numbers. Source: contract 6.
var managementRoutes: [Route<Sandbox>] {
  [
    .get(
      "/v2/verification/management/phone-numbers/sandbox", as: "listTestNumbers", calling(listTestNumbers)),
    route(.put, "/v2/verification/management/phone-numbers/sandbox", as: "putTestNumber", putTestNumber),
    .delete(
      "/v2/verification/management/phone-numbers/sandbox/{number}", as: "deleteTestNumber",
      calling(deleteTestNumber)),
    .get("/v2/verification/management/phone-numbers/{action}", as: "listNumbers", calling(listNumbers)),
    post("/v2/verification/management/phone-numbers/{action}", as: "addNumber", addNumber),
    route(.delete, "/v2/verification/management/phone-numbers/{action}", as: "removeNumber", removeNumber),
    .get("/v2/verification/management/sender-id", as: "listSenderIDs", calling(listSenderIDs)),
    post("/v2/verification/management/sender-id", as: "submitSenderID", submitSenderID),
  ]
}

/// Lookup, Watch and KYC match. Source: contract 7 to 9.
var productRoutes: [Route<Sandbox>] {
  [
    .get("/v2/lookup/{number}", as: "lookUpNumber", calling(lookUpNumber)),
    post("/v2/watch/predict", as: "predictOutcome", predictOutcome),
    post("/v2/watch/eval", as: "evaluateFlow", evaluateFlow),
    post("/v2/watch/event", as: "sendEvents", sendEvents),
    post("/v2/watch/feedback", as: "sendFeedbacks", sendFeedbacks),
    post("/v2/intel/kyc/match/{number}", as: "matchIdentity", matchIdentity),
  ]
}

/// Notify and its older sister. Source: contract 10.
var notifyRoutes: [Route<Sandbox>] {
  [
    post("/v2/notify", as: "sendMessage", sendMessage),
    post("/v2/notify/batch", as: "sendBatch", sendBatch),
    post("/v2/notify/reply", as: "replyToMessage", replyToMessage),
    .get(
      "/v2/notify/management/subscriptions", as: "listSubscriptionConfigs", calling(listSubscriptionConfigs)
    ),
    .get(
      "/v2/notify/management/subscriptions/{config}", as: "fetchSubscriptionConfig",
      calling(fetchSubscriptionConfig)),
    .get(
      "/v2/notify/management/subscriptions/{config}/phone_numbers", as: "listSubscribers",
      calling(listSubscribers)),
    .get(
      "/v2/notify/management/subscriptions/{config}/phone_numbers/{number}", as: "fetchSubscriber",
      calling(fetchSubscriber)),
    .get(
      "/v2/notify/management/subscriptions/{config}/phone_numbers/{number}/events",
      as: "listSubscriberEvents", calling(listSubscriberEvents)),
    post("/v2/transactional", as: "sendTransactional", sendTransactional),
  ]
}
