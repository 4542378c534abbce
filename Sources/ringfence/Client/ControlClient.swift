import ArgumentParser
import HTTP
import JSON
import Loop

/// Why a command did nothing, although its words are right.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The addresses of `ringfence serve` without options.
enum DefaultAddresses {
  static let listening = SocketAddress(host: "127.0.0.1", port: 5550)
  static let http = "http://127.0.0.1:5550"
  static let https = "https://127.0.0.1:5551"
  /// The cellular gateway.
  static let gateway = "http://127.0.0.1:5552"
}

/// A client of a running server's control API. Each request has its own connection.
struct ControlClient {
  /// `RINGFENCE_URL`, which `ringfence run` sets for its command, else the default address.
  static var defaultURL: String { Environment["RINGFENCE_URL"] ?? DefaultAddresses.http }

  let server: AbsoluteURL
  /// A prefix of every path: `/s/NAME` for a sandbox other than the default one.
  private let prefix: String
  /// The longest time without any byte; nil for no limit.
  private let timeout: Duration?
  private let token: String?

  /// An error response of the control API.
  struct Rejection: Error, CustomStringConvertible {
    let status: Int
    let description: String
  }

  init(
    _ url: String, token: AdminTokenOption, sandbox: String? = nil, timeout: Duration? = nil
  ) throws(ValidationError) {
    try self.init(url, bearer: token.value, sandbox: sandbox, timeout: timeout)
  }

  /// `url` is `http://HOST:PORT`, optionally followed by `/s/NAME`. `sandbox` replaces that name.
  init(
    _ url: String, bearer token: String?, sandbox: String? = nil, timeout: Duration? = nil
  ) throws(ValidationError) {
    self.token = token
    guard let server = AbsoluteURL(url), !server.isSecure else {
      let source = url == Environment["RINGFENCE_URL"] ? "RINGFENCE_URL" : "--url"
      throw ValidationError("\(source): expected http://ADDRESS:PORT; found \(url)")
    }
    self.server = server
    self.timeout = timeout
    let path = server.target.hasSuffix("/") ? String(server.target.dropLast()) : server.target
    prefix = sandbox.map { "/s/\($0)" } ?? path
  }

  func get(_ target: String) throws -> Fields { try Fields(getJSON(target)) }

  func getJSON(_ target: String) throws -> JSON { try json(of: exchange("GET", target, body: [])) }

  /// The whole response, if it is a success.
  func getResponse(_ target: String) throws -> Response { try exchange("GET", target, body: []) }

  /// `tag`: deletes only what still has this entity tag.
  func delete(_ target: String, ifMatch tag: String? = nil) throws {
    _ = try exchange("DELETE", target, body: [], tag.map { ["If-Match": $0] } ?? [:])
  }

  /// The body of an answer, not parsed.
  func getBytes(_ target: String) throws -> [UInt8] { try exchange("GET", target, body: []).body }

  func put(_ target: String, _ body: [UInt8]) throws -> JSON {
    try json(of: exchange("PUT", target, body: body))
  }

  /// The sandbox that the URL selects; nil for the default one.
  var sandboxName: String? { prefix.hasPrefix("/s/") ? String(prefix.dropFirst(3)) : nil }

  /// All entries of a list, page by page. `target` ends with a query.
  func entries(_ name: String, of target: String) throws -> [JSON] {
    var found: [JSON] = []
    var after = ""
    while true {
      let page = try get("\(target)&limit=1000\(after)")
      if case .array(let entries) = try page.json(name) { found += entries }
      guard try page.bool("hasMore") else { return found }
      let cursor =
        try (try? page.int("cursor")).map(String.init) ?? PercentCoding.encode(page.string("cursor"))
      after = "&after=\(cursor)"
    }
  }

  func post(_ target: String, _ body: JSON) throws -> JSON {
    try json(of: exchange("POST", target, body: body.encoded()))
  }

  /// The whole response to a file, if it is a success.
  func post(file: [UInt8], to target: String) throws -> Response {
    try exchange("POST", target, body: file, ["Content-Type": "text/html"])
  }

  /// Sends a request whose answer may have no content.
  func send(_ method: String, _ target: String, _ body: JSON) throws -> JSON {
    let response = try exchange(method, target, body: body.encoded())
    return response.body.isEmpty ? .object([]) : try json(of: response)
  }

  private func json(of response: Response) throws -> JSON {
    guard let json = try? JSON(parsing: response.body, limits: .seed), case .object = json else {
      throw PlainSocket.Failure(description: "\(server.origin) answers, but is not a sandbox")
    }
    return json
  }

  /// The response to a message of another protocol, whatever its status.
  func forward(_ message: [UInt8], to target: String, _ more: Headers) throws -> Response {
    try respond("POST", target, body: message, more)
  }

  /// The response, if it is a success.
  private func exchange(
    _ method: String, _ target: String, body: [UInt8], _ more: Headers = [:]
  ) throws -> Response {
    let response = try respond(method, target, body: body, more)
    guard (200...299).contains(response.status.code) else {
      let text = try Fields(json(of: response)).optionalString("error")
      throw Rejection(
        status: response.status.code,
        description: text.map { $0 + suggestion(after: $0) }
          ?? "\(server.origin) answered with status \(response.status.code)")
    }
    return response
  }

  private func respond(
    _ method: String, _ target: String, body: [UInt8], _ more: Headers
  ) throws -> Response {
    var headers: Headers = [
      "Host": server.authority, "Connection": "close", "Content-Length": "\(body.count)",
    ]
    if !body.isEmpty, more["Content-Type"] == nil { headers.add("Content-Type", "application/json") }
    if let token { headers.add("Authorization", "Bearer \(token)") }
    headers.append(more)
    let line = "\(method) \(prefix)\(target) HTTP/1.1\r\n"
    return try exchange(Array(line.utf8) + headers.bytes + Array("\r\n".utf8) + body)
  }

  /// For the name of a sandbox that does not exist: the nearest name, if this client may know the others.
  private func suggestion(after error: String) -> String {
    let words = error.split(separator: " ")
    guard error.hasPrefix(Self.noSandbox), let name = words.last,
      let client = try? ControlClient(server.origin, bearer: token, timeout: PlainSocket.timeout),
      let sandboxes = try? client.get("/control/sandboxes?limit=1000").objects("sandboxes"),
      let nearest = sandboxes.compactMap({ try? $0.string("name") }).nearest(to: String(name))
    else { return "" }
    return "; did you mean \(nearest)?"
  }

  private static let noSandbox = "there is no sandbox "

  private func exchange(_ request: [UInt8]) throws(PlainSocket.Failure) -> Response {
    do {
      return try PlainSocket.exchange(
        request, with: server.host, port: server.port, .init(timeout: timeout))
    } catch {
      throw PlainSocket.Failure(description: "\(server.origin) does not answer: \(error)")
    }
  }
}
