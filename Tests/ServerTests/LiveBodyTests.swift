import HTTP
import Server
import Testing
import Wire

/// Lines that a live body sends. `@unchecked Sendable`: only used on the loop's thread.
private final class Lines: @unchecked Sendable {
  var texts: [String] = []

  func body(cost: Int) -> BodyPieces {
    var sent = 0
    return BodyPieces(
      hasNews: { [self] in texts.count > sent }, heartbeat: Array("beat;".utf8), cost: { cost }
    ) { [self] in
      defer { sent = texts.count }
      return texts.last == "end" ? nil : texts[sent...].flatMap { Array("\($0);".utf8) }
    }
  }
}

@Suite("Server · live bodies")
struct LiveBodyTests {
  /// `/live` is a live body of all lines; any other path adds a line.
  private func server(
    _ lines: Lines, beat: Duration = .seconds(3600), cost: Int = 1,
    _ configure: (inout Server.Configuration) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(
      allowing {
        $0.liveBodyInterval = .milliseconds(1)
        $0.heartbeatInterval = beat
        $0.drainTimeout = .seconds(60)
        configure(&$0)
      }
    ) { request in
      if request.target.path == "/live" { return .streamed(Response(200), lines.body(cost: cost)) }
      lines.texts.append(String(request.target.path.dropFirst()))
      return .now(.text(200, "added"))
    }
  }

  private func add(_ line: String, to server: TestServer) throws {
    let client = try server.client()
    try client.send(get("/\(line)"))
    #expect(try client.receiveAnswer().hasSuffix("added"))
  }

  @Test("a client gets each change until the body ends, and then the next response", .timeLimit(.minutes(1)))
  func changes() throws {
    let server = try server(Lines())
    let client = try server.client()

    try add("a", to: server)
    try client.send(get("/live") + get("/later"))
    #expect(try client.receive(until: "a;\r\n").hasSuffix("2\r\na;\r\n"))
    try add("b", to: server)
    #expect(try client.receive(until: "b;\r\n") == "2\r\nb;\r\n")
    try add("end", to: server)

    #expect(try client.receive(until: "0\r\n\r\n") == "0\r\n\r\n")
    #expect(try client.receiveAnswer().hasSuffix("added"))
    #expect(server.end())
  }

  @Test("a quiet body gets heartbeats", .timeLimit(.minutes(1)))
  func heartbeats() throws {
    let server = try server(Lines(), beat: .milliseconds(5))
    let client = try server.client()

    try client.send(get("/live"))

    for _ in 1...3 { #expect(try client.receive(until: "beat;").hasSuffix("beat;")) }
    #expect(server.end())
  }

  @Test("after many have continued, all wait longer", .timeLimit(.minutes(1)))
  func pauses() throws {
    let server = try server(Lines()) {
      ($0.liveBodiesPerSecond, $0.maxLiveBodyInterval) = (1, .seconds(3600))
    }
    let clients = [try server.client(), try server.client()]
    for client in clients {
      try client.send(get("/live"))
      _ = try client.receive(until: "\r\n\r\n")
    }

    try add("a", to: server)
    for client in clients { #expect(try client.receive(until: "a;\r\n") == "2\r\na;\r\n") }
    try add("b", to: server)
    try add("c", to: server)

    #expect(server.end())
    for client in clients { #expect(try client.receiveAll().text == "0\r\n\r\n") }
  }

  @Test("after a costly one has continued, all wait longer", .timeLimit(.minutes(1)))
  func costs() throws {
    let server = try server(Lines(), cost: 3_600_000) {
      ($0.liveBodiesPerSecond, $0.maxLiveBodyInterval) = (1_000, .seconds(3600))
    }
    let client = try server.client()
    try client.send(get("/live"))
    _ = try client.receive(until: "\r\n\r\n")

    try add("a", to: server)
    #expect(try client.receive(until: "a;\r\n") == "2\r\na;\r\n")
    try add("b", to: server)

    #expect(server.end())
    #expect(try client.receiveAll().text == "0\r\n\r\n")
  }

  @Test("a drain ends live bodies", .timeLimit(.minutes(1)))
  func drain() throws {
    let server = try server(Lines())
    let client = try server.client()
    try client.send(get("/live"))
    _ = try client.receive(until: "\r\n\r\n")

    #expect(server.end())
    let (text, end) = try client.receiveAll()
    #expect(text == "0\r\n\r\n" && end == .closed)
  }

  @Test("a client that goes away ends its live body", .timeLimit(.minutes(1)))
  func gone() throws {
    let server = try server(Lines())
    do {
      let client = try server.client()
      try client.send(get("/live"))
      _ = try client.receive(until: "\r\n\r\n")
    }

    try add("a", to: server)
    #expect(server.end())
  }

  @Test("an HTTP/1.0 client gets each change without chunks until the body ends", .timeLimit(.minutes(1)))
  func withoutChunks() throws {
    let server = try server(Lines())
    let client = try server.client()

    try add("a", to: server)
    try client.send("GET /live HTTP/1.0\r\n\r\n")
    #expect(try client.receive(until: "a;").hasSuffix("\r\n\r\na;"))
    try add("b", to: server)
    #expect(try client.receive(until: "b;") == "b;")
    try add("end", to: server)

    let (text, end) = try client.receiveAll()
    #expect(text.isEmpty && end == .closed)
    #expect(server.end())
  }
}
