import Glibc
import HTTP
import Server
import Testing
import Wire

@Suite("Server · timeouts, limits and drain")
struct TimeoutTests {
  @Test("an incomplete head is 408 after its timeout")
  func slowHead() throws {
    let server = try TestServer(allowing { $0.headTimeout = .milliseconds(40) })
    let client = try server.client()

    try client.send("GET / HTTP/1.1\r\nHos")
    let (text, end) = try client.receiveAll()

    #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n") && end == .closed)
    #expect(server.end())
  }

  @Test("an incomplete body is 408 after its timeout")
  func slowBody() throws {
    let server = try TestServer(allowing { $0.bodyTimeout = .milliseconds(40) })
    let client = try server.client()

    try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")
    let (text, _) = try client.receiveAll()

    #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
    #expect(server.end())
  }

  @Test("an idle connection is closed without a response")
  func idle() throws {
    let server = try TestServer(allowing { $0.idleTimeout = .milliseconds(40) })
    let fresh = try server.client()
    let used = try server.client()

    try used.send(get("/"))
    _ = try used.receiveAnswer()

    #expect(try fresh.receiveAll() == ("", .closed))
    #expect(try used.receiveAll() == ("", .closed))
    #expect(server.end())
  }

  @Test("a client that waits for a response is not idle")
  func waiting() throws {
    let server = try TestServer(
      allowing {
        $0.idleTimeout = .milliseconds(10)
        $0.headTimeout = .milliseconds(10)
      }
    ) { _ in .after(.milliseconds(80), .text(200, "late")) }
    let client = try server.client()

    try client.send(get("/"))

    #expect(try client.receiveAnswer().hasSuffix("late"))
    #expect(server.end())
  }

  @Test("a client that reads nothing is disconnected")
  func slowReader() throws {
    let body = [UInt8](repeating: 0x61, count: 16 << 20)
    let server = try TestServer(
      allowing {
        $0.writeTimeout = .milliseconds(60)
        $0.drainTimeout = .seconds(60)
      }
    ) { _ in .now(Response(200, body: body)) }
    let client = try server.client(receiveBuffer: 4096)

    try client.send(get("/"))
    while server.sync({ $0.log.isEmpty }) {}

    #expect(server.end())
    #expect(throws: (any Error).self) { try client.receive(count: body.count + 1) }
  }

  @Test("reading pauses while a client does not read its responses, and each response arrives whole")
  func backPressure() throws {
    let size = 100_000
    let server = try TestServer { request in
      .now(Response(200, body: [UInt8](repeating: request.target.path.utf8.last ?? 0, count: size)))
    }
    // Large enough for a whole segment of the loopback: the kernel drops what does not fit, and sends it
    // again later.
    let client = try server.client(receiveBuffer: 65_536)
    let other = try server.client()
    let paths = (0..<300).map { "/a\($0 % 10)" }

    try client.send(paths.map { get($0) }.joined())
    try other.send(get("/b"))
    _ = try other.receiveAnswer()
    let answered = server.sync { $0.log.filter { $0.hasPrefix("/a") }.count }
    // Compared afterwards, because a client that reads fast meets more of the server's cases.
    let expected = paths.map { path in
      "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        + String(repeating: String(path.suffix(1)), count: size)
    }.joined()
    let received = String(decoding: try client.receive(count: expected.utf8.count), as: UTF8.self)
    // A failure that printed both would have 60 MB.
    let isWhole = received == expected
    #expect(isWhole)

    #expect(answered < paths.count / 2)
    #expect(server.sync { $0.log.filter { $0.hasPrefix("/a") }.count } == paths.count)
    #expect(server.end())
  }

  @Test("many requests after a pending one are not buffered without limit")
  func readPressure() throws {
    let server = try TestServer { request in
      request.target.path == "/slow" ? .after(.milliseconds(50), .text(200, "late")) : .now(.text(200, "now"))
    }
    let client = try server.client()
    let count = 20_000

    try client.send(get("/slow") + String(repeating: get("/"), count: count))

    #expect(try client.receiveAnswer().hasSuffix("late"))
    for _ in 1...count { _ = try client.receiveAnswer() }
    #expect(server.end())
  }

  @Test("a connection over the limit gets 503 and is closed")
  func full() throws {
    let server = try TestServer(allowing { $0.connectionLimit = 2 })
    let first = try server.client()
    try first.send(get("/1"))
    _ = try first.receiveAnswer()
    do {
      let second = try server.client()
      try second.send(get("/2"))
      _ = try second.receiveAnswer()

      let third = try server.client()
      try third.send(get("/3"))
      let (text, end) = try third.receiveAll()

      #expect(text.hasPrefix("HTTP/1.1 503 ") && text.hasSuffix("\r\n\r\nno /3") && end == .closed)
    }

    var isServed = false
    while !isServed {
      let fourth = try server.client()
      try fourth.send(get("/4"))
      isServed = try fourth.receive(until: "\r\n").contains("200")
    }

    #expect(server.end())
  }

  /// Issue 45, C10.
  @Test("without free descriptors, connections get 503 and are closed, and one report says so")
  func noDescriptors() throws {
    let server = try TestServer(allowing { $0.descriptorLimit = 0 })
    for _ in 1...3 {
      let (text, end) = try server.client().receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("\r\nConnection: close\r\n") && end == .closed)
    }

    #expect(server.sync { $0.refused } == [1])
    #expect(server.end())
  }

  @Test("a drain closes idle connections, finishes requests and accepts no new ones")
  func drain() throws {
    let server = try TestServer()
    let idle = try server.client()
    let busy = try server.client()
    try idle.send(get("/1"))
    _ = try idle.receiveAnswer()
    try busy.send("GET /2 HTTP/1.1\r\n")
    try busy.send("Host: x\r\n")
    while server.sync({ $0.log.count < 2 }) {}

    server.drain()
    #expect(try idle.receiveAll() == ("", .closed))
    try busy.send("\r\n")
    let (text, end) = try busy.receiveAll()

    #expect(text.hasSuffix("Connection: close\r\n\r\n/2") && end == .closed)
    #expect(server.join())
    #expect(throws: Client.Failure.system(ECONNREFUSED)) { try server.client() }
  }

  @Test("a drain ends within its timeout")
  func boundedDrain() throws {
    let server = try TestServer(allowing { $0.drainTimeout = .milliseconds(40) })
    let client = try server.client()
    try client.send("GET / HTTP/1.1\r\n")
    let other = try server.client()
    try other.send(get("/"))
    _ = try other.receiveAnswer()

    #expect(server.end())
    #expect(try client.receiveAll().end == .reset)
  }

  @Test(
    "46 F4: SIGTERM drains the server, and SIGINT closes idle connections at once", .serialized,
    arguments: [SIGTERM, SIGINT])
  func signal(number: Int32) throws {
    // No test waits for a grace of an hour.
    let limits = allowing { if number == SIGINT { $0.drainGrace = .seconds(3600) } }
    let server = try TestServer(limits, signals: true)
    let client = try server.client()
    try client.send(get("/"))
    _ = try client.receiveAnswer()

    kill(getpid(), number)

    #expect(try client.receiveAll() == ("", .closed))
    #expect(server.join())
  }
}
