import Crypto
import Glibc

/// A TLS handshake that is made to see what comes of it.
enum Handshake {
  /// How the server is reached.
  enum ConnectionMode: CustomStringConvertible {
    /// At a port of its own.
    case direct(host: String, port: UInt16)
    /// Through a proxy, which is asked for port 443 of the name.
    case tunnel(host: String, port: UInt16)

    /// As a person would say it.
    var description: String {
      switch self {
      case .direct(let host, let port): "https://\(host):\(port)"
      case .tunnel(let host, let port): "the proxy http://\(host):\(port)"
      }
    }
  }

  /// Shakes hands with whoever answers for a name: a `PlainSocket.Failure` where that is nobody, a `TLSError` where it
  /// is nobody who is trusted.
  static func attempt(with name: String, by mode: ConnectionMode, trusting context: TLSContext) throws {
    let socket = try connected(to: name, by: mode)
    defer { close(socket) }
    let session = try TLSSession(client: context, host: name, isLiteral: false)
    while true {
      try send(session.takeOutput(), over: socket)
      if session.isEstablished { return }
      try receive(over: socket).withUnsafeBytes { try session.receive($0) }
    }
  }

  /// Goes the way to a name without shaking hands.
  static func reach(_ name: String, by mode: ConnectionMode) throws(PlainSocket.Failure) {
    close(try connected(to: name, by: mode))
  }

  /// A socket at whose other end somebody answers for the name; whoever calls has to close it.
  private static func connected(to name: String, by mode: ConnectionMode) throws(PlainSocket.Failure) -> Int32
  {
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
    while !answer.suffix(4).elementsEqual("\r\n\r\n".utf8), answer.count < longestAnswer {
      answer += try receive(over: socket)
    }
    let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    guard line.split(separator: " ").dropFirst().first == "200" else {
      throw PlainSocket.Failure(description: "it answers CONNECT with \(line)")
    }
  }

  private static func send(_ bytes: [UInt8], over socket: Int32) throws(PlainSocket.Failure) {
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw PlainSocket.current
    }
  }

  private static func receive(over socket: Int32) throws(PlainSocket.Failure) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 16_384)
    let count = read(socket, &piece, piece.count)
    guard count >= 0 else { throw PlainSocket.current }
    guard count > 0 else { throw PlainSocket.Failure(description: "it closes the connection") }
    return Array(piece[..<count])
  }

  private static let options = PlainSocket.SocketOptions(timeout: PlainSocket.timeout)
  /// What a proxy may say to CONNECT, in bytes.
  private static let longestAnswer = 65_536
}
