import HTTP
import Server
import Testing
import Wire

@Suite("Server · connections")
struct ConnectionTests {
  @Test("a connection stays open for the next request")
  func keepAlive() throws {
    let server = try TestServer()
    let client = try server.client()

    for path in ["/1", "/2", "/3"] {
      try client.send(get(path))
      #expect(try client.receiveAnswer().hasSuffix("\r\n\r\n\(path)"))
    }

    #expect(server.end())
  }

  @Test("pipelined requests are answered in order")
  func pipelining() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send((1...500).map { get("/\($0)") }.joined())
    for number in 1...500 { #expect(try client.receiveAnswer().hasSuffix("\r\n\r\n/\(number)")) }

    #expect(server.end())
  }

  @Test("a request sent byte by byte is answered")
  func bytewise() throws {
    let server = try TestServer()
    let client = try server.client()

    for byte in "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8
    {
      try client.send([byte])
    }

    #expect(try client.receiveAnswer().hasSuffix("/a"))
    #expect(server.end())
  }

  @Test("HEAD is answered without a body, and the connection stays open")
  func head() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n" + get("/next"))

    #expect(try client.receiveAnswer(withBody: false).contains("Content-Length: 4\r\n"))
    #expect(try client.receiveAnswer().hasSuffix("/next"))
    #expect(server.end())
  }

  @Test("a client that asks to close is answered and closed")
  func close() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send(get("/a", "Connection: close\r\n") + get("/b"))
    let (text, end) = try client.receiveAll()

    #expect(text.contains("\r\nConnection: close\r\n\r\n/a") && !text.contains("/b"))
    #expect(end == .closed)
    #expect(server.end())
  }

  @Test("a listener without keep-alive closes each connection after its response")
  func listenerOfSingleRequests() throws {
    let server = try TestServer(keepAlive: false)
    let client = try server.client()

    try client.send(get("/1") + get("/2"))
    let (text, end) = try client.receiveAll()

    #expect(text.contains("\r\nConnection: close\r\n\r\n/1") && end == .closed)
    #expect(server.sync { $0.log.filter { $0 != "commit" } } == ["/1"])
    #expect(server.end())
  }

  @Test("a response can close its connection")
  func closingAnswer() throws {
    let server = try TestServer { request in
      var response = Response.text(200, request.target.path)
      response.closesConnection = request.target.path == "/last"
      return .now(response)
    }
    let client = try server.client()

    try client.send(get("/1"))
    #expect(try !client.receiveAnswer().contains("Connection: close"))
    try client.send(get("/last"))
    let (text, end) = try client.receiveAll()

    #expect(text.contains("\r\nConnection: close\r\n\r\n/last") && end == .closed)
    #expect(server.end())
  }

  @Test("HTTP/1.0 is closed unless it asks for keep-alive")
  func oldVersion() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(try client.receiveAnswer().contains("\r\nConnection: keep-alive\r\n"))
    try client.send("GET /b HTTP/1.0\r\n\r\n")
    let (text, end) = try client.receiveAll()

    #expect(text.hasSuffix("Connection: close\r\n\r\n/b") && end == .closed)
    #expect(server.end())
  }

  @Test("a client that expects 100 Continue gets it")
  func continuation() throws {
    let server = try TestServer { .now(Response(200, body: $0.body)) }
    let client = try server.client()

    try client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try client.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    try client.send("abc")

    #expect(try client.receiveAnswer().hasSuffix("abc"))
    #expect(server.end())
  }

  @Test("a client that sends its body without waiting gets no 100 Continue")
  func impatientContinuation() throws {
    let server = try TestServer { .now(Response(200, body: $0.body)) }
    let client = try server.client()

    try client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc")

    #expect(try client.receiveAnswer().hasPrefix("HTTP/1.1 200 OK"))
    #expect(server.end())
  }

  @Test("an upgrade to HTTP/2 is ignored")
  func upgrade() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send(
      get("/a", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"))
    #expect(try client.receiveAnswer().hasPrefix("HTTP/1.1 200 OK"))
    try client.send(get("/b"))

    #expect(try client.receiveAnswer().hasSuffix("/b"))
    #expect(server.end())
  }

  @Test("an absolute URL sets host and path")
  func absolute() throws {
    let server = try TestServer { .now(.text(200, "\($0.scheme)://\($0.host)\($0.target.text)")) }
    let client = try server.client()

    try client.send("GET http://verify.example:81/v2?a=b HTTP/1.1\r\nHost: other\r\n\r\n")

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nhttp://verify.example:81/v2?a=b"))
    #expect(server.end())
  }

  @Test("a request has its client's address")
  func peer() throws {
    let server = try TestServer { .now(.text(200, $0.peer)) }
    let client = try server.client()

    try client.send(get("/"))

    #expect(try client.receiveAnswer().contains("\r\n\r\n127.0.0.1:"))
    #expect(server.end())
  }

  @Test("a malformed request is answered after earlier ones, and the connection closes")
  func malformed() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send(get("/a") + "GET /b\r\n\r\n" + get("/c"))
    let (text, end) = try client.receiveAll()

    #expect(text.contains("\r\n\r\n/aHTTP/1.1 400 Bad Request\r\n"))
    #expect(text.hasSuffix("Connection: close\r\n\r\nno end of /b"))
    #expect(end == .closed)
    #expect(server.end())
  }

  @Test("a client that is still sending a large body can read its 413")
  func lingering() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
    try client.send([UInt8](repeating: 0x61, count: 3_000_000))
    client.finishSending()
    let (text, end) = try client.receiveAll()

    #expect(text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n") && end == .closed)
    #expect(server.end())
  }

  @Test("a body may be as large as its route allows")
  func largeBody() throws {
    let server = try TestServer { .now(.text(200, "\($0.body.count)")) }
    let client = try server.client()

    try client.send("POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n")
    try client.send([UInt8](repeating: 0x61, count: 5_000_000))

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\n5000000"))
    #expect(server.end())
  }

  @Test("a client that closes its side after the request still gets its response")
  func halfClosed() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send(get("/a") + get("/b"))
    client.finishSending()
    let (text, end) = try client.receiveAll()

    #expect(text.contains("/aHTTP/1.1") && text.hasSuffix("/b") && end == .closed)
    #expect(server.end())
  }

  @Test("a client that disconnects inside a request is removed")
  func goneInside() throws {
    let server = try TestServer()
    do {
      let client = try server.client()
      try client.send("GET / HTTP/1.1\r\nHo")
    }

    let other = try server.client()
    try other.send(get("/a"))

    #expect(try other.receiveAnswer().hasSuffix("/a"))
    #expect(server.end())
  }

  @Test("many clients are served at once")
  func many() throws {
    let server = try TestServer()
    let clients = try (0..<100).map { _ in try server.client() }

    for (number, client) in clients.enumerated() { try client.send(get("/\(number)")) }
    for (number, client) in clients.enumerated().reversed() {
      #expect(try client.receiveAnswer().hasSuffix("\r\n\r\n/\(number)"))
    }

    #expect(server.end())
  }

  @Test("a truncated response is its head and the first bytes of its body")
  func truncated() throws {
    let server = try TestServer { request in
      var response = Response.text(200, "hello \(request.target.path)")
      if request.target.path == "/cut" { response.transport = .truncated(after: 3) }
      return .now(response)
    }
    let client = try server.client()

    try client.send(get("/a") + get("/cut") + get("/b"))
    let (text, end) = try client.receiveAll()

    #expect(text.contains("hello /aHTTP/1.1 200 OK") && text.hasSuffix("Content-Length: 10\r\n\r\nhel"))
    #expect(end == .closed)
    #expect(server.end())
  }

  @Test("a reset response resets the connection")
  func reset() throws {
    let server = try TestServer { _ in .now(Response(200, transport: .reset)) }
    let client = try server.client()

    try client.send(get("/"))
    let (text, end) = try client.receiveAll()

    #expect(text == "" && end == .reset)
    #expect(server.end())
  }
}
