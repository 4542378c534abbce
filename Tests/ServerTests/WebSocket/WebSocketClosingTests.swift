import HTTP
import Server
import Testing
import Wire

/// Bytes of a client that breaks RFC 6455, and the code that closes the socket.
private let mistakes: [(String, [UInt8], Int)] = [
  ("an unmasked frame", [0x81, 0x01, 0x61], 1002),
  ("a reserved bit", SocketClient.frame(0xC1), 1002),
  ("two reserved bits", SocketClient.frame(0xB1), 1002),
  ("an unknown opcode for data", SocketClient.frame(0x83), 1002),
  ("an unknown opcode for control", SocketClient.frame(0x8B), 1002),
  ("a fragmented ping", SocketClient.frame(0x09), 1002),
  ("a ping of 126 bytes", SocketClient.frame(0x89, .init(repeating: 0, count: 126)), 1002),
  ("a continuation of nothing", SocketClient.frame(0x80), 1002),
  ("a message within a message", SocketClient.frame(0x01) + SocketClient.frame(0x81), 1002),
  ("a length in more bytes than needed", [0x81, 0xFE, 0x00, 0x01, 0, 0, 0, 0, 0x61], 1002),
  ("a length of 64 bits with the highest one", [0x81, 0xFF, 0x80] + .init(repeating: 0, count: 11), 1002),
  ("a close frame with one byte", SocketClient.frame(0x88, [0x03]), 1002),
  ("the close code 999", SocketClient.close(999), 1002),
  ("the close code 1005", SocketClient.close(1005), 1002),
  ("the close code 1006", SocketClient.close(1006), 1002),
  ("the close code 5000", SocketClient.close(5000), 1002),
  ("a close reason that is not UTF-8", SocketClient.frame(0x88, [0x03, 0xE8, 0xFF]), 1007),
  ("text that is not UTF-8", SocketClient.frame(0x81, [0xC3, 0x28]), 1007),
  ("text that ends within a character", SocketClient.frame(0x81, [0xC3]), 1007),
  ("a surrogate", SocketClient.frame(0x81, [0xED, 0xA0, 0x80]), 1007),
  ("4097 bytes", SocketClient.frame(0x81, .init(repeating: 0x61, count: 4097)), 1009),
  (
    "4097 bytes in two fragments",
    SocketClient.frame(0x01, .init(repeating: 0x61, count: 4096)) + SocketClient.frame(0x80, [0x61]), 1009
  ),
  ("a length of 1 EiB", [0x81, 0xFF, 0x10] + .init(repeating: 0, count: 12), 1009),
  ("a binary message", SocketClient.frame(0x82, [1]), 1003),
  ("a request after the handshake", Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), 1002),
]

@Suite("Server · how WebSockets close")
struct WebSocketClosingTests {
  private let board = Board()

  private func server(_ change: (inout Server.Configuration) -> Void = { _ in }) throws -> TestServer {
    let board = board
    return try TestServer(allowing(change)) { board.reply(to: $0) }
  }

  @Test("a client's mistake closes the socket with its code", arguments: mistakes.indices)
  func clientMistake(index: Int) throws {
    let (mistake, bytes, code) = mistakes[index]
    let server = try server { $0.lingerTimeout = .milliseconds(40) }
    let socket = try SocketClient(server)

    try socket.client.send(bytes)

    #expect(try socket.receive().closeCode == code, "\(mistake)")
    #expect(try socket.isClosed())
    #expect(server.end())
  }

  @Test("the close of a client is confirmed with its code", arguments: [1000, 1001, 3000, 4999])
  func closedByClient(code: Int) throws {
    let server = try server()
    let socket = try SocketClient(server)

    try socket.client.send(SocketClient.text("last") + SocketClient.close(code))

    #expect(try socket.receiveText() == "got last")
    #expect(try socket.receive().closeCode == code)
    #expect(try socket.isClosed())
    #expect(server.end())
  }

  @Test("a close without a code is confirmed without one")
  func emptyClose() throws {
    let server = try server()
    let socket = try SocketClient(server)

    try socket.send(0x88)

    #expect(try socket.receive() == .init(first: 0x88, payload: []))
    #expect(try socket.isClosed())
    #expect(server.end())
  }

  @Test("a close of the handler follows its messages; later messages of the client are ignored")
  func closedByHandler() throws {
    let server = try server()
    let socket = try SocketClient(server)
    let board = board
    server.sync { _ in (board.texts, board.isOver) = (["last"], true) }
    server.markChanged()

    #expect(try socket.receiveText() == "last")
    #expect(try socket.receive().closeCode == 4000)
    try socket.client.send(SocketClient.text("late") + SocketClient.close(4000))
    #expect(try socket.isClosed())
    #expect(server.sync { _ in board.received } == [])
    #expect(server.end())
  }

  @Test("a client that does not confirm a close is disconnected")
  func unconfirmed() throws {
    let server = try server { $0.lingerTimeout = .milliseconds(40) }
    let socket = try SocketClient(server)
    let board = board
    server.sync { _ in board.isOver = true }
    server.markChanged()

    #expect(try socket.receive().closeCode == 4000)
    #expect(try socket.isClosed())
    #expect(server.end())
  }

  @Test("a drain closes sockets with 1001, and waits for the client")
  func drained() throws {
    let server = try server()
    let socket = try SocketClient(server)

    server.drain()

    #expect(try socket.receive().closeCode == 1001)
    try socket.client.send(SocketClient.close(1001))
    #expect(try socket.isClosed())
    #expect(server.join())
  }

  @Test("a silent client gets a ping, and is disconnected if it does not answer")
  func silent() throws {
    let server = try server { $0.pingInterval = .milliseconds(60) }
    let socket = try SocketClient(server)

    #expect(try socket.receive() == .init(first: 0x89, payload: []))
    #expect(try socket.isClosed())
    #expect(server.end())
  }

  @Test("a client that answers pings stays connected")
  func alive() throws {
    let server = try server { $0.pingInterval = .milliseconds(40) }
    let socket = try SocketClient(server)

    for _ in 0..<5 {
      #expect(try socket.receive() == .init(first: 0x89, payload: []))
      try socket.send(0x8A)
    }
    try socket.send("still here")

    #expect(try socket.receiveText() == "got still here")
    #expect(server.end())
  }

  @Test("a client that disconnects, or closes its side, is forgotten", arguments: [false, true])
  func vanished(halfClosed: Bool) throws {
    let server = try server()
    let board = board
    let kept: SocketClient?
    do {
      let socket = try SocketClient(server)
      if halfClosed { socket.client.finishSending() }
      kept = halfClosed ? socket : nil
    }

    while server.sync({ _ in board.socket != nil }) {}

    if let kept { #expect(try kept.isClosed()) }
    #expect(server.end())
  }

  @Test("a flood of pings cannot fill the memory: the server reads no further until the pongs are read")
  func flood() throws {
    let server = try server {
      $0.writeTimeout = .milliseconds(100)
      $0.drainTimeout = .seconds(60)
    }
    let socket = try SocketClient(server, receiveBuffer: 4096)
    let pings = (0..<500).flatMap { _ in SocketClient.frame(0x89, .init(repeating: 0x61, count: 125)) }

    #expect(throws: (any Error).self) {
      while true { try socket.client.send(pings) }
    }

    #expect(server.sync { $0.slowReaders.count } == 1)
    #expect(server.end())
  }

  @Test("a client that reads nothing gets no further updates, and is disconnected")
  func slowReader() throws {
    let text = String(repeating: "x", count: 60_000)
    let server = try TestServer(allowing { $0.writeTimeout = .milliseconds(100) }) { _ in
      .webSocket(
        Response(101),
        WebSocket(state: 0) { _ in .init([Array(text.utf8)], updateAfter: .milliseconds(1)) })
    }
    let socket = try SocketClient(server, receiveBuffer: 4096)

    while server.sync({ $0.slowReaders.isEmpty }) {}

    withExtendedLifetime(socket) {}
    #expect(server.end())
  }

  @Test("a socket counts as a connection")
  func limit() throws {
    let server = try server { $0.connectionLimit = 1 }
    let socket = try SocketClient(server)

    let rejected = try SocketClient(server)

    #expect(rejected.response.hasPrefix("HTTP/1.1 503"))
    try socket.send("x")
    #expect(try socket.receiveText() == "got x")
    #expect(server.end())
  }
}
