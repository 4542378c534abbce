import Crypto
import HTTP
import Server
import Testing
import Wire

@Suite("Server · local tunnels")
struct LocalTunnelTests {
  static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

  @Test("requests inside a tunnel are answered in order")
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

  @Test("bytes after CONNECT belong to the tunnel, however they are split")
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

  @Test("every request inside a tunnel has its proxy credentials")
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

  @Test("an HTTP/1.0 request inside a tunnel gets the tunnel's host")
  func oldRequest() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.host)) }
    let client = try server.client()

    try client.send(connect("a.example:80") + "GET / HTTP/1.0\r\n\r\n")

    #expect(try client.receiveAll().text.hasSuffix("\r\n\r\na.example:80"))
    #expect(server.end())
  }

  @Test("the first byte selects TLS")
  func secure() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, "\($0.scheme) \($0.host)")) }
    let client = try server.client()
    let session = try TLSSession(
      client: TLSContext(trusting: []), host: "verify.example", isLiteral: false)

    try client.send(Array(connect("other.example:443").utf8) + session.takeOutput())
    #expect(try client.receive(until: "\r\n\r\n") == Self.established)
    // The first record of the server: a handshake in the format of TLS 1.2.
    #expect(try client.receive(count: 3) == [0x16, 0x03, 0x03])
    #expect(server.end())
  }

  @Test("bytes that are neither TLS nor HTTP get 400 and close the connection")
  func garbage() throws {
    let server = try TestServer(isProxy: true)
    let client = try server.client()

    try client.send(Array(connect("a.example:443").utf8) + [0, 1, 2])

    #expect(try client.receiveAll().text.hasPrefix(Self.established + "HTTP/1.1 400 Bad Request\r\n"))
    #expect(server.end())
  }

  @Test("a denied tunnel closes the connection, and later bytes are ignored")
  func refused() throws {
    let server = try TestServer(isProxy: true)
    server.sync { $0.decideProxy = { _ in .denied(.text(403, "no way\n")) } }
    let client = try server.client()

    try client.send(get("/before") + connect("a.example:443") + get("/behind"))
    let text = try client.receiveAll().text

    #expect(text.contains("/beforeHTTP/1.1 403 Forbidden\r\n"))
    #expect(text.hasSuffix("Connection: close\r\n\r\nno way\n"))
    #expect(server.sync { $0.log } == ["/before", "CONNECT a.example:443", "commit"])
    #expect(server.end())
  }

  @Test("CONNECT is 405 on other ports and inside a tunnel")
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

  @Test("a request with an absolute URL is answered or denied, and the connection stays open")
  func wholeURL() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.host)) }
    server.sync { application in
      application.decideProxy = { $0.host == "a.example" ? .local : .denied(.text(403, "not \($0.host)")) }
    }
    let client = try server.client()

    for host in ["b.example", "a.example"] {
      try client.send("GET http://\(host)/ HTTP/1.1\r\nHost: x\r\n\r\n")
    }

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nnot b.example"))
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\na.example"))
    #expect(server.end())
  }

  @Test("an absolute URL inside a tunnel is an ordinary request")
  func wholeURLInside() throws {
    let server = try TestServer(isProxy: true) { .now(.text(200, $0.host)) }
    let client = try server.client()

    try client.send(connect("a.example:80") + "GET http://b.example/ HTTP/1.1\r\nHost: x\r\n\r\n")

    _ = try client.receive(until: "\r\n\r\n")
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nb.example"))
    #expect(server.sync { $0.log }.first == "CONNECT a.example:80")
    #expect(server.sync { $0.log }.contains("GET b.example") == false)
    #expect(server.end())
  }

  @Test("an unused tunnel is closed after the idle timeout")
  func silence() throws {
    let server = try TestServer(allowing { $0.idleTimeout = .milliseconds(50) }, isProxy: true)
    let client = try server.client()

    try client.send(connect("a.example:443"))

    #expect(try client.receiveAll() == (Self.established, .closed))
    #expect(server.end())
  }

  @Test("a drain closes idle tunnels")
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

  @Test("a connection over the limit gets no tunnel")
  func surplus() throws {
    let server = try TestServer(allowing { $0.connectionLimit = 1 }, isProxy: true)
    let (first, second) = (try server.client(), try server.client())
    try first.send(connect("a.example:80"))
    _ = try first.receive(until: "\r\n\r\n")

    try second.send(connect("a.example:80"))

    #expect(try second.receiveAll().text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(server.end())
  }

  @Test("a failed commit replaces responses before a tunnel, not the tunnel")
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

/// A CONNECT request with these lines after its `Host`.
func connect(_ place: String, _ lines: String = "") -> String {
  "CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\(lines)\r\n"
}
