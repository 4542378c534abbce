import ArgumentParser
import Glibc
import JSON

/// Asks a running server's control API: one request per connection, for commands at the terminal.
struct ControlClient {
  /// What went wrong between here and the server.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

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
    let answer = try exchange(Array(head.utf8) + body)
    let separator = Array("\r\n\r\n".utf8)
    let end = answer.indices.first { answer[$0...].starts(with: separator) } ?? answer.endIndex
    let status = String(decoding: answer.prefix(12).suffix(3), as: UTF8.self)
    let fields = try Fields(Array(answer[min(end + 4, answer.count)...]))
    guard status.hasPrefix("2") else {
      throw Failure(description: try fields.optionalString("error") ?? "status \(status)")
    }
    return fields
  }

  private func exchange(_ request: [UInt8]) throws(Failure) -> [UInt8] {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
      throw Failure(description: "\(host) is no IPv4 address")
    }
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0, write(socket, request, request.count) == request.count else {
      throw Failure(description: String(cString: strerror(errno)))
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(socket, &chunk, chunk.count), count > 0 { answer += chunk[..<count] }
    return answer
  }
}
