import Glibc

/// A blocking client on loopback for tests: every call ends within a bound.
package final class Client {
  /// Why a call ended without what it waited for.
  package enum Failure: Error, Equatable {
    /// The operating system refused; its errno.
    case system(Int32)
    /// Nothing came in time.
    case late
  }

  /// How bytes ended.
  package enum End: Equatable {
    /// The other side closed properly.
    case closed
    /// The other side reset the connection.
    case reset
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var position = 0

  /// Connects to a port of this machine; no call waits longer than this many seconds.
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

  /// Takes over a connection that somebody has accepted.
  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// Sends all of the text.
  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends all of the bytes.
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

  /// Says that nothing more is sent.
  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads until this text has come; answers with everything up to its end.
  package func receive(until mark: String) throws -> String {
    let mark = Array(mark.utf8)
    while true {
      if let end = end(of: mark) { return String(decoding: take(end - position), as: UTF8.self) }
      guard try receiveMore() == nil else { throw Failure.system(0) }
    }
  }

  /// Reads this many bytes.
  package func receive(count: Int) throws -> [UInt8] {
    while received.count - position < count {
      guard try receiveMore() == nil else { throw Failure.system(0) }
    }
    return take(count)
  }

  /// Reads one answer that has a `Content-Length`.
  package func receiveAnswer(withBody: Bool = true) throws -> String {
    let head = try receive(until: "\r\n\r\n")
    guard withBody, let field = head.firstRange(of: "Content-Length: ") else { return head }
    let count = Int(head[field.upperBound...].prefix { $0.isNumber })!
    return try head + String(decoding: receive(count: count), as: UTF8.self)
  }

  /// Reads until the other side ends the connection.
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

  /// The generic search of collections would take most of a test's time.
  private func end(of mark: [UInt8]) -> Int? {
    received.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var start = position
      while let found = memchr(base + start, Int32(mark[0]), bytes.count - start) {
        let offset = UnsafeRawPointer(found) - base
        guard offset + mark.count <= bytes.count else { return nil }
        if memcmp(found, mark, mark.count) == 0 { return offset + mark.count }
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
