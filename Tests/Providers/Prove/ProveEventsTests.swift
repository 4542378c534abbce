import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Prove

@Suite("Prove · events of a device's session", .contract("prove.md 6.2"))
struct ProveEventsTests {
  let prove: ProveWorld

  init() throws { prove = try ProveWorld() }

  private static let handshake: Headers = [
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  ]

  private func request(_ started: ProveWorld.Started, token: String? = nil) -> Request {
    let query = token.map { "?access_token=\($0)" } ?? ""
    return .to("/handset/prove/v1/\(started.authID)/events\(query)", headers: Self.handshake)
  }

  private func open(_ started: ProveWorld.Started) throws -> WebSocket {
    let reply = prove.world.reply(to: request(started, token: started.authToken))
    guard case .webSocket(_, let socket) = reply else { throw NoSocket() }
    return socket
  }

  private struct NoSocket: Error {}

  private func texts(_ output: WebSocket.Output) -> [String] {
    output.messages.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a socket opens while the device waits for a click")
  func handshake() throws {
    try prove.world.send(request(prove.waitingForClick())).matches(golden: "opened")
    try prove.world.send(request(prove.waitingForCode())).matches(golden: "wrong-step")
  }

  @Test("the token in the query must be that of the session")
  func token() throws {
    let (one, other) = (try prove.waitingForClick(), try prove.waitingForClick())

    #expect(try prove.world.send(request(one, token: other.authToken)).answer.hasPrefix("401 "))
    #expect(try prove.world.send(request(one, token: "nonsense")).answer.hasPrefix("401 "))
    #expect(ProveProvider.credential(in: request(one, token: one.authToken)) == "sandbox-client")
  }

  @Test("it sends the click once, and closes")
  func click() throws {
    let started = try prove.waitingForClick()
    let socket = try open(started)
    #expect(try texts(socket.update()) == [#"{"event":"waiting","secondsLeft":180}"#])
    #expect(try texts(socket.update()) == [])
    #expect(try texts(socket.receive(Array(#"{"action":"ping"}"#.utf8))) == [#"{"event":"pong"}"#])
    #expect(try texts(socket.receive(Array("nonsense".utf8))) == [])

    _ = try prove.open(prove.link())

    let output = try socket.update()
    #expect(texts(output) == [#"{"event":"link_clicked","asc":"true"}"#, #"{"event":"auth_finish"}"#])
    #expect(output.close == .normal)
  }

  @Test("a link that is sent again starts the wait again")
  func resend() throws {
    let started = try prove.waitingForClick()
    let socket = try open(started)
    _ = try socket.update()
    try prove.advance(100)
    #expect(try texts(socket.update()) == [])

    _ = try prove.act(started, "instant-link/retry", #"{"resultType":1}"#)

    #expect(try texts(socket.update()) == [#"{"event":"waiting","secondsLeft":180}"#])
  }

  @Test("it ends with the wait, and says so")
  func timeout() throws {
    let socket = try open(prove.waitingForClick())
    try prove.advance(180)

    let output = try socket.update()
    #expect(texts(output) == [#"{"event":"timeout"}"#])
    #expect(output.close?.code == 4408)
  }

  @Test("an app still has to finish after the click")
  func mobile() throws {
    let started = try prove.waitingForClick("mobile", device: #"{"features":["instantLink"]}"#)
    let socket = try open(started)
    _ = try socket.update()
    _ = try prove.open(prove.link())

    let output = try socket.update()
    #expect(texts(output) == [#"{"event":"link_clicked","asc":"true"}"#])
    #expect(output.close == nil)
  }
}
