import Domain
import HTTP
import JSON
import Prelude
import Support
import Testing

/// A sandbox and a client with the key of a server.
struct PreludeWorld: JSONProviderWorld {
  static let provider = "prelude"
  static let token = "sk_sandbox00000000000000000000000001"
  static let sdkKey = "sdk_sandbox00000000000000000000000001"
  static let verification = "/v2/verification"
  static let check = "/v2/verification/check"
  static let number = "+33639980050"
  static let credentials: Headers = ["Authorization": "Bearer \(token)"]

  let world: TestSandbox

  init(acceptsUnknownAccounts: Bool = true) throws {
    world = try TestSandbox(of: PreludeProvider.self) { $0.acceptsUnknownAccounts = acceptsUnknownAccounts }
  }
}

/// The body of an error.
struct PreludeError: NamedBody, Equatable {
  static let statuses = Set(400...599)

  let code: String
  let message: String
  let type: String
  let param: String?
  let requestID: String

  init(_ fields: Fields) throws {
    code = try fields.string("code")
    message = try fields.string("message")
    type = try fields.string("type")
    param = try fields.optionalString("param")
    requestID = try fields.string("request_id")
  }
}

extension Exchange {
  /// The error as text: `400 invalid_request options.locale`.
  func preludeError() throws -> String {
    let error = try decode(PreludeError.self)
    return [String(answer.prefix(3)), error.code, error.param].compactMap { $0 }.joined(separator: " ")
  }
}

/// Shortcuts for verifications.
extension PreludeWorld {
  func create(
    _ number: String = number, options: String = "{}", as credentials: Headers = credentials,
    _ more: String = ""
  ) throws -> Exchange {
    try post(
      Self.verification,
      #"{"target":{"type":"phone_number","value":"\#(number)"},"options":\#(options)\#(more)}"#,
      as: credentials)
  }

  /// A creation with a scenario in the header.
  func create(_ number: String = number, scenario: String) throws -> Exchange {
    var headers = Self.credentials
    headers.add("X-Sandbox-Scenario", scenario)
    return try create(number, as: headers)
  }

  func check(_ code: String, for number: String = number, _ more: String = "") throws -> Exchange {
    try post(
      Self.check, #"{"target":{"type":"phone_number","value":"\#(number)"},"code":"\#(code)"\#(more)}"#)
  }

  func status(_ code: String, for number: String = number, _ more: String = "") throws -> String {
    try check(code, for: number, more).decode(PreludeCheck.self).status
  }
}

/// The response to a creation.
struct PreludeCreation: NamedBody {
  static let statuses: Set = [200]

  let id: String
  let status: String
  let method: String
  let channels: [String]?
  let reason: String?
  let riskFactors: [String]?
  let silentURL: String?
  let correlationID: String?

  init(_ fields: Fields) throws {
    id = try fields.string("id")
    status = try fields.string("status")
    method = try fields.string("method")
    channels = try fields.optionalStrings("channels")
    reason = try fields.optionalString("reason")
    riskFactors = try fields.optionalStrings("risk_factors")
    silentURL = try fields.optionalObject("silent")?.string("request_url")
    correlationID = try fields.optionalObject("metadata")?.string("correlation_id")
    _ = try fields.string("request_id")
  }
}

/// The response to a check.
struct PreludeCheck: NamedBody {
  static let statuses: Set = [200]

  let id: String
  let status: String
  let correlationID: String?

  init(_ fields: Fields) throws {
    id = try fields.string("id")
    status = try fields.string("status")
    correlationID = try fields.optionalObject("metadata")?.string("correlation_id")
    _ = try fields.string("request_id")
  }
}
