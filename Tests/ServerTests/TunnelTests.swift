import Crypto
import HTTP
import Server
import Testing
import Wire

@Suite("Server · tunnels that end here")
struct TunnelTests {
  static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

  @Test("requests inside a tunnel are answered one after another, as ever")
  func requests() throws {
    let server = try TestServer(isProxy: true) {
      .now(.text(200, "\($0.scheme) \($0.host) \($0.target.path)"))
    }
    let client = try server.client()

    try client.send(connect("a.example:80"))
    #expect(try client.receive(until: "\r\n\r\n") == Self.established)
    for path in ["/1", "/2", "/3"] {
      try client.send(get(path))
      #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nhttp x \(path)"))
    }
    #expect(server.end())
  }

  @Test("what comes right behind CONNECT belongs to the tunnel, however the bytes are split")
  func together() throws {
    let server = try TestServer(isProxy: true)
    let bytes = Array((get("/before") + connect("a.example:80") + get("/inside")).utf8)

    for split in stride(from: 1, to: bytes.count, by: 7) {
      let client = try server.client()
      try client.send(Array(bytes[..<split]))
      try client.send(Array(bytes[split...]))
      #expect(try client.receiveAnswer().hasSuffix("/before"))
      #expect(try client.receive(until: "\r\n\r\n") == Self.established)
      #expect(try client.receiveAnswer().hasSuffix("/inside"))
    }
    #expect(server.end())
  }

  @Test("the user of the proxy is known to every request inside")
  func user() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.proxyAuthorization ?? "nobody")) }
    let (one, other) = (try server.client(), try server.client())

    try one.send(connect("a.example:80", "Proxy-Authorization: Basic b25l\r\n") + get("/") + get("/"))
    try other.send(connect("a.example:80") + get("/", "Proxy-Authorization: Basic b25l\r\n"))

    _ = try (one.receive(until: "\r\n\r\n"), other.receive(until: "\r\n\r\n"))
    #expect(try one.receiveAnswer().hasSuffix("\r\n\r\nBasic b25l"))
    #expect(try one.receiveAnswer().hasSuffix("\r\n\r\nBasic b25l"))
    #expect(try other.receiveAnswer().hasSuffix("\r\n\r\nnobody"))
    #expect(server.end())
  }

  @Test("a request of HTTP/1.0 inside is for the host that the tunnel leads to")
  func oldRequest() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.host)) }
    let client = try server.client()

    try client.send(connect("a.example:80") + "GET / HTTP/1.0\r\n\r\n")

    #expect(try client.receiveAll().text.hasSuffix("\r\n\r\na.example:80"))
    #expect(server.end())
  }

  @Test("where the first byte says so, TLS is spoken")
  func secure() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, "\($0.scheme) \($0.host)")) }
    let client = try server.client()
    let session = try TLSSession(
      client: TLSContext(trusting: []), host: "verify.example", isLiteral: false)

    try client.send(Array(connect("other.example:443").utf8) + session.takeOutput())
    #expect(try client.receive(until: "\r\n\r\n") == Self.established)
    // The first record of the server's answer: a handshake, of TLS 1.2 by its form.
    #expect(try client.receive(count: 3) == [0x16, 0x03, 0x03])
    #expect(server.end())
  }

  @Test("bytes that are neither TLS nor a request are answered as ever, and the connection ends")
  func garbage() throws {
    let server = try TestServer(isProxy: true)
    let client = try server.client()

    try client.send(Array(connect("a.example:443").utf8) + [0, 1, 2])

    #expect(try client.receiveAll().text.hasPrefix(Self.established + "HTTP/1.1 400 Bad Request\r\n"))
    #expect(server.end())
  }

  @Test("a tunnel that is refused ends the connection, and what was sent behind is read by nobody")
  func refused() throws {
    let server = try TestServer(isProxy: true)
    server.sync { $0.passage = { _ in .refused(.text(403, "no way\n")) } }
    let client = try server.client()

    try client.send(get("/before") + connect("a.example:443") + get("/behind"))
    let text = try client.receiveAll().text

    #expect(text.contains("/beforeHTTP/1.1 403 Forbidden\r\n"))
    #expect(text.hasSuffix("Connection: close\r\n\r\nno way\n"))
    #expect(server.sync { $0.diary } == ["/before", "CONNECT a.example:443", "commit"])
    #expect(server.end())
  }

  @Test("a port that is no proxy, and the inside of a tunnel, offer none")
  func notOffered() throws {
    let (plain, proxy) = (try TestServer(), try TestServer(isProxy: true))
    let (one, other) = (try plain.client(), try proxy.client())

    try one.send(connect("a.example:443"))
    try other.send(connect("a.example:443") + connect("b.example:443"))

    #expect(try one.receiveAll().text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
    #expect(try other.receiveAll().text.hasPrefix(Self.established + "HTTP/1.1 405 Method Not Allowed\r\n"))
    #expect(plain.end())
    #expect(proxy.end())
  }

  @Test("a request for a whole URL is answered here, or refused, and then the connection goes on")
  func wholeURL() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.host)) }
    server.sync { application in
      application.passage = { $0.host == "a.example" ? .here : .refused(.text(403, "not \($0.host)")) }
    }
    let client = try server.client()

    for host in ["b.example", "a.example"] {
      try client.send("GET http://\(host)/ HTTP/1.1\r\nHost: x\r\n\r\n")
    }

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nnot b.example"))
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\na.example"))
    #expect(server.end())
  }

  @Test("a whole URL inside a tunnel is a request like any other")
  func wholeURLInside() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.host)) }
    let client = try server.client()

    try client.send(connect("a.example:80") + "GET http://b.example/ HTTP/1.1\r\nHost: x\r\n\r\n")

    _ = try client.receive(until: "\r\n\r\n")
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nb.example"))
    #expect(server.sync { $0.diary }.first == "CONNECT a.example:80")
    #expect(server.sync { $0.diary }.contains("GET b.example") == false)
    #expect(server.end())
  }

  @Test("a tunnel in which nothing is said ends in time")
  func silence() throws {
    let server = try TestServer(allowing { $0.idleTimeout = .milliseconds(50) }, isProxy: true)
    let client = try server.client()

    try client.send(connect("a.example:443"))

    #expect(try client.receiveAll() == (Self.established, .closed))
    #expect(server.end())
  }

  @Test("a drain ends tunnels in which nothing is under way")
  func drain() throws {
    let server = try TestServer(isProxy: true)
    let (silent, used) = (try server.client(), try server.client())
    try silent.send(connect("a.example:443"))
    _ = try silent.receive(until: "\r\n\r\n")
    try used.send(connect("a.example:80") + get("/"))
    _ = try (used.receive(until: "\r\n\r\n"), used.receiveAnswer())

    server.drain()

    #expect(try silent.receiveAll() == ("", .closed))
    #expect(try used.receiveAll() == ("", .closed))
    #expect(server.join())
  }

  @Test("a connection beyond the limit gets no tunnel")
  func surplus() throws {
    let server = try TestServer(allowing { $0.connectionLimit = 1 }, isProxy: true)
    let (first, second) = (try server.client(), try server.client())
    try first.send(connect("a.example:80"))
    _ = try first.receive(until: "\r\n\r\n")

    try second.send(connect("a.example:80"))

    #expect(try second.receiveAll().text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(server.end())
  }

  @Test("a failed commit takes back the answers before a tunnel, not the tunnel")
  func failedCommit() throws {
    let server = try TestServer(isProxy: true)
    server.sync { application in
      application.commits = { false }
    }
    let client = try server.client()

    try client.send(get("/before") + connect("a.example:80"))

    #expect(try client.receiveAnswer().hasPrefix("HTTP/1.1 503 "))
    #expect(try client.receive(until: "\r\n\r\n") == Self.established)
    #expect(server.end())
  }
}

/// A request for a tunnel, with these lines behind its `Host`.
func connect(_ place: String, _ lines: String = "") -> String {
  "CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\(lines)\r\n"
}
