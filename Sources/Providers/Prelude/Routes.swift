package import Domain
package import HTTP
import ProviderKit

extension PreludeProvider {
  /// The operations of the contract, in its order.
  package static var routes: [Route<Sandbox>] {
    verificationRoutes + managementRoutes + lookupRoutes + notifyRoutes + frontEndRoutes
  }
}

/// Verify. Source: contract 3 to 5.
private var verificationRoutes: [Route<Sandbox>] {
  [
    withBody(.post, "/v2/verification", as: "createVerification", createVerification),
    withBody(.post, "/v2/verification/check", as: "checkVerification", checkVerification),
    .get("/v2/verification/phone/history", as: "listHistory", authenticated(listHistory)),
    .get("/v2/verification/phone/history/{id}", as: "fetchHistory", authenticated(fetchHistory)),
  ]
}

/// Allow and block lists, sender IDs and test numbers. Source: contract 6.
private var managementRoutes: [Route<Sandbox>] {
  [
    .get(
      "/v2/verification/management/phone-numbers/sandbox", as: "listTestNumbers",
      authenticated(listTestNumbers)),
    withBody(.put, "/v2/verification/management/phone-numbers/sandbox", as: "putTestNumber", putTestNumber),
    .delete(
      "/v2/verification/management/phone-numbers/sandbox/{number}", as: "deleteTestNumber",
      authenticated(deleteTestNumber)),
    .get(
      "/v2/verification/management/phone-numbers/{action}", as: "listNumbers", authenticated(listNumbers)),
    withBody(.post, "/v2/verification/management/phone-numbers/{action}", as: "addNumber", addNumber),
    withBody(.delete, "/v2/verification/management/phone-numbers/{action}", as: "removeNumber", removeNumber),
    .get("/v2/verification/management/sender-id", as: "listSenderIDs", authenticated(listSenderIDs)),
    withBody(.post, "/v2/verification/management/sender-id", as: "submitSenderID", submitSenderID),
  ]
}

/// Lookup, Watch and KYC match. Source: contract 7 to 9.
private var lookupRoutes: [Route<Sandbox>] {
  [
    .get("/v2/lookup/{number}", as: "lookUpNumber", authenticated(lookUpNumber)),
    withBody(.post, "/v2/watch/predict", as: "predictOutcome", predictOutcome),
    withBody(.post, "/v2/watch/eval", as: "evaluateFlow", evaluateFlow),
    withBody(.post, "/v2/watch/event", as: "sendEvents", sendEvents),
    withBody(.post, "/v2/watch/feedback", as: "sendFeedbacks", sendFeedbacks),
    withBody(.post, "/v2/intel/kyc/match/{number}", as: "matchIdentity", matchIdentity),
  ]
}

/// Notify, and the older transactional API. Source: contract 10.
private var notifyRoutes: [Route<Sandbox>] {
  [
    withBody(.post, "/v2/notify", as: "sendMessage", sendMessage),
    withBody(.post, "/v2/notify/batch", as: "sendBatch", sendBatch),
    withBody(.post, "/v2/notify/reply", as: "replyToMessage", replyToMessage),
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
    withBody(.post, "/v2/transactional", as: "sendTransactional", sendTransactional),
  ]
}

/// Front ends: device signals, and the first and last hop of silent verification. Source: contract 13 and 14.
private var frontEndRoutes: [Route<Sandbox>] {
  [
    .post("/v1/signals", as: "dispatchSignals", dispatchSignals),
    .on(.options, "/v1/signals", as: "announceSignals", announceSignals),
  ] + SilentURL.routes
}

/// A route of the server API that takes a body. Bodies beyond `maxBodyBytes` are still read to some extent,
/// so that they can be rejected in JSON. Source: contract 11.2.
private func withBody(
  _ method: HTTP.Method, _ pattern: Pattern, as name: String,
  _ operation: @escaping (RequestContext) throws -> Response
) -> Route<Sandbox> {
  .on(method, pattern, as: name, bodyLimit: 8 * maxBodyBytes, authenticated(operation))
}
