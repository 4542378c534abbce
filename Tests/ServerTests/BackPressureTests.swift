import HTTP
import Server
import Testing
import Wire

@Suite("Server · clients that read too little")
struct BackPressureTests {
  private static let kilobyte = 1_024

  @Test(
    "a large body arrives complete and in order, and so do the responses after it", arguments: [false, true])
  func largeBody(isTruncated: Bool) throws {
    let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let server = try TestServer { request in
      guard request.target.path == "/large" else { return .now(.text(200, request.target.path)) }
      return .now(Response(200, body: body, transport: isTruncated ? .truncated(after: 4_000_000) : .whole))
    }
    let client = try server.client()

    try client.send(get("/a") + get("/large") + get("/b"))

    #expect(try client.receiveAnswer().hasSuffix("/a"))
    #expect(try client.receive(until: "\r\n\r\n").contains("Content-Length: 5000000\r\n"))
    if isTruncated {
      #expect(try client.receive(count: 4_000_000) == Array(body[..<4_000_000]))
      #expect(try client.receiveAll() == ("", .closed))
    } else {
      #expect(try client.receive(count: body.count) == body)
      #expect(try client.receiveAnswer().hasSuffix("/b"))
    }
    #expect(server.end())
  }

  @Test("a large body is complete for a client that closes its side, and for one that asks to close")
  func largeLastBody() throws {
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    let server = try TestServer { _ in .now(Response(200, body: body)) }
    let (first, second) = (try server.client(), try server.client())

    try first.send(get("/"))
    first.finishSending()
    try second.send(get("/", "Connection: close\r\n"))

    for client in [first, second] {
      let (text, end) = try client.receiveAll()
      #expect(text.utf8.count > body.count && end == .closed)
    }
    #expect(server.end())
  }

  @Test("a failed commit replaces a large response")
  func failedCommit() throws {
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    let server = try TestServer { _ in .now(Response(200, body: body)) }
    server.sync { $0.commits = { false } }
    let client = try server.client()

    try client.send(get("/a"))
    #expect(try client.receiveAnswer().hasSuffix("no /a"))
    server.sync { $0.commits = { true } }
    try client.send(get("/b"))

    #expect(try client.receiveAnswer().utf8.count > body.count)
    #expect(server.end())
  }

  @Test("two hundred clients that never read cost a bounded number of responses, and others are answered")
  func manyStalledReaders() throws {
    let body = [UInt8](repeating: 0x61, count: 30 * Self.kilobyte)
    let server = try TestServer(allowing { $0.drainTimeout = .milliseconds(50) }) {
      .now($0.target.path == "/a" ? Response(200, body: body) : .text(200, "b"))
    }
    let stalled = try (0..<200).map { _ in try server.client(receiveBuffer: 4096) }
    let other = try server.client()
    let requests = String(repeating: get("/a"), count: 500)

    for client in stalled { try client.send(requests) }
    for _ in 1...20 {
      try other.send(get("/b"))
      #expect(try other.receiveAnswer().hasSuffix("b"))
    }
    // The count stands still once no connection can continue.
    var (answered, before) = (0, -1)
    while answered != before {
      before = answered
      for _ in 1...20 {
        try other.send(get("/b"))
        _ = try other.receiveAnswer()
      }
      answered = server.sync { $0.log.filter { $0 == "/a" }.count }
    }

    #expect(answered <= stalled.count * 20, "more than 600 KiB for each client that does not read")
    #expect(server.end())
  }

  @Test("a connection answers a limited number of pipelined requests per turn")
  func fairness() throws {
    let server = try TestServer(allowing { $0.requestsPerTurn = 8 })
    let client = try server.client()
    let count = 500

    try client.send(String(repeating: get("/"), count: count))
    for _ in 1...count { _ = try client.receiveAnswer() }
    let turns = server.sync { $0.log.split(separator: "commit").map(\.count) }

    #expect(turns.reduce(0, +) == count && turns.max() == 8)
    #expect(server.end())
  }

  @Test("clients that leave too much unread are disconnected, and the others stay")
  func unsentLimit() throws {
    let body = [UInt8](repeating: 0x61, count: 2_000 * Self.kilobyte)
    let configuration = allowing {
      $0.unsentLimit = 4_000 * Self.kilobyte
      $0.drainTimeout = .milliseconds(50)
    }
    let server = try TestServer(configuration) { request in
      .now(request.target.path == "/a" ? Response(200, body: body) : .text(200, "b"))
    }
    let stalled = try (0..<6).map { _ in try server.client(receiveBuffer: 4096) }
    let other = try server.client()

    for client in stalled {
      try client.send(get("/a"))
      try other.send(get("/b"))
      #expect(try other.receiveAnswer().hasSuffix("b"))
    }
    while server.sync({ $0.log.filter { $0 == "/a" }.count }) < stalled.count {}

    let slow = server.sync { $0.slowReaders }
    #expect(slow.count >= 3 && slow.count < stalled.count)
    #expect(slow.allSatisfy { $0.contains("more than 4096000 bytes unread") })
    try other.send(get("/a"))
    #expect(server.end())
  }

  @Test("a single client may leave more than the limit unread")
  func singleReader() throws {
    let body = [UInt8](repeating: 0x61, count: 4_000 * Self.kilobyte)
    let server = try TestServer(allowing { $0.unsentLimit = 100 * Self.kilobyte }) { _ in
      .now(Response(200, body: body))
    }
    let client = try server.client(receiveBuffer: 4096)

    try client.send(get("/"))

    #expect(try client.receiveAnswer().utf8.count > body.count)
    #expect(server.sync { $0.slowReaders } == [])
    #expect(server.end())
  }

  @Test("a client that reads nothing is reported with a reason")
  func report() throws {
    let body = [UInt8](repeating: 0x61, count: 2_000 * Self.kilobyte)
    let server = try TestServer(allowing { $0.writeTimeout = .milliseconds(40) }) { _ in
      .now(Response(200, body: body))
    }
    let client = try server.client(receiveBuffer: 4096)

    try client.send(get("/"))
    while server.sync({ $0.slowReaders.isEmpty }) {}

    #expect(server.sync { $0.slowReaders } == ["read nothing for 0.04 seconds"])
    #expect(server.end())
  }
}
