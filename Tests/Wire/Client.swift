import Glibc

/// A blocking client for tests. Every call has a timeout.
package final class Client {
  package enum Failure: Error, Equatable {
    /// With its `errno`.
    case system(Int32)
    /// The call timed out.
    case late
  }

  package enum End: Equatable {
    case closed
    case reset
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var position = 0

  /// Connects to a port of this machine. `seconds` is the timeout of each call.
  package init(port: UInt16, seconds: Int = 5, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.system(errno) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    if var buffer = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let failure = Failure.system(errno)
      Glibc.close(descriptor)
      throw failure
    }
  }

  /// Uses an accepted connection.
  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(descriptor, buffer.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw errno == EAGAIN ? Failure.late : Failure.system(errno) }
      sent += count
    }
  }

  /// Closes this side.
  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection: what comes now is refused.
  package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Reads up to and including this text.
  package func receive(until text: String) throws -> String {
    let text = Array(text.utf8)
    while true {
      if let end = end(of: text) { return String(decoding: take(end - position), as: UTF8.self) }
      guard try receiveMore() == nil else { throw Failure.system(0) }
    }
  }

  package func receive(count: Int) throws -> [UInt8] {
    while received.count - position < count {
      guard try receiveMore() == nil else { throw Failure.system(0) }
    }
    return take(count)
  }

  /// Reads one response with a `Content-Length`.
  package func receiveAnswer(withBody: Bool = true) throws -> String {
    let head = try receive(until: "\r\n\r\n")
    guard withBody, let field = head.firstRange(of: "Content-Length: ") else { return head }
    let count = Int(head[field.upperBound...].prefix { $0.isNumber })!
    return try head + String(decoding: receive(count: count), as: UTF8.self)
  }

  /// Reads until the connection closes.
  package func receiveAll() throws -> (text: String, end: End) {
    while true {
      if let end = try receiveMore() {
        return (String(decoding: take(received.count - position), as: UTF8.self), end)
      }
    }
  }

  private func receiveMore() throws -> End? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count == 0 { return .closed }
    if count < 0 {
      if errno == ECONNRESET { return .reset }
      throw errno == EAGAIN ? Failure.late : Failure.system(errno)
    }
    if position == received.count { (received, position) = ([], 0) }
    received.append(contentsOf: buffer[..<count])
    return nil
  }

  /// Uses `memchr`, because the collection's search would take most of a test's time.
  private func end(of text: [UInt8]) -> Int? {
    received.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var start = position
      while let found = memchr(base + start, Int32(text[0]), bytes.count - start) {
        let offset = UnsafeRawPointer(found) - base
        guard offset + text.count <= bytes.count else { return nil }
        if memcmp(found, text, text.count) == 0 { return offset + text.count }
        start = offset + 1
      }
      return nil
    }
  }

  private func take(_ count: Int) -> [UInt8] {
    defer { position += count }
    return Array(received[position..<(position + count)])
  }
}
