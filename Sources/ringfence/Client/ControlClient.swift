import ArgumentParser
import HTTP
import JSON

/// Asks a running server's control API: one request per connection, for commands at the terminal.
struct ControlClient {
  /// Where a server listens that nobody has said anything about; `ringfence run` says it to its command.
  static var usualURL: String { Environment["RINGFENCE_URL"] ?? DefaultAddresses.http }

  /// The server's place.
  let server: AbsoluteURL
  /// What stands before every path: `/s/NAME` for a sandbox other than the default one.
  private let prefix: String
  /// How long nothing may happen; nil where an answer may take as long as it likes.
  private let timeout: Duration?

  /// A client of `http://HOST:PORT`, with or without a prefix.
  init(_ url: String, timeout: Duration? = nil) throws(ValidationError) {
    guard let server = AbsoluteURL(url), !server.isSecure else {
      throw ValidationError("--url: expected http://ADDRESS:PORT; found \(url)")
    }
    self.server = server
    self.timeout = timeout
    prefix = server.target.hasSuffix("/") ? String(server.target.dropLast()) : server.target
  }

  /// The answer to a GET.
  func get(_ target: String) throws -> Fields { try ask("GET", target, body: []) }

  /// The answer to a POST of this JSON.
  func post(_ target: String, _ body: JSON) throws -> Fields { try ask("POST", target, body: body.encoded()) }

  private func ask(_ method: String, _ target: String, body: [UInt8]) throws -> Fields {
    let head = """
      \(method) \(prefix)\(target) HTTP/1.1\r\nHost: \(server.authority)\r\nConnection: close\r\n\
      Content-Length: \(body.count)\r\n\r\n
      """
    let response = try exchange(Array(head.utf8) + body)
    guard let fields = try? Fields(response.body) else {
      throw PlainSocket.Failure(description: "what answers at \(server.origin) is no sandbox")
    }
    guard (200...299).contains(response.status.code) else {
      throw PlainSocket.Failure(
        description: try fields.optionalString("error")
          ?? "\(server.origin) answers with status \(response.status.code)")
    }
    return fields
  }

  private func exchange(_ request: [UInt8]) throws(PlainSocket.Failure) -> Response {
    do {
      return try PlainSocket.exchange(
        request, with: server.host, port: server.port, .init(timeout: timeout))
    } catch {
      throw PlainSocket.Failure(description: "nothing answers at \(server.origin): \(error)")
    }
  }
}
