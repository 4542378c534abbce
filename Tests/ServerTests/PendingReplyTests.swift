import HTTP
import Server
import Testing
import Wire

/// A shared value. Only used on the loop's thread.
private final class Letter: @unchecked Sendable {
  var text: String?
  weak var held: Letter?
}

/// `/wait` waits for a letter; any other path sets it.
private func answer(_ request: Request, _ letter: Letter, timeout: Duration) -> Reply {
  guard request.target.path == "/wait" else {
    letter.text = request.target.path
    return .now(.text(200, "put"))
  }
  return .pending(
    PendingReply(
      for: timeout, answer: { letter.text.map { .text(200, $0) } }, onTimeout: { .text(200, "nothing") }))
}

@Suite("Server · pending replies")
struct PendingReplyTests {
  private func server(timeout: Duration) throws -> TestServer {
    let letter = Letter()
    return try TestServer { answer($0, letter, timeout: timeout) }
  }

  @Test("a request of another client completes a pending reply")
  func woken() throws {
    let server = try server(timeout: .seconds(30))
    let waiting = try server.client()
    let other = try server.client()

    try waiting.send(get("/wait"))
    while !server.sync({ $0.log.contains("/wait") }) {}
    try other.send(get("/letter"))

    #expect(try other.receiveAnswer().hasSuffix("put"))
    #expect(try waiting.receiveAnswer().hasSuffix("\r\n\r\n/letter"))
    #expect(server.end())
  }

  @Test("what a request does that had to wait is committed, and completes its own and other replies")
  func blocked() throws {
    let (gate, letter) = (Letter(), Letter())
    let server = try TestServer { request in
      if request.target.path == "/open" {
        gate.text = "open"
        return .now(.text(200, "opened"))
      }
      guard request.target.path == "/blocked" else { return answer(request, letter, timeout: .seconds(30)) }
      return .blocked(
        BlockedRequest(for: .seconds(30)) {
          if gate.text == nil { return nil }
          letter.text = "from the blocked one"
          return answer(Request(.get, Target("/wait")), letter, timeout: .seconds(30))
        } onTimeout: {
          .text(200, "nothing")
        })
    }
    let (waiting, blocked, other) = (try server.client(), try server.client(), try server.client())

    try waiting.send(get("/wait"))
    while !server.sync({ $0.log.contains("/wait") }) {}
    try blocked.send(get("/blocked"))
    while !server.sync({ $0.log.contains("/blocked") }) {}
    try other.send(get("/open"))

    #expect(try blocked.receiveAnswer().hasSuffix("from the blocked one"))
    #expect(try waiting.receiveAnswer().hasSuffix("from the blocked one"))
    #expect(server.end())
  }

  @Test("a reply that is already available is sent in the same tick")
  func immediate() throws {
    let server = try server(timeout: .seconds(30))
    let client = try server.client()

    try client.send(get("/letter") + get("/wait"))

    #expect(try client.receiveAnswer().hasSuffix("put"))
    #expect(try client.receiveAnswer().hasSuffix("/letter"))
    #expect(server.end())
  }

  @Test("a change outside a request completes a pending reply")
  func touched() throws {
    let letter = Letter()
    let server = try TestServer { answer($0, letter, timeout: .seconds(30)) }
    let client = try server.client()

    try client.send(get("/wait"))
    while !server.sync({ $0.log.contains("/wait") }) {}
    server.sync { _ in letter.text = "due" }
    server.markChanged()

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\ndue"))
    #expect(server.end())
  }

  @Test("after the timeout, the client gets the timeout response")
  func impatient() throws {
    let server = try server(timeout: .milliseconds(20))
    let clients = try (0..<3).map { _ in try server.client() }

    for client in clients { try client.send(get("/wait")) }
    for client in clients { #expect(try client.receiveAnswer().hasSuffix("nothing")) }

    #expect(server.end())
  }

  @Test("requests after a pending one wait")
  func order() throws {
    let server = try server(timeout: .milliseconds(20))
    let client = try server.client()

    try client.send(get("/wait") + get("/letter") + get("/wait"))

    #expect(try client.receiveAnswer().hasSuffix("nothing"))
    #expect(try client.receiveAnswer().hasSuffix("put"))
    #expect(try client.receiveAnswer().hasSuffix("/letter"))
    #expect(server.end())
  }

  @Test("a delayed response is sent after its delay, and later ones after it")
  func delayed() throws {
    let server = try TestServer { request in
      request.target.path == "/slow"
        ? .after(.milliseconds(20), .text(200, "late")) : .now(.text(200, "now"))
    }
    let client = try server.client()

    try client.send(get("/slow") + get("/quick"))

    #expect(try client.receiveAnswer().hasSuffix("late"))
    #expect(try client.receiveAnswer().hasSuffix("now"))
    #expect(server.end())
  }

  @Test("a client that closes its side while waiting still gets its reply")
  func halfClosed() throws {
    let server = try server(timeout: .seconds(30))
    let waiting = try server.client()
    let other = try server.client()

    try waiting.send(get("/wait") + get("/next"))
    waiting.finishSending()
    while !server.sync({ $0.log.contains("/wait") }) {}
    try other.send(get("/letter"))
    _ = try other.receiveAnswer()
    let (text, end) = try waiting.receiveAll()

    #expect(text.contains("\r\n\r\n/letterHTTP/1.1 200") && text.hasSuffix("put") && end == .closed)
    #expect(server.end())
  }

  @Test("a client that closes its side gets a delayed response")
  func halfClosedDelay() throws {
    let server = try TestServer { _ in .after(.milliseconds(40), .text(200, "late")) }
    let client = try server.client()

    try client.send(get("/"))
    client.finishSending()
    let (text, end) = try client.receiveAll()

    #expect(text.hasSuffix("\r\n\r\nlate") && end == .closed)
    #expect(server.end())
  }

  @Test("a client that disconnects while waiting is released after a timeout")
  func forgotten() throws {
    let keeper = Letter()
    let server = try TestServer(allowing { $0.halfClosedTimeout = .milliseconds(20) }) { request in
      let letter = Letter()
      keeper.held = letter
      return .pending(
        PendingReply(
          for: .seconds(30), answer: { letter.text.map { .text(200, $0) } }, onTimeout: { Response(204) }))
    }
    do {
      let client = try server.client()
      try client.send(get("/wait"))
      while !server.sync({ $0.log.contains("/wait") }) {}
    }

    while server.sync({ _ in keeper.held != nil }) {}

    #expect(server.end())
  }

  @Test("an error in a pending reply becomes an internal error")
  func failing() throws {
    struct Broken: Error {}
    let server = try TestServer { _ in
      .pending(PendingReply(for: .seconds(30), answer: { throw Broken() }, onTimeout: { Response(204) }))
    }
    let client = try server.client()

    try client.send(get("/wait"))

    #expect(try client.receiveAnswer().hasSuffix("no /wait"))
    #expect(server.end())
  }

  @Test("a drain ends all pending replies")
  func drained() throws {
    let server = try server(timeout: .seconds(30))
    let client = try server.client()

    try client.send(get("/wait"))
    while !server.sync({ $0.log.contains("/wait") }) {}
    server.drain()
    let (text, end) = try client.receiveAll()

    #expect(text.hasSuffix("Connection: close\r\n\r\nnothing") && end == .closed)
    #expect(server.join())
  }
}
