import HTTP
import Server
import Testing
import Wire

/// A client that knows as much of HTTP/2 as these tests need.
private struct HTTP2Client {
  struct Frame {
    let type: UInt8
    let flags: UInt8
    let stream: UInt8
    let payload: [UInt8]

    var text: String { String(decoding: payload, as: UTF8.self) }
    /// The error of GOAWAY or RST_STREAM.
    var code: UInt8? { payload.last }
  }

  let client: Client

  init(_ server: TestServer, receiveBuffer: Int32? = nil) throws {
    client = try server.client(receiveBuffer: receiveBuffer)
    try client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    try send(4)
  }

  func send(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []) throws {
    try client.send(Self.frame(type, flags, stream, payload))
  }

  private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
  }

  /// GET, or with `ends: false` the head of POST.
  func request(_ stream: UInt8, _ path: String, ends: Bool = true, isOpen: Bool = false) throws {
    try client.send(Self.request(stream, path, ends: ends, isOpen: isOpen))
  }

  static func request(_ stream: UInt8, _ path: String, ends: Bool = true, isOpen: Bool = false) -> [UInt8] {
    // Indexed fields, and literals with an indexed name (RFC 7541, 6.1 and 6.2.2).
    let block =
      [ends ? 0x82 : 0x83, 0x86, 0x04, UInt8(path.utf8.count)] + Array(path.utf8) + [0x01, 1, 0x78]
    return frame(1, (isOpen ? 0 : 4) | (ends ? 1 : 0), stream, block)
  }

  func receive() throws -> Frame {
    let head = try client.receive(count: 9)
    let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
    return Frame(type: head[3], flags: head[4], stream: head[8], payload: try client.receive(count: count))
  }

  /// Reads up to the next frame of this type, and returns it.
  func receive(_ type: UInt8) throws -> Frame {
    while true {
      let frame = try receive()
      if frame.type == type { return frame }
    }
  }

  /// The body of the next response that has one, with its stream.
  func body() throws -> String {
    let frame = try receive(0)
    return "\(frame.stream) \(frame.text)"
  }
}

/// Set and read on the loop's thread.
private final class Letter: @unchecked Sendable {
  var text: String?
}

@Suite("Server · HTTP/2")
struct HTTP2Tests {
  @Test("requests of one tick share a commit, and no response is sent before it")
  func shared() throws {
    let server = try TestServer()
    let client = try HTTP2Client(server)

    for stream: UInt8 in [1, 3, 5] { try client.request(stream, "/\(stream)") }

    #expect(try (0..<3).map { _ in try client.body() } == ["1 /1", "3 /3", "5 /5"])
    let log = server.sync { $0.log }
    #expect(log.filter { $0 != "commit" } == ["/1", "/3", "/5"] && log.last == "commit")
    #expect(server.end())
  }

  @Test("a failed commit replaces all responses of its tick, a long poll and a simulated reset")
  func failedCommit() throws {
    let server = try TestServer { request in
      switch request.target.path {
      case "/wait":
        .pending(PendingReply(for: .seconds(30), answer: { nil }, onTimeout: { Response(204) }))
      case "/reset": .now(Response(200, transport: .reset))
      default: .now(.text(200, request.target.path))
      }
    }
    server.sync { $0.commits = { false } }
    let client = try HTTP2Client(server)

    for (stream, path): (UInt8, String) in [(1, "/1"), (3, "/wait"), (5, "/reset")] {
      try client.request(stream, path)
      #expect(try client.body() == "\(stream) no \(path)")
    }
    server.sync { $0.commits = { true } }
    try client.request(7, "/7")

    #expect(try client.body() == "7 /7")
    #expect(server.end())
  }

  @Test("a long poll delays no other stream, and is answered after a change")
  func longPoll() throws {
    let letter = Letter()
    let server = try TestServer { request in
      guard request.target.path == "/wait" else {
        letter.text = request.target.path
        return .now(.text(200, "put"))
      }
      return .pending(
        PendingReply(
          for: .seconds(30), answer: { letter.text.map { .text(200, $0) } }, onTimeout: { Response(204) }))
    }
    let client = try HTTP2Client(server)

    try client.request(1, "/wait")
    while !server.sync({ $0.log.contains("/wait") }) {}
    try client.request(3, "/letter")

    #expect(try [client.body(), client.body()] == ["3 put", "1 /letter"])
    #expect(server.end())
  }

  @Test("more long polls than a turn has room for all wait", .timeLimit(.minutes(1)))
  func manyLongPolls() throws {
    let server = try TestServer(allowing { $0.requestsPerTurn = 4 }) { _ in
      .pending(PendingReply(for: .seconds(3600), answer: { nil }, onTimeout: { .text(200, "late") }))
    }
    let client = try HTTP2Client(server)
    _ = try client.receive()

    try client.client.send((0..<20).flatMap { HTTP2Client.request(UInt8(2 * $0 + 1), "/wait") })
    while server.sync({ $0.log.filter { $0 == "/wait" }.count }) < 20 {}
    server.drain()

    #expect(try (0..<20).map { _ in try client.receive(0).text } == Array(repeating: "late", count: 20))
    #expect(server.join())
  }

  @Test("a withdrawn long poll is forgotten")
  func withdrawn() throws {
    let letter = Letter()
    let server = try TestServer { request in
      guard request.target.path == "/wait" else { return .now(.text(200, letter.text ?? "nobody asked")) }
      return .pending(
        PendingReply(
          for: .seconds(30),
          answer: {
            letter.text = (letter.text ?? "") + "asked "
            return nil
          }, onTimeout: { Response(204) }))
    }
    let client = try HTTP2Client(server)

    try client.request(1, "/wait")
    while server.sync({ _ in letter.text }) == nil {}
    try client.send(3, stream: 1, [0, 0, 0, 8])
    try client.request(3, "/first")
    let first = try client.body()
    try client.request(5, "/second")

    #expect(try client.body() == first.replacing("3 ", with: "5 ", maxReplacements: 1))
    #expect(server.end())
  }

  @Test("a simulated reset resets the connection; a truncated body resets its stream")
  func faults() throws {
    let server = try TestServer { request in
      .now(
        Response(200, body: [1, 2], transport: request.target.path == "/cut" ? .truncated(after: 1) : .reset))
    }
    let client = try HTTP2Client(server)

    try client.request(1, "/cut")
    #expect(try client.receive(0).payload == [1])
    #expect(try client.receive(3).code == 2)
    try client.request(3, "/reset")

    #expect(try client.client.receiveAll().end == .reset)
    #expect(server.end())
  }

  @Test("a drain refuses new streams, answers open ones at once, and closes")
  func drain() throws {
    let server = try TestServer { _ in
      .pending(PendingReply(for: .seconds(30), answer: { nil }, onTimeout: { .text(200, "late") }))
    }
    let client = try HTTP2Client(server)

    try client.request(1, "/wait")
    while !server.sync({ $0.log.contains("/wait") }) {}
    server.drain()

    #expect(try client.receive(7).payload == [0, 0, 0, 1, 0, 0, 0, 0])
    #expect(try client.body() == "1 late")
    #expect(try client.client.receiveAll().end == .closed)
    #expect(server.join())
  }

  @Test("many streams share turns with other connections")
  func fair() throws {
    let server = try TestServer(allowing { $0.requestsPerTurn = 4 })
    let (greedy, modest) = (try HTTP2Client(server), try HTTP2Client(server))
    _ = try (greedy.receive(), modest.receive())

    for stream: UInt8 in stride(from: 1, to: 201, by: 2) { try greedy.request(stream, "/greedy") }
    for _ in 0..<100 { _ = try greedy.body() }
    let log = server.sync { $0.log }

    let turns = log.split(separator: "commit").map { $0.count }
    #expect(turns.allSatisfy { $0 <= 4 } && turns.reduce(0, +) == 100)
    #expect(server.end())
    _ = modest
  }

  @Test("a head that does not end, or an idle connection, ends the connection", arguments: [true, false])
  func timeouts(isHeadOpen: Bool) throws {
    let server = try TestServer(
      allowing {
        $0.headTimeout = .milliseconds(isHeadOpen ? 40 : 10_000)
        $0.idleTimeout = .milliseconds(isHeadOpen ? 10_000 : 40)
      })
    let client = try HTTP2Client(server)

    if isHeadOpen { try client.request(1, "/", isOpen: true) }

    #expect(try client.receive(7).code == 0)
    #expect(try client.client.receiveAll().end == .closed)
    #expect(server.end())
  }

  @Test("a body that does not end gets 408 on its stream")
  func bodyTimeout() throws {
    let server = try TestServer(allowing { $0.bodyTimeout = .milliseconds(40) })
    let client = try HTTP2Client(server)

    try client.request(1, "/", ends: false)
    #expect(try client.body() == "1 no end of /")
    try client.request(3, "/next")

    #expect(try client.body() == "3 /next")
    #expect(server.end())
  }

  @Test("a client whose windows stay closed is disconnected like one that reads nothing")
  func closedWindow() throws {
    let server = try TestServer(allowing { $0.writeTimeout = .milliseconds(40) })
    let client = try HTTP2Client(server)

    try client.send(4, [0, 4, 0, 0, 0, 0])
    try client.request(1, "/unread")
    #expect(try client.client.receiveAll().end == .reset)

    #expect(server.sync { $0.slowReaders }.count == 1)
    #expect(server.end())
  }

  @Test("a client that closes its side gets its answers")
  func halfClosed() throws {
    let server = try TestServer { request in
      .after(.milliseconds(20), .text(200, request.target.path))
    }
    let client = try HTTP2Client(server)

    try client.request(1, "/1")
    client.client.finishSending()

    #expect(try client.body() == "1 /1")
    #expect(try client.client.receiveAll().end == .closed)
    #expect(server.end())
  }

  @Test("a server that is full answers with 503 and ends the connection")
  func overLimit() throws {
    let server = try TestServer(allowing { $0.connectionLimit = 0 })
    let client = try HTTP2Client(server)

    try client.request(1, "/1")

    #expect(try client.receive(7).code == 0)
    #expect(try client.body() == "1 no /1")
    #expect(try client.client.receiveAll().end == .closed)
    #expect(server.end())
  }

  @Test("a listener for one request per connection has HTTP/1 only")
  func gateway() throws {
    let server = try TestServer(keepAlive: false)
    let client = try server.client()

    try client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

    #expect(try client.receiveAll().text.hasPrefix("HTTP/1.1 505 "))
    #expect(server.end())
  }

  @Test("inside a tunnel that ends here, the preface starts HTTP/2")
  func tunnel() throws {
    let server = try TestServer(isProxy: true)
    let client = try server.client()

    try client.send("CONNECT verify.example:80 HTTP/1.1\r\nHost: verify.example:80\r\n\r\n")
    _ = try client.receive(until: "\r\n\r\n")
    try client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

    #expect(try client.receive(count: 9)[3] == 4)
    #expect(server.end())
  }
}
