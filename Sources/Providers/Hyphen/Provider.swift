package import ProviderKit

/// Hyphen 2FA: accounts of Firebase users, the keys of their devices, and a device's consent to a new one.
/// Contract: `hyphen.md`.
package enum HyphenProvider: Provider {
  package static let name = "hyphen"
  package static let sendsCodes = false
  /// The test network, then the main network. Source: contract 1.
  package static let address = ProviderAddress(hosts: ["api.dev.hyphen.at", "api.hyphen.at"])
  /// `token` is that of a user's sign-in. Source: contract 6.
  package static let secretFields = ["token", "appSecret"]
  /// Source: contract 1. The SDKs take secret and network in code, and read no variables.
  package static let variables = [
    Variable("HYPHEN_APP_ID", .credential("appId")),
    Variable("HYPHEN_APP_SECRET", .credential("appSecret")),
    Variable("HYPHEN_BASE_URL", .baseURL),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  package static let defaultSeed = PackageResources.Seed_json

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: ErrorCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    switch failure {
    case .unknownPath, .notEmulated: APIError(.notFound).response
    case .wrongMethod: APIError(.methodNotAllowed).response
    case .malformed(let field, let expected): APIError(malformed: field, expected: expected).response
    case .fault(let status, let code): APIError(injected: code, status: status).response
    case .rejected(let status, _): APIError(injected: nil, status: status).response
    case .internalError: APIError(.internalError).response
    case .overload: APIError(.serviceUnavailable).response
    }
  }

  /// The app secret, which selects the sandbox.
  package static func credential(in request: Request) -> String? { request.headers[App.header] }

  /// Source: contract 3.
  package static func ownsPushPayload(_ data: Texts) -> Bool { data[TwoFactorPush.typeName] != nil }

  package static func deviceName(ofToken token: String, in sandbox: Sandbox) throws -> String? {
    try Key.all(in: sandbox).compactMap(\.device).first { $0.pushToken == token }?.name
  }

  package static func isFromPhone(_ exchange: Journal.Exchange) -> Bool {
    ["approveTwoFactorAuth", "denyTwoFactorAuth"].contains(exchange.route)
  }
}
