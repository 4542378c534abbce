import HTTP
import Testing
import Wire

@testable import Server

@Suite("Server · pause")
struct PauseTests {
  @Test("requests that arrive during a pause are answered after it, in order")
  func pause() throws {
    let server = try TestServer()
    let (first, second) = (try server.client(), try server.client())
    try first.send(get("/before"))
    #expect(try first.receiveAnswer().hasSuffix("/before"))

    server.pause()
    try first.send(get("/a") + get("/b", "Connection: close\r\n"))
    try second.send(get("/c", "Connection: close\r\n"))
    // The second one runs in a later turn, which has read what the clients sent before.
    _ = server.sync { $0.log }
    let duringPause = server.sync { $0.log.filter { $0 != "commit" } }
    server.resume()

    let answers = try first.receiveAll().text
    #expect(answers.contains("/a") && answers.hasSuffix("/b"))
    #expect(try second.receiveAll().text.hasSuffix("/c"))
    #expect(duringPause == ["/before"])
    #expect(server.end())
  }

  @Test("a client that closes its side during a pause is answered")
  func halfClosed() throws {
    let server = try TestServer()
    let client = try server.client()
    server.pause()
    try client.send(get("/a"))
    client.finishSending()
    server.resume()

    #expect(try client.receiveAll().text.hasSuffix("/a"))
    #expect(server.end())
  }
}
