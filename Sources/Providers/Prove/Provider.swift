package import ProviderKit

/// Prove v3: unify, Pre-Fill, verify, Identity Manager, and the possession flows behind them.
/// Contract: `prove.md`; the provider's documentation: https://developer.prove.com
package enum ProveProvider: Provider {
  package static let name = "prove"
  /// The platform in two regions, then the API of devices. Source: contract 1.1.
  package static let address = ProviderAddress(
    hosts: Region.allCases.flatMap(\.platformHosts) + ["device.uat.proveapis.com", "device.proveapis.com"])
  /// `key` is what a device presents. Source: contract 5.8.
  package static let secretFields = ["authToken", "key"]
  /// Source: contract 1.3. The SDKs read no variables: these are the names of the provider's guides.
  package static let variables = [
    Variable("PROVE_CLIENT_ID", .credential("clientId")),
    Variable("PROVE_CLIENT_SECRET", .credential("clientSecret")),
    Variable("PROVE_BASE_URL", .baseURL),
  ]
  package static let sdks = SDK.table(PackageResources.SDKs_txt)
  /// Source: contract 5.4.
  package static func fixedCode(for number: PhoneNumber) -> String? {
    TestUser.builtIn(number) == nil ? nil : "1234"
  }
  package static let defaultSeed = PackageResources.Seed_json

  package static func documentation(ofError answer: JSON) -> String? {
    "https://developer.prove.com/reference/status-and-error-codes"
  }

  package static var errors: [ErrorRow] { errorTable.rows }
  static let errorTable = ErrorTable(PackageResources.Errors_txt, names: ErrorCode.self)
  package static let checkFiles = PackageResources.files(in: "Checks")
  package static let failureRecord = PackageResources.Failures_json

  /// Wrong paths and methods are forbidden, as at an API gateway. Source: contract 3.2.
  package static func errorResponse(
    for failure: RequestFailure, to request: Request, in sandbox: Sandbox
  ) -> Response {
    let settings = Settings.readable(in: sandbox)
    let error: APIError
    switch failure {
    case .unknownPath, .wrongMethod, .notEmulated: error = .forbidden
    case .malformed(let field, let expected):
      error = .malformed(field.map { memberName(of: $0) }, expected: expected)
    case .fault(let status, let code): error = .injected(status: status, code: code)
    case .rejected(let status, _): error = .injected(status: status, code: nil)
    case .internalError: error = APIError(.internalError)
    case .overload: error = APIError(.internalError, "the service is unavailable", status: 503)
    }
    return error.numbered(by: settings.errorCodes).response
  }

  /// Pages of any origin may use the API for devices.
  package static func crossOriginHeaders(for request: Request) -> Headers {
    request.target.path.hasPrefix(devicePath) ? corsHeaders : [:]
  }

  private static let corsHeaders: Headers = [
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  ]

  /// A North American number may be ten digits. Source: contract 3.3.
  package static func names(_ number: PhoneNumber, in request: Request) -> Bool {
    guard number.callingCode == "1", number.nationalDigits.utf8.count == 10 else { return false }
    let search = DigitSearch(for: number.nationalDigits)
    return search.isFound(in: Array(request.target.text.utf8)) || search.isFound(in: request.body)
  }

  package static var mobileSDK: MobileSDK? {
    MobileSDK(register: VirtualHandset.register, answer: VirtualHandset.signIn)
  }
}

/// Where a number is served. Source: contract 1.1.
enum Region: String, CaseIterable {
  /// The United States and Canada.
  case northAmerica
  /// All other countries.
  case europe

  var platformHosts: [String] {
    switch self {
    case .northAmerica: ["platform.uat.proveapis.com", "platform.proveapis.com"]
    case .europe: ["platform.uat.eu.proveapis.com", "platform.eu.proveapis.com"]
    }
  }

  /// The region of a request's host; nil for hosts that are not the provider's.
  init?(ofHost authority: String) {
    let host = authority.prefix { $0 != ":" }.lowercased()
    guard let region = Region.allCases.first(where: { $0.platformHosts.contains(host) }) else { return nil }
    self = region
  }
}

extension ProveProvider {
  /// That of its session.
  package static func id(of verification: Verification, in sandbox: Sandbox) throws -> String? {
    try Fields(Array(verification.details.text.utf8)).optionalString("correlationId")
  }

  /// Devices name a session by its other ids.
  package static func aliases(of id: String, in sandbox: Sandbox) throws -> [String] {
    let session = try Session.find(id, in: sandbox)
    return [session?.authID, session?.linkToken].compactMap(\.self)
  }
}
