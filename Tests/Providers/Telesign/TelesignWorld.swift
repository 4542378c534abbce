import Basics
import Crypto
import Domain
import Foundation
import HTTP
import JSON
import Support
import Telesign
import Testing

/// A sandbox with one customer.
struct TelesignWorld: ProviderWorld {
  static let provider = "telesign"
  static let customer = "FFFFFFFF-EEEE-DDDD-1234-AB1234567890"
  static let key = Base64.encode(Array(0...63))
  static let basic = Request.basic(customer, key)
  static let number = "15558675309"

  let world: TestSandbox

  init(acceptsUnknownAccounts: Bool = true) throws {
    world = try TestSandbox(of: TelesignProvider.self) {
      $0.acceptsUnknownAccounts = acceptsUnknownAccounts
    }
  }

  init(_ world: TestSandbox) { self.world = world }

  func get(_ path: String, as credentials: Headers = basic) throws -> Exchange {
    try world.send(.to(path, headers: credentials))
  }

  func post(
    _ path: String, form: KeyValuePairs<String, String>, as credentials: Headers = basic
  ) throws -> Exchange {
    try world.send(.post(path, form: form, headers: credentials))
  }

  func send(
    _ method: HTTP.Method, _ path: String, json: String = "", as credentials: Headers = basic
  ) throws -> Exchange {
    var headers = credentials
    if !json.isEmpty { headers.add("Content-Type", "application/json") }
    return try world.send(.to(path, method, headers: headers, body: Array(json.utf8)))
  }

  func sms(as credentials: Headers = basic) throws -> Exchange {
    try post("/v1/verify/sms", form: ["phone_number": Self.number], as: credentials)
  }

  /// Creates a verification; `members` follow the recipient, such as `,"external_id":"a"`.
  func create(_ members: String = "") throws -> Exchange {
    try send(.post, "/verification", json: #"{"recipient":{"phone_number":"\#(Self.number)"}\#(members)}"#)
  }

  /// Of a number without a plus sign.
  func inbox(_ digits: String) throws -> [Message] {
    var filter = Messages.Filter()
    filter.destination = "+\(digits)"
    return try sandbox.messages.inbox(filter)
  }
}

/// A signed request.
struct SignedRequest {
  var method = HTTP.Method.post
  var path = "/v1/telebureau/event"
  /// Sent before the path, and not signed.
  var prefix = ""
  var contentType = "application/x-www-form-urlencoded"
  var date = TestSandbox.start.httpDate
  var headers: [(String, String)] = [("x-ts-auth-method", "HMAC-SHA256")]
  var body = "phone_number=15558675309&fraud_type=a+b&occurred_at=2026-01-05T10%3A20%3A30Z"
  var key = Array(0...63) as [UInt8]
  var hash = HMAC.Hash.sha256
  /// Changes the string before it is signed.
  var alter: (String) -> String = { $0 }

  /// Source: `telesign.md` 2.3.
  var stringToSign: String {
    let lines = [method.rawValue, contentType, date] + headers.map { "\($0.lowercased()):\($1)" }
    return (lines + (body.isEmpty ? [] : [body]) + [path]).joined(separator: "\n")
  }

  var request: Request {
    let digest = HMAC.authenticate(Array(alter(stringToSign).utf8), key: key, hash)
    var fields: Headers = ["Content-Type": contentType]
    if !date.isEmpty { fields.add("Date", date) }
    for (name, value) in headers { fields.add(name, value) }
    fields.add("Authorization", "TSA \(TelesignWorld.customer):\(Base64.encode(digest))")
    return .to(prefix + path, method, headers: fields, body: Array(body.utf8))
  }
}

extension Exchange {
  /// True for 200 with a JSON object.
  var isAccepted: Bool { answer.hasPrefix("200 {") }

  func reference() throws -> String { try members().string("reference_id") }

  func members() throws -> Fields { try Fields(Array(answer.dropFirst(4).utf8)) }

  /// An error in the legacy format as `401 501 -30006`, in another as `401 10008`.
  func errorCodes() throws -> String {
    let fields = try members()
    let code = try fields.object("status").int("code")
    let errors = try fields.optionalObjects("errors") ?? []
    return try ([String(answer.prefix(3)), String(code)] + errors.map { String(try $0.int("code")) })
      .joined(separator: " ")
  }
}
