package import Domain
package import HTTP
package import JSON
package import ProviderKit

/// Firebase Cloud Messaging, HTTP v1. Messages that a back end sends are stored for tests, and go nowhere.
/// Google's token endpoint and the topic service are part of it. Contract: `push-gateway.md` 1, 4 and 5; the
/// vendor's pages: https://firebase.google.com/docs/reference/fcm/rest/v1
package enum FCMProvider: Provider {
  package static let name = "fcm"
  package static let prefixes: [String] = []
  /// Source: contract 1.1, 1.4 and 1.6.
  package static let hosts = ["fcm.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com"]
  package static let speaksHTTP2 = true
  package static let secretFields = ["assertion", "private_key"]
  /// Source: https://cloud.google.com/docs/authentication/application-default-credentials
  package static let variables = [
    Variable("GOOGLE_APPLICATION_CREDENTIALS", .fileOf(credential: ServiceAccount.fileCredential))
  ]
  package static let sendsCodes = false
  package static let defaultSeed = PackageResources.Seed_json

  /// Marks every response as not Google's own.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {
    headers.add("X-Sandbox", name)
  }

  package static func documentation(ofError answer: JSON) -> String? {
    "https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode"
  }

  /// Those of messages, Google's names of statuses, then those of the token endpoint.
  package static var errorCodes: [String] {
    let codes = APIError.Code.allCases.map(\.rawValue)
    return codes + StatusName.allCases.map(\.rawValue).filter { !codes.contains($0) } + OAuthError.codes
  }

  /// The token endpoint and the topic service have error formats of their own.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    if request.target.path == "/token" { return OAuthError(failure).response }
    let error = APIError(failure, to: request, in: sandbox)
    if request.target.path.hasPrefix("/iid/") { return TopicError(error).response }
    if case .fault = failure, request.target.path.hasSuffix("/messages:send") {
      recordFailedAttempt(error, of: request, in: sandbox)
    }
    return error.response
  }

  /// FCM sends no webhooks.
  package static func request(for webhook: Webhook, in sandbox: Sandbox) throws -> WebhookRequest? { nil }
  package static var retries: RetrySchedule { .never }

  /// Nothing to do: responses are final.
  package static func handleEvent(_ event: DomainEvent, in sandbox: Sandbox) throws {}

  /// False: FCM transports pushes, and has no payloads of its own.
  package static func ownsPushPayload(_ data: Texts) -> Bool { false }

  package static var sendPush: ProviderHooks.SendPush? { sendInternally }
}
