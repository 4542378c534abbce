import Foundation

/// A webhook as it arrived.
struct ReceivedRequest: Sendable {
  let method: String
  let url: String
  /// The names are in lower case.
  let headers: [String: String]
  let body: Data
}

/// One local HTTP server for the webhooks of all sandboxes.
final class Receiver: Sendable {
  let url: String
  private let listener: Int32
  private let handlers = Handlers()

  private actor Handlers {
    private var inboxes: [String: Inbox] = [:]
    func set(_ name: String, _ inbox: Inbox?) { inboxes[name] = inbox }
    func inbox(of name: String) -> Inbox? { inboxes[name] }
  }

  init() throws {
    (listener, url) = try Receiver.listen()
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Thread.detachNewThread { self.serve(connection) }
      }
      close(listener)
    }
  }

  /// Gives requests below `/NAME` to this inbox.
  func handle(_ name: String, by inbox: Inbox) async { await handlers.set(name, inbox) }

  func forget(_ name: String) async { await handlers.set(name, nil) }

  /// Ends `accept`.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Reading blocks, so each connection has a thread. The answer is short enough not to block.
  private func serve(_ connection: Int32) {
    guard let request = Receiver.read(connection, origin: url) else {
      close(connection)
      return
    }
    let path = request.url.dropFirst(url.count + 1)
    Task.detached { [handlers] in
      let inbox = await handlers.inbox(of: String(path.prefix { $0 != "/" && $0 != "?" }))
      let status = await inbox?.receive(request) ?? 404
      Receiver.write("HTTP/1.1 \(status) \r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: connection)
      close(connection)
    }
  }

  private static func listen() throws -> (Int32, url: String) {
    #if canImport(Darwin)
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && Foundation.listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard listener >= 0, isBound else { throw RingfenceError("no port is free for webhooks: errno \(errno)") }
    // Programs that the tests start must not hold it.
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    return (listener, "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
  }

  /// Nil if the connection ends before the request.
  private static func read(_ connection: Int32, origin: String) -> ReceivedRequest? {
    var bytes = Data()
    var (head, length): (Range<Data.Index>?, Int) = (nil, 0)
    var (lines, headers): ([String], [String: String]) = ([], [:])
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while head.map({ bytes.count - $0.upperBound < length }) ?? true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      guard head == nil, let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { continue }
      head = end
      lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        headers[line[..<colon].lowercased()] =
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      }
      length = headers["content-length"].flatMap { Int($0) } ?? 0
    }
    guard let head, let words = lines.first?.split(separator: " "), words.count > 1 else { return nil }
    return ReceivedRequest(
      method: String(words[0]), url: origin + words[1], headers: headers,
      body: bytes[head.upperBound...].prefix(length))
  }

  private static func write(_ text: String, to connection: Int32) {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    let bytes = Array(text.utf8)
    _ = send(connection, bytes, bytes.count, flags)
  }
}
