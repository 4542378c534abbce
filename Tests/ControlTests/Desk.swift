import CatalogSupport
import Control
import Domain
import HTTP
import JSON
import Support

/// A test sandbox with the provider Acme, and short requests: `ask("GET /control/clock")`.
struct Desk {
  let world: TestSandbox

  /// Requires a token if `tokens` is set.
  init(tokens: AccessTokens? = nil) throws { world = try TestSandbox.withAcme(tokens: tokens) }

  /// The default sandbox.
  var sandbox: Sandbox { world.sandbox }

  /// Status and body of the answer in one text: `200 {"mode":"frozen",…}`.
  func ask(_ line: String, _ body: String = "", headers: Headers = [:]) throws -> String {
    answer(try respond(line, body, headers: headers))
  }

  /// The whole answer.
  func respond(_ line: String, _ body: String = "", headers: Headers = [:]) throws -> Response {
    try world.answer(request(line, body, headers: headers))
  }

  /// An answer that waits; nil when the answer is there at once.
  func wait(_ line: String, _ body: String = "", headers: Headers = [:]) -> PendingReply? {
    guard case .pending(let reply) = world.dispatcher.respond(to: request(line, body, headers: headers))
    else {
      return nil
    }
    return reply
  }

  /// Status and body in one text; nil for no answer.
  func answer(_ response: Response?) throws -> String? { response.map { answer($0) } }

  /// Starts a verification with Acme, whose message arrives at once.
  func send(to number: String = "+12025550100") throws {
    _ = try respond("POST /things/v1/things", "to=\(PercentCoding.encode(number))")
  }

  /// The only request that the journal has, or its newest, as JSON.
  func newestExchange() throws -> JSON {
    try JSON(parsing: respond("GET /control/journal/latest").body)
  }

  private func answer(_ response: Response) -> String {
    let body = String(decoding: response.body, as: UTF8.self)
    return body.isEmpty ? "\(response.status.code)" : "\(response.status.code) \(body)"
  }

  private func request(_ line: String, _ body: String, headers: Headers) -> Request {
    let words = line.split(separator: " ", maxSplits: 1)
    var fields: Headers = ["Host": "127.0.0.1:5550"]
    fields.append(headers)
    if !body.isEmpty, line.contains("/control/"), headers["Content-Type"] == nil {
      fields.add("Content-Type", "application/json")
    }
    return Request(
      HTTP.Method(rawValue: String(words[0])) ?? .options, Target(String(words[1])), headers: fields,
      body: Array(body.utf8))
  }
}
