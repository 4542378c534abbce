import Basics
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
    try SinchStarted(start(method, number, more))
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

  func outcome(_ id: String) throws -> String { try send(.get, "\(Self.base)/id/\(id)").sinchOutcome() }
}

/// The answer to a start.
struct SinchStarted {
  let id: String
  let codeType: String?
  let cliFilter: String?
  let targetURI: String?

  init(_ exchange: Exchange) throws {
    let fields = try exchange.sinchFields()
    id = try fields.string("id")
    codeType = try (fields.optionalObject("sms") ?? fields.optionalObject("whatsapp"))?.string("codeType")
    cliFilter = try fields.optionalObject("flashCall")?.string("cliFilter")
    targetURI = try fields.optionalObject("seamless")?.string("targetUri")
  }
}

extension Exchange {
  func sinchFields() throws -> Fields { try Fields(JSON(parsing: body)) }

  /// `401 40102`
  func sinchError() throws -> String { "\(answer.prefix(3)) \(try sinchFields().int("errorCode"))" }

  /// `SUCCESSFUL`, `FAIL Invalid code`
  func sinchOutcome() throws -> String {
    let fields = try sinchFields()
    return try [fields.string("status"), fields.optionalString("reason")].compactMap { $0 }
      .joined(separator: " ")
  }
}
