import Crypto
import Glibc
import HTTP

/// TLS connections to the sandbox, as a client would make them.
enum Handshake {
  enum ConnectionMode: CustomStringConvertible {
    /// At its HTTPS port.
    case direct(host: String, port: UInt16)
    /// Through an HTTP proxy, by `CONNECT` to port 443.
    case tunnel(host: String, port: UInt16)

    var description: String {
      switch self {
      case .direct(let host, let port): "https://\(host):\(port)"
      case .tunnel(let host, let port): "the proxy http://\(host):\(port)"
      }
    }
  }

  /// Throws a `PlainSocket.Failure` if the server cannot be reached, a `TLSError` if it is not trusted. With
  /// a context that completes, the server's journal has no failed handshake.
  static func attempt(with name: String, by mode: ConnectionMode, trusting context: TLSContext) throws {
    let socket = try connected(to: name, by: mode)
    defer { close(socket) }
    try session(with: name, over: socket, trusting: context).requireTrust()
  }

  /// Sends a request and returns the response.
  static func exchange(
    _ request: [UInt8], with name: String, by mode: ConnectionMode, trusting context: TLSContext,
    _ options: PlainSocket.SocketOptions
  ) throws -> Response {
    let socket = try connected(to: name, by: mode, options)
    defer { close(socket) }
    let session = try session(with: name, over: socket, trusting: context)
    try session.write(request)
    try send(session.takeOutput(), over: socket)
    return try PlainSocket.readResponse(bodyLimit: options.bodyLimit) { () throws(PlainSocket.Failure) in
      do {
        var plain = try session.read()
        while plain.isEmpty, !session.isAtEnd {
          try receive(over: socket).withUnsafeBytes { try session.receive($0) }
          plain = try session.read()
        }
        return plain[...]
      } catch let failure as PlainSocket.Failure {
        throw failure
      } catch {
        throw PlainSocket.Failure(description: "\(error)")
      }
    }
  }

  private static func session(
    with name: String, over socket: Int32, trusting context: TLSContext
  ) throws -> TLSSession {
    let isAddress = HTTP.Authority(host: name, port: nil).isAddress
    let session = try TLSSession(client: context, host: name, isLiteral: isAddress)
    while true {
      try send(session.takeOutput(), over: socket)
      if session.isEstablished { return session }
      try receive(over: socket).withUnsafeBytes { try session.receive($0) }
    }
  }

  /// Connects without a handshake.
  static func reach(_ name: String, by mode: ConnectionMode) throws(PlainSocket.Failure) {
    close(try connected(to: name, by: mode))
  }

  /// A connected socket, which the caller has to close.
  private static func connected(
    to name: String, by mode: ConnectionMode,
    _ options: PlainSocket.SocketOptions = .init(timeout: PlainSocket.timeout)
  ) throws(PlainSocket.Failure) -> Int32 {
    switch mode {
    case .direct(let host, let port):
      return try PlainSocket.connected(to: host, port: port, options)
    case .tunnel(let host, let port):
      let socket = try PlainSocket.connected(to: host, port: port, options)
      do {
        try openTunnel(to: name, over: socket)
      } catch {
        close(socket)
        throw error
      }
      return socket
    }
  }

  private static func openTunnel(to name: String, over socket: Int32) throws(PlainSocket.Failure) {
    try send(Array("CONNECT \(name):443 HTTP/1.1\r\nHost: \(name):443\r\n\r\n".utf8), over: socket)
    var answer: [UInt8] = []
    while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8), answer.count < answerLimit {
      answer += try receive(over: socket)
    }
    let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    guard line.split(separator: " ").dropFirst().first == "200" else {
      throw PlainSocket.Failure(description: "CONNECT was answered with: \(line)")
    }
  }

  private static func send(_ bytes: [UInt8], over socket: Int32) throws(PlainSocket.Failure) {
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw PlainSocket.systemError
    }
  }

  private static func receive(over socket: Int32) throws(PlainSocket.Failure) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 16_384)
    let count = read(socket, &piece, piece.count)
    guard count >= 0 else { throw PlainSocket.systemError }
    guard count > 0 else { throw PlainSocket.Failure(description: "the server closed the connection") }
    return Array(piece[..<count])
  }

  /// The longest answer to `CONNECT`, in bytes.
  private static let answerLimit = 65_536
}
