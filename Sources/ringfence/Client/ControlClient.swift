import ArgumentParser
import HTTP
import JSON

/// Asks a running server's control API: one request per connection, for commands at the terminal.
struct ControlClient {
  private let host: String
  private let port: UInt16

  /// A client of `http://HOST:PORT`, where the host is an IPv4 address or `localhost`.
  init(_ url: String) throws(ValidationError) {
    let authority = url.hasPrefix("http://") ? url.dropFirst(7).prefix { $0 != "/" } : ""
    let parts = authority.split(separator: ":")
    guard parts.count == 2, let port = UInt16(parts[1]) else {
      throw ValidationError("--url: expected http://ADDRESS:PORT; found \(url)")
    }
    host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
    self.port = port
  }

  /// The answer to a GET.
  func get(_ target: String) throws -> Fields { try ask("GET", target, body: []) }

  /// The answer to a POST of this JSON.
  func post(_ target: String, _ body: JSON) throws -> Fields { try ask("POST", target, body: body.encoded()) }

  private func ask(_ method: String, _ target: String, body: [UInt8]) throws -> Fields {
    let head = """
      \(method) \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n\
      Content-Length: \(body.count)\r\n\r\n
      """
    let response = try PlainSocket.exchange(Array(head.utf8) + body, with: host, port: port)
    let fields = try Fields(response.body)
    guard (200...299).contains(response.status.code) else {
      throw PlainSocket.Failure(
        description: try fields.optionalString("error") ?? "status \(response.status.code)")
    }
    return fields
  }
}
