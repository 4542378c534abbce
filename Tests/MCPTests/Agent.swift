import CatalogSupport
import Control
import HTTP
import JSON
import Support

/// A coding agent at a test sandbox with the provider Acme.
struct Agent {
  let world: TestSandbox
  var headers: Headers = [:]

  /// Requires a token if `tokens` is set.
  init(tokens: AccessTokens? = nil) throws { world = try TestSandbox.withAcme(tokens: tokens) }

  init(_ world: TestSandbox) { self.world = world }

  // MARK: Messages

  /// The reply to the body of a request.
  func reply(to body: String, path: String = "/mcp", _ more: Headers = [:]) -> Reply {
    world.reply(to: request(body, path, more))
  }

  /// Status and body in one text: `200 {"jsonrpc":"2.0",…}`.
  func post(_ body: String, path: String = "/mcp", _ more: Headers = [:]) throws -> String {
    let response = try world.answer(request(body, path, more))
    return "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
  }

  /// The answer to a request with this method.
  func ask(_ method: String, _ params: String = "{}") throws -> JSON {
    let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    return try JSON(parsing: world.answer(request(body, "/mcp", [:])).body, limits: .seed)
  }

  private func request(_ body: String, _ path: String, _ more: Headers) -> Request {
    var fields: Headers = ["Host": "127.0.0.1:5550", "Content-Type": "application/json"]
    fields.append(headers)
    fields.append(more)
    return Request(.post, Target(path), headers: fields, body: Array(body.utf8))
  }

  // MARK: Tools

  /// What a tool says; an error begins with `error: `.
  func call(_ tool: String, _ arguments: String = "{}") throws -> String {
    Self.text(of: try ask("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#))
  }

  /// A document that a tool answers with.
  func document(_ tool: String, _ arguments: String = "{}") throws -> JSON {
    try JSON(parsing: Array(call(tool, arguments).utf8), limits: .seed)
  }

  static func text(of answer: JSON) -> String {
    guard let result = answer["result"] else { return String(decoding: answer.encoded(), as: UTF8.self) }
    let text = result["content"]?.items?.first?["text"]?.text ?? ""
    return result["isError"] == .bool(true) ? "error: \(text)" : text
  }

  /// Acme sends a code to a number.
  func send(to number: String = "+12025550100") throws {
    try app("POST /things/v1/things", "to=\(PercentCoding.encode(number))")
  }

  /// A request of an app to a provider, with the form as body.
  func app(_ line: String, _ form: String = "", _ fields: Headers = [:]) throws {
    let words = line.split(separator: " ").map(String.init)
    var all: Headers = [
      "Host": "127.0.0.1:5550", "Content-Type": "application/x-www-form-urlencoded",
    ]
    all.append(fields)
    _ = try world.answer(
      Request(HTTP.Method(rawValue: words[0]) ?? .get, Target(words[1]), headers: all, body: Array(form.utf8))
    )
  }
}

extension JSON {
  var items: [JSON]? { if case .array(let items) = self { items } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var names: [String] { if case .object(let members) = self { members.map(\.name) } else { [] } }
}
