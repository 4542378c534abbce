import Domain
import HTTP
import JSON
import Support
import Testing

/// A sandbox with one server of the vendor's customer.
struct PreludeWorld {
  static let token = "sk_sandbox00000000000000000000000001"
  static let sdkKey = "sdk_sandbox00000000000000000000000001"
  static let verification = "/v2/verification"
  static let check = "/v2/verification/check"
  static let number = "+33639980050"
  static let credentials: Headers = ["Authorization": "Bearer \(token)"]

  let world: TestSandbox

  init(admitsUnknownAccounts: Bool = true) throws {
    world = try TestSandbox(admitsUnknownAccounts: admitsUnknownAccounts)
  }

  var sandbox: Sandbox { world.sandbox }

  func send(
    _ method: HTTP.Method, _ path: String, _ body: String = "", as credentials: Headers = credentials
  ) throws -> Exchange {
    var headers = credentials
    if !body.isEmpty { headers.add("Content-Type", "application/json") }
    return try world.send(.to(path, method, headers: headers, body: Array(body.utf8)))
  }

  func get(_ path: String, as credentials: Headers = credentials) throws -> Exchange {
    try send(.get, path, as: credentials)
  }

  func post(_ path: String, _ body: String, as credentials: Headers = credentials) throws -> Exchange {
    try send(.post, path, body, as: credentials)
  }

  func advance(_ seconds: Int) throws {
    try sandbox.atomically { try sandbox.advance(by: .seconds(seconds)) }
  }

  /// Loads a seed: what `POST /control/seed` would take.
  func seed(_ json: String) throws {
    let seed = try Fields(Array(json.utf8))
    try sandbox.atomically { try world.sandboxes.seeds.load(seed, into: sandbox) }
  }

  /// Turns knobs: `"maxChecks":2`.
  func turn(_ knobs: String) throws {
    try seed(#"{"prelude":{"knobs":{\#(knobs)}}}"#)
  }

  /// The messages that a destination's handset shows.
  func inbox(_ destination: String = number) throws -> [Message] {
    var filter = Messages.Filter()
    filter.destination = destination
    return try sandbox.messages.inbox(filter)
  }

  /// The code in the newest message to a destination.
  func code(for destination: String = number) throws -> String {
    try #require(try inbox(destination).last?.code)
  }
}

/// A refusal's members.
struct PreludeRefusal: NamedBody, Equatable {
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
  /// A refusal as `401 missing_api_key`, with the field that is to blame behind it.
  func preludeRefusal() throws -> String {
    let refusal = try decode(PreludeRefusal.self)
    return [String(answer.prefix(3)), refusal.code, refusal.param].compactMap { $0 }.joined(separator: " ")
  }
}
