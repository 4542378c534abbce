package import ProviderKit

/// Apple Push Notification service: the provider API. Notifications that a back end sends are stored for
/// tests, and go nowhere. Contract: `push-gateway.md` 2, 4 and 5; the provider's pages:
/// https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
package enum APNsProvider: Provider {
  package static let name = "apns"
  package static let sendsCodes = false
  package static let address = {
    var address = ProviderAddress(hosts: Environment.allCases.flatMap(\.hosts))
    address.acceptsClientCertificates = true
    address.speaksHTTP2 = true
    return address
  }()
  package static let secretFields = ["authKey"]
  /// Apple's clients read no variables; many examples use these names.
  package static let variables = [
    Variable("APNS_TEAM_ID", .credential(Key.teamCredential)),
    Variable("APNS_KEY_ID", .credential(Key.idCredential)),
    Variable("APNS_KEY_FILE", .fileOf(credential: Key.fileCredential, type: "p8")),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let signing: String? = """
    authorization: bearer with a JWT, ES256 by authKey, with the header kid (keyID) and the claims iss (teamID) and \
    iat (seconds). One token serves for 20 to 60 minutes.
    """
  package static let defaultSeed = PackageResources.Seed_json

  package static func documentation(ofError answer: JSON) -> String? {
    "https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns"
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: APIError.Reason.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let error = APIError(failure, to: request, at: sandbox.clock.now)
    if case .fault = failure { RecordedAttempt.fail(error, of: request, in: sandbox) }
    return error.response(apnsID: NotificationID(of: request, in: sandbox))
  }

  /// Nothing: a real response has no other header than its own.
  package static func addCommonHeaders(to headers: inout Headers, in sandbox: Sandbox) {}

  /// The client's certificate, or the id of the key that signed the provider token.
  package static func credential(in request: Request) -> String? {
    request.connection.clientCertificate.map { PushCertificate.name(of: $0) }
      ?? ProviderToken(of: request)?.keyID
  }
}

/// One of Apple's two services. A device token belongs to one of them. Source: contract 2
enum Environment: String, CaseIterable, Sendable {
  case development
  case production

  var hosts: [String] {
    switch self {
    case .development: ["api.sandbox.push.apple.com", "api.development.push.apple.com"]
    case .production: ["api.push.apple.com"]
    }
  }

  /// Nil for a request to the sandbox's own address.
  init?(host: String) {
    let name = String(host.prefix { $0 != ":" }).lowercased()
    guard let environment = Self.allCases.first(where: { $0.hosts.contains(name) }) else { return nil }
    self = environment
  }
}
