import ArgumentParser
import HTTP
import JSON

/// Asks a running server's control API: one request per connection, for commands at the terminal.
struct ControlClient {
  private let server: AbsoluteURL

  /// A client of `http://HOST` or `http://HOST:PORT`.
  init(_ url: String) throws(ValidationError) {
    guard let server = AbsoluteURL(url), !server.isSecure else {
      throw ValidationError("--url: expected http://ADDRESS:PORT; found \(url)")
    }
    self.server = server
  }

  /// The answer to a GET.
  func get(_ target: String) throws -> Fields { try ask("GET", target, body: []) }

  /// The answer to a POST of this JSON.
  func post(_ target: String, _ body: JSON) throws -> Fields { try ask("POST", target, body: body.encoded()) }

  private func ask(_ method: String, _ target: String, body: [UInt8]) throws -> Fields {
    let head = """
      \(method) \(target) HTTP/1.1\r\nHost: \(server.authority)\r\nConnection: close\r\n\
      Content-Length: \(body.count)\r\n\r\n
      """
    let response = try PlainSocket.exchange(Array(head.utf8) + body, with: server.host, port: server.port)
    let fields = try Fields(response.body)
    guard (200...299).contains(response.status.code) else {
      throw PlainSocket.Failure(
        description: try fields.optionalString("error") ?? "status \(response.status.code)")
    }
    return fields
  }
}
