package import ProviderKit

extension FCMProvider {
  /// The operations of the contract.
  ///
  /// Other providers have paths like `/token` and `/send` too. These two are served only under Google's hosts
  /// and under our prefix: `/fcm/token`, `/fcm/send`.
  package static var routes: [Route<Sandbox>] {
    [
      .post(
        "/v1/projects/{project}/messages:send", as: "sendMessage", recordingAttempt(sendMessage)),
      Route.post("/token", as: "createToken", createToken).hostBound,
      // Older addresses of the same endpoint.
      Route.post("/oauth2/v4/token", as: "createToken", createToken).hostBound,
      Route.post("/oauth2/v3/token", as: "createToken", createToken).hostBound,
      Route.post("/o/oauth2/token", as: "createToken", createToken).hostBound,

      .post(
        "/v1/projects/{project}/registrations/{token}/topicSubscriptions", as: "createSubscription",
        authenticated(createSubscription)),
      .delete(
        "/v1/projects/{project}/registrations/{token}/topicSubscriptions/{topic}", as: "deleteSubscription",
        authenticated(deleteSubscription)),
      .post("/iid/v1:batchAdd", as: "addToTopic", topicService(addToTopic)),
      .post("/iid/v1:batchRemove", as: "removeFromTopic", topicService(removeFromTopic)),

      Route.notEmulated(.post, "/send", as: "legacySend").hostBound,
    ]
  }
}
