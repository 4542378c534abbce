import HTTP
import Server
import Testing
import Wire

@Suite("Server · answers for an access log")
struct SentAnswerTests {
  @Test("answers are reported after their commit, in order")
  func committed() throws {
    let server = try TestServer()
    server.logAnswers()
    let client = try server.client()

    try client.send(get("/1") + "HEAD /22 HTTP/1.0\r\n\r\n")
    _ = try client.receiveAnswer()
    _ = try client.receiveAnswer(withBody: false)

    #expect(
      server.sync { $0.log } == ["/1", "/22", "commit", "GET /1 HTTP/1.1 200 2", "HEAD /22 HTTP/1.0 200 3"])
    #expect(server.end())
  }

  @Test("after a failed commit, what was really sent is reported")
  func failed() throws {
    let server = try TestServer()
    server.logAnswers()
    server.sync { $0.commits = { false } }
    let client = try server.client()

    try client.send(get("/1"))
    _ = try client.receiveAnswer()

    #expect(server.sync { $0.log } == ["/1", "commit", "GET /1 HTTP/1.1 503 5"])
    #expect(server.end())
  }

  @Test("a long poll is reported when it is answered, not when it begins to wait")
  func pending() throws {
    let server = try TestServer { request in
      guard request.target.path == "/wait" else { return .now(Response(204)) }
      return .pending(PendingReply(for: .milliseconds(20), answer: { nil }, onTimeout: { Response(404) }))
    }
    server.logAnswers()
    let client = try server.client()

    try client.send(get("/wait"))
    _ = try client.receiveAnswer()

    #expect(server.sync { $0.log }.filter { $0.contains("HTTP") } == ["GET /wait HTTP/1.1 404 0"])
    #expect(server.end())
  }

  @Test("what is no request is reported, too")
  func malformed() throws {
    let server = try TestServer()
    server.logAnswers()
    let client = try server.client()

    try client.send("nonsense\r\n\r\n")
    _ = try client.receiveAnswer()

    #expect(server.sync { $0.log }.filter { $0.contains(" 400 ") }.count == 1)
    #expect(server.end())
  }

  @Test("a drain answers a request that comes on a connection used shortly before, and closes idle ones")
  func drain() throws {
    let server = try TestServer()
    let client = try server.client()
    try client.send(get("/1"))
    _ = try client.receiveAnswer()

    server.drain(after: .seconds(5))
    _ = server.sync { $0.log }
    try client.send(get("/2"))
    let answer = try client.receiveAnswer()

    #expect(answer.hasPrefix("HTTP/1.1 200 OK") && answer.contains("Connection: close"))
    #expect(server.join())
  }
}
