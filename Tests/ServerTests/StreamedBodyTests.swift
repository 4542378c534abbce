import HTTP
import Server
import Testing
import Wire

/// Counts the pieces that were produced. `@unchecked Sendable`: only used on the loop's thread.
private final class Producer: @unchecked Sendable {
  struct Failure: Error {}

  static let piece = [UInt8](repeating: 0x61, count: 10_000)
  var count = 0
  /// True if the body that has no end of its own ends.
  var isEnough = false

  /// A body of this many pieces, with an error in place of its end if it fails.
  func body(_ pieces: Int, fails: Bool = false) -> BodyPieces {
    BodyPieces { [self] in
      guard count < pieces else {
        if fails { throw Failure() }
        return nil
      }
      count += 1
      return Self.piece
    }
  }
}

@Suite("Server · bodies in pieces")
struct StreamedBodyTests {
  /// A server that answers `/large` with pieces, and other paths with their text.
  private func server(_ pieces: Int, fails: Bool = false, _ producer: Producer) throws -> TestServer {
    try TestServer(allowing { $0.drainTimeout = .milliseconds(50) }) { request in
      guard request.target.path == "/large" else { return .now(.text(200, request.target.path)) }
      return .streamed(Response(200), producer.body(pieces, fails: fails))
    }
  }

  /// The content of a body with chunked transfer coding; nil if its last chunk is missing.
  private func content(_ text: String) throws -> String? {
    var (rest, found) = (text[...], "")
    while let end = rest.firstRange(of: "\r\n") {
      let size = try #require(Int(rest[..<end.lowerBound], radix: 16))
      if size == 0 { return found }
      guard let next = rest.index(end.upperBound, offsetBy: size, limitedBy: rest.endIndex) else { break }
      found += rest[end.upperBound..<next]
      rest = rest[next...].dropFirst()
    }
    return nil
  }

  @Test("all pieces arrive in chunks, and later responses follow them")
  func complete() throws {
    let server = try server(300, Producer())
    let client = try server.client()

    try client.send(get("/a") + get("/large") + get("/b", "Connection: close\r\n"))

    #expect(try client.receiveAnswer().hasSuffix("/a"))
    #expect(try client.receive(until: "\r\n\r\n").contains("Transfer-Encoding: chunked\r\n"))
    let body = try content(client.receive(until: "0\r\n\r\n"))
    #expect(body == String(repeating: "a", count: 3_000_000))
    let (text, end) = try client.receiveAll()
    #expect(text.hasSuffix("/b") && end == .closed)
    #expect(server.end())
  }

  @Test("pieces that take long, also without a result, are made over several turns; others are answered")
  func longTurns() throws {
    // Its body ends only because another request is answered meanwhile.
    let producer = Producer()
    let server = try TestServer { request in
      guard request.target.path == "/large" else {
        producer.isEnough = request.target.path == "/enough"
        return .now(.text(200, "answered"))
      }
      return .streamed(
        Response(200),
        BodyPieces {
          // Longer than a connection's share of a turn.
          let start = ContinuousClock.now
          while ContinuousClock.now - start < .milliseconds(20) {}
          producer.count += 1
          return producer.isEnough ? nil : producer.count % 4 == 0 ? Producer.piece : []
        })
    }
    let (client, other) = (try server.client(), try server.client())

    try client.send(get("/large"))
    _ = try client.receive(until: "\r\n\r\n")
    for path in ["/other", "/enough"] {
      try other.send(get(path))
      #expect(try other.receiveAnswer().hasSuffix("answered"))
    }

    #expect(try content(client.receive(until: "0\r\n\r\n")) != nil)
    try client.send(get("/large", "Connection: close\r\n"))
    #expect(try client.receiveAll().end == .closed)
    #expect(server.end())
  }

  @Test("a client that begins to read late is not taken for one that reads nothing")
  func lateReader() throws {
    let producer = Producer()
    let server = try TestServer(
      allowing {
        // The timeouts are looked at often.
        $0.lingerTimeout = .milliseconds(20)
      }
    ) { request in
      guard request.target.path == "/large" else { return .now(.text(200, "\(producer.count)")) }
      return .streamed(
        Response(200),
        BodyPieces {
          producer.count += 1
          // Its head is sent in a turn without a piece.
          let start = ContinuousClock.now
          while producer.count == 1, ContinuousClock.now - start < .milliseconds(20) {}
          return producer.count == 1 ? [] : producer.count < 400 ? Producer.piece : nil
        })
    }
    let (late, other) = (try server.client(receiveBuffer: 4096), try server.client())

    try late.send(get("/large", "Connection: close\r\n"))
    for _ in 1...2_000 {
      try other.send(get("/b"))
      _ = try other.receiveAnswer()
    }
    _ = try late.receive(until: "\r\n\r\n")

    #expect(try content(late.receive(until: "0\r\n\r\n"))?.utf8.count == 3_980_000)
    #expect(server.end())
  }

  @Test("pieces are only produced while the client reads")
  func stalled() throws {
    let producer = Producer()
    let server = try server(.max, producer)
    let (stalled, other) = (try server.client(receiveBuffer: 4096), try server.client())

    try stalled.send(get("/large"))
    var (count, before) = (0, -1)
    while count == 0 || count != before {
      before = count
      for _ in 1...20 {
        try other.send(get("/b"))
        #expect(try other.receiveAnswer().hasSuffix("/b"))
      }
      count = server.sync { _ in producer.count }
    }

    #expect(count < 1_000, "more than 10 MB for a client that does not read")
    #expect(server.end())
  }

  @Test("after an error the connection closes without the last chunk")
  func failure() throws {
    let server = try server(3, fails: true, Producer())
    let client = try server.client()

    try client.send(get("/large"))
    _ = try client.receive(until: "\r\n\r\n")
    let (text, end) = try client.receiveAll()

    #expect(try content(text) == nil && end == .closed)
    #expect(server.end())
  }

  @Test("an HTTP/1.0 client gets the body up to the end of the connection, and HEAD gets none")
  func withoutChunks() throws {
    let server = try server(30, Producer())
    let (old, head) = (try server.client(), try server.client())

    try old.send("GET /large HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    let (text, end) = try old.receiveAll()
    #expect(text.contains("Connection: close\r\n\r\naaa") && !text.contains("Transfer-Encoding"))
    #expect(text.hasSuffix(String(repeating: "a", count: 300_000)) && end == .closed)

    try head.send("HEAD /large HTTP/1.1\r\nHost: x\r\n\r\n" + get("/b"))
    #expect(try head.receive(until: "\r\n\r\n").contains("Transfer-Encoding: chunked"))
    #expect(try head.receiveAnswer().hasSuffix("/b"))
    #expect(server.end())
  }

  @Test("a failed commit replaces the response before any piece is produced")
  func failedCommit() throws {
    let producer = Producer()
    let server = try server(30, producer)
    server.sync { $0.commits = { false } }
    let client = try server.client()

    try client.send(get("/large"))

    #expect(try client.receiveAnswer().hasSuffix("no /large"))
    #expect(server.sync { _ in producer.count } == 0)
    #expect(server.end())
  }
}
