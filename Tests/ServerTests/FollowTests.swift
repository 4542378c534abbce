import HTTP
import Server
import Testing
import Wire

/// A mailbox with one letter at most, used on the loop's thread only.
private final class Letter: @unchecked Sendable {
  var text: String?
  weak var held: Letter?
}

/// Answers `/wait` once there is a letter, puts one in at any other path.
private func answer(_ request: Request, _ letter: Letter, timeout: Duration) -> Reply {
  guard request.target.path == "/wait" else {
    letter.text = request.target.path
    return .now(.text(200, "put"))
  }
  return .follow(
    PendingReply(
      for: timeout, answer: { letter.text.map { .text(200, $0) } }, onTimeout: { .text(200, "nothing") }))
}

@Suite("Server · answers that wait")
struct FollowTests {
  private func server(timeout: Duration) throws -> TestServer {
    let letter = Letter()
    return try TestServer { answer($0, letter, timeout: timeout) }
  }

  @Test("a waiting client is answered when another request changes something")
  func woken() throws {
    let server = try server(timeout: .seconds(30))
    let waiting = try server.client()
    let other = try server.client()

    try waiting.send(get("/wait"))
    while !server.sync({ $0.diary.contains("/wait") }) {}
    try other.send(get("/letter"))

    #expect(try other.receiveAnswer().hasSuffix("put"))
    #expect(try waiting.receiveAnswer().hasSuffix("\r\n\r\n/letter"))
    #expect(server.end())
  }

  @Test("a client that need not wait is answered in the same tick")
  func immediate() throws {
    let server = try server(timeout: .seconds(30))
    let client = try server.client()

    try client.send(get("/letter") + get("/wait"))

    #expect(try client.receiveAnswer().hasSuffix("put"))
    #expect(try client.receiveAnswer().hasSuffix("/letter"))
    #expect(server.end())
  }

  @Test("a change outside a request wakes a waiting client")
  func touched() throws {
    let letter = Letter()
    let server = try TestServer { answer($0, letter, timeout: .seconds(30)) }
    let client = try server.client()

    try client.send(get("/wait"))
    while !server.sync({ $0.diary.contains("/wait") }) {}
    server.sync { _ in letter.text = "due" }
    server.touch()

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\ndue"))
    #expect(server.end())
  }

  @Test("a client whose timeout ends gets the other answer")
  func impatient() throws {
    let server = try server(timeout: .milliseconds(20))
    let clients = try (0..<3).map { _ in try server.client() }

    for client in clients { try client.send(get("/wait")) }
    for client in clients { #expect(try client.receiveAnswer().hasSuffix("nothing")) }

    #expect(server.end())
  }

  @Test("requests behind a waiting one wait for their turn")
  func order() throws {
    let server = try server(timeout: .milliseconds(20))
    let client = try server.client()

    try client.send(get("/wait") + get("/letter") + get("/wait"))

    #expect(try client.receiveAnswer().hasSuffix("nothing"))
    #expect(try client.receiveAnswer().hasSuffix("put"))
    #expect(try client.receiveAnswer().hasSuffix("/letter"))
    #expect(server.end())
  }

  @Test("a delayed answer comes after its delay, and those behind it later")
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

  @Test("a client that goes away while it waits is forgotten")
  func forgotten() throws {
    let keeper = Letter()
    let server = try TestServer { request in
      let letter = Letter()
      keeper.held = letter
      return .follow(
        PendingReply(
          for: .seconds(30), answer: { letter.text.map { .text(200, $0) } }, onTimeout: { Response(204) }))
    }
    do {
      let client = try server.client()
      try client.send(get("/wait"))
      while !server.sync({ $0.diary.contains("/wait") }) {}
    }

    while server.sync({ _ in keeper.held != nil }) {}

    #expect(server.end())
  }

  @Test("an answer that fails while it is awaited is the application's failure")
  func failing() throws {
    struct Broken: Error {}
    let server = try TestServer { _ in
      .follow(PendingReply(for: .seconds(30), answer: { throw Broken() }, onTimeout: { Response(204) }))
    }
    let client = try server.client()

    try client.send(get("/wait"))

    #expect(try client.receiveAnswer().hasSuffix("no /wait"))
    #expect(server.end())
  }

  @Test("a drain does not let clients wait on")
  func drained() throws {
    let server = try server(timeout: .seconds(30))
    let client = try server.client()

    try client.send(get("/wait"))
    while !server.sync({ $0.diary.contains("/wait") }) {}
    server.drain()
    let (text, end) = try client.receiveAll()

    #expect(text.hasSuffix("Connection: close\r\n\r\nnothing") && end == .closed)
    #expect(server.join())
  }
}
