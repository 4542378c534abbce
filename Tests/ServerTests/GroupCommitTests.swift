import HTTP
import Server
import Testing
import Wire

@Suite("Server · group commit")
struct GroupCommitTests {
  @Test("requests of one tick share a commit, and no response is sent before it")
  func shared() throws {
    let server = try TestServer()
    let client = try server.client()

    try client.send(get("/1") + get("/2") + get("/3"))
    for _ in 1...3 { _ = try client.receiveAnswer() }

    #expect(server.sync { $0.log } == ["/1", "/2", "/3", "commit"])
    #expect(server.end())
  }

  @Test("a failed commit replaces all responses of its tick, in order")
  func failed() throws {
    let server = try TestServer()
    let client = try server.client()
    server.sync { application in
      application.commits = { [unowned application] in application.log.contains("/4") }
    }

    try client.send(get("/1") + "HEAD /2 HTTP/1.1\r\nHost: x\r\n\r\n" + get("/3"))
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nno /1"))
    #expect(try client.receiveAnswer(withBody: false).hasPrefix("HTTP/1.1 503 "))
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nno /3"))
    try client.send(get("/4"))
    #expect(try client.receiveAnswer().hasPrefix("HTTP/1.1 200 OK"))

    #expect(server.end())
  }

  @Test("a failed commit replaces a pending reply")
  func failedWait() throws {
    let server = try TestServer { _ in
      .pending(PendingReply(for: .seconds(30), answer: { nil }, onTimeout: { Response(204) }))
    }
    server.sync { $0.commits = { false } }
    let client = try server.client()

    try client.send(get("/1") + get("/2"))

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nno /1"))
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nno /2"))
    #expect(server.end())
  }

  @Test("a failed commit replaces a simulated reset")
  func failedFault() throws {
    let server = try TestServer { _ in .now(Response(200, transport: .reset)) }
    server.sync { $0.commits = { false } }
    let client = try server.client()

    try client.send(get("/1"))
    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nno /1"))
    try client.send(get("/2"))

    #expect(try client.receiveAnswer().hasSuffix("\r\n\r\nno /2"))
    #expect(server.end())
  }

  @Test("an error for a malformed request after a failed commit is still sent")
  func failedAndRefused() throws {
    let server = try TestServer()
    server.sync { $0.commits = { false } }
    let client = try server.client()

    try client.send(get("/1") + "nonsense\r\n\r\n")
    let (text, end) = try client.receiveAll()

    #expect(text.contains("\r\n\r\nno /1HTTP/1.1 400 Bad Request\r\n") && end == .closed)
    #expect(server.end())
  }

  @Test("a change outside a request is committed at the end of its tick")
  func touched() throws {
    let server = try TestServer()

    server.markChanged()
    _ = server.sync { _ in true }

    #expect(server.sync { $0.log } == ["commit"])
    #expect(server.end())
  }
}
