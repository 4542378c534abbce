import HTTP
import Server
import Testing
import Wire

@Suite("Server · tunnels to remote hosts")
struct RemoteTunnelTests {
  /// A proxy that forwards everything to this port.
  private func proxy(
    to port: UInt16, host: String = "127.0.0.1", _ configuration: Server.Configuration = .init()
  ) throws -> TestServer {
    let server = try TestServer(configuration, isProxy: true)
    server.sync { application in
      application.decideProxy = { [unowned application] request in
        .forward(to: Authority(host: host, port: port)) { answer in
          application.write("\(request.host) \(answer?.status.code ?? 0)")
        }
      }
    }
    return server
  }

  @Test("bytes are forwarded both ways, starting with those after CONNECT")
  func bothWays() throws {
    let receiver = try Receiver()
    let server = try proxy(to: receiver.port)
    let client = try server.client()

    try client.send(connect("a.example:7") + "one")
    let host = try receiver.accept()
    #expect(try client.receive(until: "\r\n\r\n") == LocalTunnelTests.established)
    try client.send("two")
    #expect(try host.receive(count: 6) == Array("onetwo".utf8))
    try host.send("three")
    #expect(try client.receive(count: 5) == Array("three".utf8))
    #expect(server.sync { $0.log }.last { $0 != "commit" } == "a.example:7 200")
    #expect(server.end())
  }

  @Test("responses to requests before CONNECT are sent first")
  func before() throws {
    let receiver = try Receiver()
    let server = try proxy(to: receiver.port)
    let client = try server.client()

    try client.send(get("/before") + connect("a.example:7") + "one")
    #expect(try client.receiveAnswer().hasSuffix("/before"))
    #expect(try client.receive(until: "\r\n\r\n") == LocalTunnelTests.established)
    #expect(try receiver.accept().receive(count: 3) == Array("one".utf8))
    #expect(server.end())
  }

  @Test("closing one side closes the other side's input, but not its output")
  func halfClose() throws {
    let receiver = try Receiver()
    let server = try proxy(to: receiver.port)
    let (client, other) = (try server.client(), try server.client())

    try client.send(connect("a.example:7") + "one")
    client.finishSending()
    let host = try receiver.accept()
    #expect(try host.receiveAll() == ("one", .closed))
    try host.send("two")
    host.finishSending()
    #expect(try client.receiveAll() == (LocalTunnelTests.established + "two", .closed))

    try other.send(connect("a.example:7"))
    let second = try receiver.accept()
    second.finishSending()
    #expect(try other.receiveAll() == (LocalTunnelTests.established, .closed))
    try other.send("late")
    #expect(try second.receive(count: 4) == Array("late".utf8))
    #expect(server.end())
  }

  @Test("a reset of one side ends the other")
  func reset() throws {
    let receiver = try Receiver()
    let server = try proxy(to: receiver.port)
    var client: Client? = try server.client()

    try client?.send(connect("a.example:7"))
    let host = try receiver.accept()
    _ = try client?.receive(until: "\r\n\r\n")
    try host.send("unread")
    client = nil

    #expect(throws: Never.self) { try host.receiveAll() }
    #expect(server.end())
  }

  @Test("an unreachable host is 502, and the bytes for it are dropped")
  func unreachable() throws {
    let port = try Receiver().port
    let server = try proxy(to: port)
    let client = try server.client()

    try client.send(connect("a.example:7") + get("/behind"))
    let text = try client.receiveAll().text

    #expect(text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
    #expect(text.contains("127.0.0.1:\(port) cannot be reached: connecting to 127.0.0.1:\(port) failed: "))
    #expect(server.sync { $0.log }.contains("a.example:7 502"))
    #expect(!server.sync { $0.log }.contains("/behind"))
    #expect(server.end())
  }

  @Test("a host without an address is 502")
  func nameless() throws {
    let server = try proxy(to: 7, host: "no-such-host.invalid")
    let client = try server.client()

    try client.send(connect("a.example:7"))

    #expect(try client.receiveAll().text.contains("looking up no-such-host.invalid failed"))
    #expect(server.end())
  }

  @Test("a connect timeout is 504")
  func late() throws {
    let receiver = try Receiver(backlog: 0)
    let waiting = try Client(port: receiver.port)
    let server = try proxy(to: receiver.port, allowing { $0.connectTimeout = .milliseconds(50) })
    let client = try server.client()

    try client.send(connect("a.example:7"))
    let text = try client.receiveAll().text

    #expect(text.hasPrefix("HTTP/1.1 504 Gateway Timeout\r\n"))
    #expect(text.contains("timed out after 0.05 seconds while connecting"))
    withExtendedLifetime(waiting) {}
    #expect(server.end())
  }

  @Test("an idle tunnel is closed")
  func idle() throws {
    let receiver = try Receiver()
    let server = try proxy(to: receiver.port, allowing { $0.tunnelTimeout = .milliseconds(50) })
    let client = try server.client()

    try client.send(connect("a.example:7"))
    let host = try receiver.accept()

    #expect(try client.receiveAll() == (LocalTunnelTests.established, .closed))
    #expect(try host.receiveAll() == ("", .closed))
    #expect(server.end())
  }

  @Test("a drain closes tunnels, even those still connecting")
  func drain() throws {
    let (receiver, full) = (try Receiver(), try Receiver(backlog: 0))
    let waiting = try Client(port: full.port)
    let (open, opening) = (try proxy(to: receiver.port), try proxy(to: full.port))
    let (one, other) = (try open.client(), try opening.client())
    try one.send(connect("a.example:7"))
    _ = try one.receive(until: "\r\n\r\n")
    try other.send(connect("a.example:7"))
    while !opening.sync({ $0.log.contains("CONNECT a.example:7") }) {}

    open.drain()
    opening.drain()

    #expect(try one.receiveAll() == ("", .closed))
    #expect(try other.receiveAll() == ("", .closed))
    withExtendedLifetime(waiting) {}
    #expect(open.join())
    #expect(opening.join())
  }

  @Test("a request with an absolute URL is forwarded, and its response closes the connection")
  func wholeURL() throws {
    let receiver = try Receiver()
    let server = try proxy(to: receiver.port)
    let client = try server.client()

    try client.send("GET http://a.example:7/b HTTP/1.1\r\nHost: x\r\n\r\n" + get("/behind"))
    let host = try receiver.accept()
    #expect(
      try host.receive(until: "\r\n\r\n")
        == "GET /b HTTP/1.1\r\nHost: a.example:7\r\nVia: 1.1 ringfence\r\nConnection: close\r\n\r\n")
    try client.send("and nothing of this")
    try host.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    host.finishSending()

    #expect(try client.receiveAll() == ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", .closed))
    #expect(try host.receiveAll() == ("", .closed))
    #expect(server.sync { $0.log }.last { $0 != "commit" } == "a.example:7 0")
    #expect(server.end())
  }

  @Test("only the proxy port forwards requests")
  func notProxy() throws {
    let server = try TestServer()
    server.sync { $0.decideProxy = { _ in .forward(to: Authority(host: "127.0.0.1", port: 1)) { _ in } } }
    let client = try server.client()

    try client.send("GET http://a.example/ HTTP/1.1\r\nHost: x\r\n\r\n" + get("/behind"))

    #expect(try client.receiveAnswer().hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
    #expect(try client.receiveAnswer().hasSuffix("/behind"))
    #expect(server.end())
  }
}
