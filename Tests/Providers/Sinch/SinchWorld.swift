import Crypto
import Domain
import HTTP
import JSON
import Sinch
import Support
import Testing

/// A sandbox and a client with the application of the contract's section 1.
struct SinchWorld: JSONProviderWorld {
  static let provider = "sinch"
  static let key = "11111111-2222-3333-4444-555555555555"
  static let secret = "cmluZ2ZlbmNlLXNpbmNoLWRlbW8tc2VjcmV0LTAwMDE="
  static let base = "/verification/v1/verifications"
  static let number = "+12025550100"
  static let hook = "http://127.0.0.1:9/hook"
  static let credentials = Request.basic(key, secret)

  let world: TestSandbox

  init() throws {
    world = try TestSandbox(of: SinchProvider.self) { $0.acceptsUnknownAccounts = false }
  }

  /// The fields of a signed request, computed as the contract says.
  static func signature(
    _ method: String, _ path: String, _ body: String = "", type: String = "application/json",
    at time: String, secret: String = secret
  ) -> Headers {
    let digest = body.isEmpty ? "" : Base64.encode(MD5.hash(Array(body.utf8)))
    let text = "\(method)\n\(digest)\n\(type)\nx-timestamp:\(time)\n\(path)"
    let signature = Base64.encode(
      HMAC.authenticate(Array(text.utf8), key: Base64.decodeForgiving(secret)))
    var headers: Headers = ["Authorization": "Application \(key):\(signature)", "x-timestamp": time]
    if !type.isEmpty { headers.add("Content-Type", type) }
    return headers
  }

  func advance(_ seconds: Int) throws {
    try sandbox.atomically { try sandbox.advance(by: .seconds(seconds)) }
    world.sendWebhooks()
  }

  func set(clock text: String) throws {
    let time = try #require(Timestamp(iso8601: text))
    try sandbox.atomically { try sandbox.set(clockTo: time) }
  }

  /// Gives the application a callback URL, whose receiver answers so.
  func callBack(answering answer: String = #"{"action":"allow"}"#, status: Int = 200) throws {
    try configure(#""callbackUrl":"\#(Self.hook)""#)
    world.receiver.answer = .answered(status: status, body: answer)
  }

  func scenario(_ outcome: String) throws {
    let rule = try Scenario(Fields(Array(#"{"outcome":"\#(outcome)"}"#.utf8)))
    try sandbox.atomically { try sandbox.scenarios.replace(with: [rule]) }
  }

  /// The callbacks so far: event and what it tells.
  func events() throws -> [Fields] {
    try world.receiver.deliveries.map { try Fields($0.request.body) }
  }

  func eventNames() throws -> [String] {
    try events().map { event in
      let detail = try event.optionalString("status") ?? event.optionalString("smsResult")
      return [try event.string("event"), detail].compactMap { $0 }.joined(separator: " ")
    }
  }
}

/// Shortcuts for verifications.
extension SinchWorld {
  /// `more` are further members, with a comma before each.
  func start(
    _ method: String = "sms", _ number: String = number, _ more: String = "",
    as headers: Headers = credentials
  ) throws -> Exchange {
    try send(
      .post, Self.base,
      #"{"identity":{"type":"number","endpoint":"\#(number)"},"method":"\#(method)"\#(more)}"#, as: headers)
  }

  func started(_ method: String = "sms", _ number: String = number, _ more: String = "") throws
    -> SinchStarted
  {
    try start(method, number, more).decode()
  }

  /// Reports by id.
  func report(
    _ proof: String, of id: String, _ method: String = "sms", as headers: Headers = credentials
  ) throws -> Exchange {
    try send(.put, "\(Self.base)/id/\(id)", Self.reportBody(proof, method), as: headers)
  }

  static func reportBody(_ proof: String, _ method: String = "sms") -> String {
    let isCall = method.lowercased() == "flashcall"
    let member = isCall ? "flashCall" : method
    return #"{"method":"\#(method)","\#(member)":{"\#(isCall ? "cli" : "code")":"\#(proof)"}}"#
  }

  func status(_ id: String) throws -> SinchStatus {
    try send(.get, "\(Self.base)/id/\(id)").decode()
  }
}

/// The answer to a start.
struct SinchStarted: NamedBody {
  static let statuses: Set = [200]

  let id: String
  let method: String
  let template: String?
  let codeType: String?
  let cliFilter: String?
  let targetURI: String?
  let links: [String]

  init(_ fields: Fields) throws {
    id = try fields.string("id")
    method = try fields.string("method")
    let sms = try fields.optionalObject("sms")
    template = try sms?.string("template")
    _ = try sms?.int("interceptionTimeout")
    codeType = try (sms ?? fields.optionalObject("whatsapp"))?.string("codeType")
    let call = try fields.optionalObject("flashCall")
    cliFilter = try call?.string("cliFilter")
    for name in ["interceptionTimeout", "reportTimeout", "denyCallAfter"] { _ = try call?.int(name) }
    targetURI = try fields.optionalObject("seamless")?.optionalString("targetUri")
    links = try fields.objects("_links").map { link in
      "\(try link.string("method")) \(try link.string("rel")) \(try link.string("href"))"
    }
  }
}

/// The answer to a report.
struct SinchReport: NamedBody {
  static let statuses: Set = [200]

  let id: String
  let status: String
  let reason: String?
  let method: String
  let callComplete: Bool?

  init(_ fields: Fields) throws {
    id = try fields.string("id")
    method = try fields.string("method")
    status = try fields.string("status")
    reason = try fields.optionalString("reason")
    callComplete = try fields.optionalBool("callComplete")
  }

  /// `FAIL Invalid code`
  var outcome: String { [status, reason].compactMap { $0 }.joined(separator: " ") }
}

/// The answer to a status query.
struct SinchStatus: NamedBody {
  static let statuses: Set = [200]

  let id: String
  let method: String
  let status: String
  let reason: String?
  let reference: String?
  let endpoint: String
  let country: String?
  let timestamp: String
  let amount: String?
  /// Seconds.
  let billed: Int?
  let source: String?
  let callComplete: Bool?
  let callResult: String?

  init(_ fields: Fields) throws {
    id = try fields.string("id")
    method = try fields.string("method")
    status = try fields.string("status")
    reason = try fields.optionalString("reason")
    reference = try fields.optionalString("reference")
    let identity = try fields.object("identity")
    _ = try identity.string("type")
    endpoint = try identity.string("endpoint")
    country = try fields.optionalString("countryId")
    timestamp = try fields.string("verificationTimestamp")
    let price = try fields.optionalObject("price")
    amount = try price?.object("verificationPrice").string("currencyId")
    _ = try price?.object("verificationPrice").json("amount")
    if let termination = try price?.optionalObject("terminationPrice") {
      _ = (try termination.json("amount"), try termination.string("currencyId"))
    }
    billed = try price?.optionalInt("billableDuration")
    source = try fields.optionalString("source")
    callComplete = try fields.optionalBool("callComplete")
    callResult = try fields.optionalString("callResult")
  }

  var outcome: String { [status, reason].compactMap { $0 }.joined(separator: " ") }
}

/// The body of an error.
struct SinchError: NamedBody {
  static let statuses = Set(400...599)

  let code: Int
  let message: String

  init(_ fields: Fields) throws {
    code = try fields.int("errorCode")
    message = try fields.string("message")
    _ = (try fields.string("reference"), try fields.string("status"))
  }
}

extension Exchange {
  /// `401 40102`
  func sinchError() throws -> String {
    "\(answer.prefix(3)) \(try decode(SinchError.self).code)"
  }

  /// `SUCCESSFUL`, `FAIL Invalid code`
  func sinchOutcome() throws -> String { try decode(SinchReport.self).outcome }
}
