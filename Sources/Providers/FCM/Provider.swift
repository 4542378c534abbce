package import ProviderKit

/// Firebase Cloud Messaging, HTTP v1. Messages that a back end sends are stored for tests, and go nowhere.
/// Google's token endpoint and the topic service are part of it. Contract: `push-gateway.md` 1, 4 and 5; the
/// provider's pages: https://firebase.google.com/docs/reference/fcm/rest/v1
package enum FCMProvider: Provider {
  package static let name = "fcm"
  package static let sendsCodes = false
  /// Source: contract 1.1, 1.4 and 1.6.
  package static let address = {
    var address = ProviderAddress(
      hosts: ["fcm.googleapis.com", "oauth2.googleapis.com", "iid.googleapis.com"] + TokenAddress.sharedHosts)
    address.speaksHTTP2 = true
    // Google's API clients for Java compress bodies by default.
    address.decompressesBodies = true
    return address
  }()
  package static let secretFields = ["assertion", "private_key"]
  /// Source: https://cloud.google.com/docs/authentication/application-default-credentials
  package static let variables = [
    Variable(
      "GOOGLE_APPLICATION_CREDENTIALS", .fileOf(credential: ServiceAccount.fileCredential, type: "json"))
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let signing: String? = """
    Authorization: Bearer with a token of tokenUri. It is given for the form grant_type= \
    urn:ietf:params:oauth:grant-type:jwt-bearer and assertion, a JWT, RS256 by privateKey, with the claims iss \
    (clientEmail), scope (https://www.googleapis.com/auth/firebase.messaging), aud (tokenUri), iat and exp.
    """
  package static let defaultSeed = PackageResources.Seed_json

  package static func documentation(ofError answer: JSON) -> String? {
    "https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode"
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: APIError.Code.self, StatusName.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  /// The token endpoint and the topic service have error formats of their own.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    if TokenAddress.paths.contains(request.target.path) { return OAuthError(failure).response }
    if case .unknownPath = failure, let why = TokenAddress.blockedReason(for: request) {
      var response = APIError(.rejected(status: 403, why: why), to: request, in: sandbox).response
      response.why = why
      return response
    }
    let error = APIError(failure, to: request, in: sandbox)
    if request.target.path.hasPrefix("/iid/") { return TopicError(error).response }
    if case .fault = failure, request.target.path.hasSuffix("/messages:send") {
      RecordedAttempt.fail(error, of: request, in: sandbox)
    }
    return error.response
  }

  package static var sendPush: ProviderHooks.SendPush? { InternalSender.send }
}
