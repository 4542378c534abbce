import Glibc
import HTTP

/// A blocking client for plain TCP: one HTTP exchange per connection.
enum PlainSocket {
  /// A connection or protocol error.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    var isTimeout = false
  }

  struct SocketOptions {
    /// The local address to connect from.
    var source: String?
    /// The longest time without any byte; nil for no limit.
    var timeout: Duration?
    /// In bytes. A longer body is truncated.
    var bodyLimit = 64 << 20
  }

  /// For servers on this machine.
  static let timeout = Duration.seconds(5)

  /// Sends a request to a host name or address and reads the response.
  static func exchange(
    _ request: [UInt8], with host: String, port: UInt16, _ options: SocketOptions = SocketOptions()
  ) throws(Failure) -> Response {
    let socket = try connected(to: host, port: port, options)
    defer { close(socket) }
    return try exchange(request, over: socket, bodyLimit: options.bodyLimit)
  }

  /// A connected socket, which the caller has to close.
  static func connected(to host: String, port: UInt16, _ options: SocketOptions) throws(Failure) -> Int32 {
    var failure = Failure(description: "\(host) has no address")
    for address in try addresses(of: host, port: port) {
      do {
        return try connected(to: address, options)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func connected(to address: sockaddr_in, _ options: SocketOptions) throws(Failure) -> Int32 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    do throws(Failure) {
      if let timeout = options.timeout { set(timeout, on: socket) }
      if let source = options.source { try bind(socket, to: source) }
      guard withNative(address, { connect(socket, $0, $1) }) == 0 else { throw systemError }
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  private static func exchange(
    _ request: [UInt8], over socket: Int32, bodyLimit: Int
  ) throws(Failure) -> Response {
    guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw systemError
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    return try readResponse(bodyLimit: bodyLimit) { () throws(Failure) in
      let count = read(socket, &chunk, chunk.count)
      guard count >= 0 else { throw systemError }
      return chunk[..<count]
    }
  }

  /// Reads a response; `receive` returns its next bytes, or none at the end of the connection.
  static func readResponse(
    bodyLimit: Int, receive: () throws(Failure) -> ArraySlice<UInt8>
  ) throws(Failure) -> Response {
    var limits = Limits()
    limits.body = bodyLimit
    var parser = ResponseParser(limits: limits)
    while true {
      let bytes = try receive()
      if let response = try parse(bytes, with: &parser) { return response }
      guard !bytes.isEmpty else { throw Failure(description: "the connection ended before a response") }
    }
  }

  /// The response once it is complete. An empty `bytes` means that the connection has ended.
  private static func parse(
    _ bytes: ArraySlice<UInt8>, with parser: inout ResponseParser
  ) throws(Failure) -> Response? {
    do {
      return try bytes.isEmpty ? parser.finish() : bytes.withUnsafeBytes { try parser.read($0) }
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// The error in `errno`.
  static var systemError: Failure {
    let number = errno
    let isTimeout = number == EAGAIN || number == EINPROGRESS
    return Failure(
      description: isTimeout ? "no answer in time" : String(cString: strerror(number)), isTimeout: isTimeout)
  }

  private static func set(_ timeout: Duration, on socket: Int32) {
    let (seconds, attoseconds) = max(timeout, .milliseconds(1)).components
    var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static func bind(_ socket: Int32, to source: String) throws(Failure) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    guard inet_pton(AF_INET, source, &address.sin_addr) == 1 else {
      throw Failure(description: "\(source) is not an IPv4 address")
    }
    guard withNative(address, { Glibc.bind(socket, $0, $1) }) == 0 else { throw systemError }
  }

  /// Resolves a host name to IPv4 addresses.
  static func addresses(of host: String, port: UInt16) throws(Failure) -> [sockaddr_in] {
    var hints = addrinfo()
    hints.ai_family = AF_INET
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else { throw Failure(description: "\(host): \(String(cString: gai_strerror(code)))") }
    defer { freeaddrinfo(list) }
    var found: [sockaddr_in] = []
    var next = list
    while let entry = next {
      entry.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { found.append($0.pointee) }
      next = entry.pointee.ai_next
    }
    return found
  }

  private static func withNative(
    _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
