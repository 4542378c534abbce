package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// Firebase Cloud Messaging, HTTP v1, as a receiver: what a back end pushes to apps is kept and shown, and goes
/// nowhere; with it Google's token endpoint, where service accounts sign in, and the topics of `iid`.
/// Contract: `push-gateway.md` 1, 4 and 5; the vendor's pages: https://firebase.google.com/docs/reference/fcm/rest/v1
package enum FCMProvider: Provider {
  /// URL prefix, seed member and tag.
  package static let name = "fcm"
  /// What a bare start loads.
  package static let defaultSeed = PackageResources.Seed_json
  /// No tool has another name for it.
  package static let prefixes: [String] = []
  /// What the admin SDKs call. Source: contract 1.1, 1.4 and 1.6.
  package static let hosts = ["fcm.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com"]
  /// Where Google's libraries look for a service account.
  /// Source: https://cloud.google.com/docs/authentication/application-default-credentials
  package static let variables = [
    Variable("GOOGLE_APPLICATION_CREDENTIALS", .fileOf(credential: ServiceAccount.whole))
  ]

  /// The operations of the contract. `/token` is a path that others have as well, so it is there under the vendor's
  /// hosts and `/fcm` only. What is `/fcm/send` to clients is `/send` under our prefix, `/fcm`.
  package static var routes: [Route<Sandbox>] {
    [
      .post("/v1/projects/{project}/messages:send", as: "sendMessage", sendMessage),
      Route.post("/token", as: "createToken", createToken).hostBound,
      .post(
        "/v1/projects/{project}/registrations/{token}/topicSubscriptions", as: "createSubscription",
        createSubscription),
      .delete(
        "/v1/projects/{project}/registrations/{token}/topicSubscriptions/{topic}", as: "deleteSubscription",
        deleteSubscription),
      .post("/iid/v1:batchAdd", as: "addToTopic", addToTopic),
      .post("/iid/v1:batchRemove", as: "removeFromTopic", removeFromTopic),
      Route.absent(.post, "/send", as: "legacySend").hostBound,
    ]
  }

  /// Says on every answer that it is none of the vendor's own.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Sandbox", name)
  }

  /// The vendor tells nobody of what it delivers.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? { nil }
  /// There is nothing to repeat.
  package static var retries: RetrySchedule { .never }
  /// Nothing that the core reports changes what was answered.
  package static func handleEvent(_ notice: DomainEvent, in sandbox: Sandbox) throws {}
  /// It carries pushes, and has none of its own.
  package static func ownsPushPayload(_ data: Texts) -> Bool { false }

  /// The vendor's words for what no handler answers: those of OAuth at the token endpoint, those of `iid` there, those of
  /// its APIs elsewhere.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    if request.target.path == "/token" { return OAuthProblem(failure).response }
    let problem = Problem(failure)
    if request.target.path.hasPrefix("/iid/") { return TopicProblem(problem).response }
    if case .fault = failure, request.target.path.hasSuffix("/messages:send") {
      note(problem, of: request, in: sandbox)
    }
    return problem.response
  }
}
