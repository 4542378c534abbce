import HTTP
import Server
import Testing
import Wire

@Suite("Server · WebSockets")
struct WebSocketTests {
  private let board = Board()

  private func server(_ change: (inout Server.Configuration) -> Void = { _ in }) throws -> TestServer {
    let board = board
    return try TestServer(allowing(change)) { board.reply(to: $0) }
  }

  @Test("a valid handshake opens a socket, and what was there before is sent first")
  func opening() throws {
    let server = try server()
    let other = try server.client()
    try other.send(get("/add?first"))
    _ = try other.receiveAnswer()

    let socket = try SocketClient(server)

    #expect(socket.response.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    // The example of RFC 6455, 1.3
    #expect(socket.response.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    #expect(!socket.response.contains("Content-Length") && !socket.response.contains("Connection: close"))
    #expect(try socket.receive() == .init(first: 0x81, payload: Array("first".utf8)))
    #expect(server.end())
  }

  @Test("a change sends to every socket of its source, after the commit")
  func change() throws {
    let server = try server()
    let sockets = try (0..<3).map { _ in try SocketClient(server) }
    let other = try server.client()

    try other.send(get("/add?news"))

    for socket in sockets { #expect(try socket.receiveText() == "news") }
    #expect(server.sync { $0.log.suffix(3) } == ["/add?news", "commit", "commit"])
    #expect(server.end())
  }

  @Test("a message of the client is answered, and the answer follows a commit")
  func message() throws {
    let server = try server()
    let socket = try SocketClient(server)
    let commits = server.sync { $0.log.count { $0 == "commit" } }

    try socket.send("hello")

    #expect(try socket.receiveText() == "got hello")
    #expect(server.sync { $0.log.count { $0 == "commit" } } > commits)
    #expect(server.end())
  }

  @Test("a request that does not change the source updates no socket")
  func unchanged() throws {
    let server = try server()
    let socket = try SocketClient(server)
    try socket.send("one")
    _ = try socket.receive()
    let board = board
    let updates = server.sync { _ in board.updates }
    let other = try server.client()

    for _ in 0..<3 {
      try other.send(get("/other"))
      _ = try other.receiveAnswer()
    }

    #expect(server.sync { _ in board.updates } == updates)
    #expect(server.end())
  }

  @Test("fragments are joined, and a ping between them is answered first")
  func fragments() throws {
    let server = try server()
    let socket = try SocketClient(server)

    try socket.send(0x01, Array("he".utf8))
    try socket.send(0x89, Array("ping".utf8))
    try socket.send(0x00, Array("ll".utf8))
    try socket.send(0x80, Array("o".utf8))

    #expect(try socket.receive() == .init(first: 0x8A, payload: Array("ping".utf8)))
    #expect(try socket.receiveText() == "got hello")
    #expect(server.end())
  }

  @Test("bytes may arrive one at a time, and a character may be split between fragments")
  func pieces() throws {
    let server = try server()
    let socket = try SocketClient(server)
    let text = Array("é".utf8)

    for byte in SocketClient.frame(0x01, [text[0]]) + SocketClient.frame(0x80, [text[1]]) {
      try socket.client.send([byte])
    }

    #expect(try socket.receiveText() == "got é")
    #expect(server.end())
  }

  @Test("a message of 4096 bytes is accepted, empty ones too")
  func sizes() throws {
    let server = try server()
    let socket = try SocketClient(server)
    let longest = String(repeating: "x", count: 4096)

    try socket.send(longest)
    try socket.send("")

    #expect(try socket.receiveText() == "got " + longest)
    #expect(try socket.receiveText() == "got ")
    #expect(server.end())
  }

  @Test("messages in the same packet as the handshake are handled")
  func earlyMessage() throws {
    let server = try server()
    let client = try server.client()

    try client.send(Array(get("/", SocketClient.handshake).utf8) + SocketClient.text("early"))

    #expect(try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
    #expect(try client.receive(count: 2 + 9) == [0x81, 9] + Array("got early".utf8))
    #expect(server.end())
  }

  @Test("hundreds of messages in one packet are all answered, in order")
  func manyMessages() throws {
    let server = try server()
    let socket = try SocketClient(server)

    try socket.client.send((0..<500).flatMap { SocketClient.text("\($0)") })

    for number in 0..<500 { #expect(try socket.receiveText() == "got \(number)") }
    #expect(server.end())
  }

  @Test("many messages without an answer do not stop the socket")
  func silentMessages() throws {
    let server = try server()
    let socket = try SocketClient(server)

    try socket.client.send((0..<500).flatMap { _ in SocketClient.text("silent") })
    try socket.send("end")

    #expect(try socket.receiveText() == "got end")
    let board = board
    #expect(server.sync { _ in board.received.count } == 501)
    #expect(server.end())
  }

  @Test("a newer socket with the same key closes the older one")
  func replaced() throws {
    let server = try server()
    let first = try SocketClient(server, "/key")
    let other = try SocketClient(server, "/other")
    let second = try SocketClient(server, "/key")

    #expect(try first.receive().closeCode == 4409)
    try first.client.send(SocketClient.close(4409))
    #expect(try first.isClosed())
    for socket in [second, other] {
      try socket.send("x")
      #expect(try socket.receiveText() == "got x")
    }
    #expect(server.end())
  }

  @Test("after a failed commit, a new socket is an error and an open one closes with 1011")
  func failedCommit() throws {
    let server = try server()
    let open = try SocketClient(server)
    server.sync { $0.commits = { false } }

    let rejected = try SocketClient(server)
    try open.send("lost")

    #expect(rejected.response.hasPrefix("HTTP/1.1 503"))
    #expect(try open.receive().closeCode == 1011)
    server.sync { $0.commits = { true } }
    #expect(server.end())
  }

  @Test("an error of a closure closes the socket with 1011")
  func error() throws {
    let server = try server()
    let socket = try SocketClient(server)
    let other = try server.client()

    try other.send(get("/add?fail"))

    #expect(try socket.receive().closeCode == 1011)
    #expect(server.end())
  }

  @Test("a response that an injected fault resets opens no socket")
  func damaged() throws {
    let server = try TestServer { request in
      .webSocket(Response(101, transport: .reset), WebSocket(state: 0) { _ in ["never"] })
    }
    let client = try server.client()

    try client.send(get("/", SocketClient.handshake))

    #expect(try client.receiveAll() == ("", .reset))
    #expect(server.end())
  }

  @Test("a socket is updated again after the time that it asks for")
  func time() throws {
    let server = try TestServer { request in
      .webSocket(
        Response(101),
        WebSocket(state: 0) { count in
          count += 1
          return count < 3
            ? .init([Array("\(count)".utf8)], updateAfter: .milliseconds(10)) : .init(close: .normal)
        })
    }
    let socket = try SocketClient(server)

    #expect(try socket.receiveText() == "1")
    #expect(try socket.receiveText() == "2")
    #expect(try socket.receive().closeCode == 1000)
    #expect(server.end())
  }
}
