import Control
import Domain
import HTTP
import Support
import Testing

@Suite("Control · WebSockets of providers")
struct WebSocketRouteTests {
  private let desk: Desk
  private static let handshake: Headers = [
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  ]

  init() throws { desk = try Desk() }

  private func open(_ feed: String = "a", in name: String = "default") throws -> WebSocket {
    let request = Request.to("/s/\(name)/things/v1/feeds/\(feed)", headers: Self.handshake)
    guard case .webSocket(_, let socket) = desk.world.reply(to: request) else {
      throw Closed(description: "no socket")
    }
    return socket
  }

  private struct Closed: Error { let description: String }

  private func texts(_ output: WebSocket.Output) -> [String] {
    output.messages.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("the opening request is in the journal, with 101 and the provider's headers")
  func journal() throws {
    let response = try desk.respond("GET /things/v1/feeds/a", headers: Self.handshake)

    #expect(response.status == 101 && response.headers["X-Acme"] == "default")
    let exchange = try #require(desk.sandbox.journal.last)
    #expect(exchange.status == 101 && exchange.route == "watchThings")
    #expect(try desk.ask("GET /metrics").contains(#"route="watchThings",status="101"} 1"#))
  }

  @Test("an ordinary request to a WebSocket's path is 426 in the provider's format")
  func upgradeRequired() throws {
    let response = try desk.respond("GET /things/v1/feeds/a")

    #expect(response == (try desk.respond("GET /things/v1/feeds/a", headers: ["Upgrade": "h2c"])))
    #expect(response.status == 426 && response.body == Array("acme: fault -".utf8))
    #expect(response.headers["Upgrade"] == "websocket" && response.headers["Sec-WebSocket-Version"] == "13")
    #expect(desk.sandbox.journal.last?.why?.hasPrefix("the route is a WebSocket; expected GET with") == true)
  }

  @Test("an invalid key is 400 in the provider's format")
  func invalidKey() throws {
    var headers: Headers = ["Sec-WebSocket-Key": "x"]
    for (name, value) in Self.handshake.pairs where name != "Sec-WebSocket-Key" { headers.add(name, value) }

    #expect(
      try desk.ask("GET /things/v1/feeds/a", headers: headers)
        == "400 acme: Sec-WebSocket-Key: 16 bytes in Base64")
  }

  @Test("a request of Java for HTTP/2 is answered as usual")
  func ordinaryUpgrade() throws {
    let headers: Headers = [
      "Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAEAAEAAAAIAAAAA",
    ]

    #expect(try desk.ask("GET /things/v1/things/7", headers: headers) == "200 7 in default for nobody")
  }

  @Test("an error of the handler is an ordinary response")
  func refused() throws {
    #expect(try desk.ask("GET /things/v1/feeds/secret", headers: Self.handshake) == "422 acme: no")
  }

  @Test("an injected fault answers in place of the socket")
  func fault() throws {
    _ = try desk.ask(
      "PUT /control/faults", #"{"faults":[{"provider":"acme","route":"watchThings","status":503}]}"#)

    #expect(try desk.ask("GET /things/v1/feeds/a", headers: Self.handshake) == "503 acme: fault -")
  }

  @Test("an update sends what is new, once")
  func update() throws {
    let socket = try open()
    #expect(try texts(socket.update()) == [])

    try desk.send()

    #expect(try texts(socket.update()) == ["verification.started", "message.sent"])
    #expect(try texts(socket.update()) == [])
  }

  @Test("the sandbox's change count grows with each request, and not with those of other sandboxes")
  func changes() throws {
    let source = try #require(try open().source)
    let before = source.changeCount()

    _ = try desk.ask("POST /control/sandboxes", #"{"name":"other"}"#, headers: ["X-Sandbox": "default"])
    let created = source.changeCount()
    _ = try desk.ask("GET /s/other/things/v1/things/7")

    #expect(source.object === desk.sandbox && created > before && source.changeCount() == created)
    try desk.send()
    #expect(source.changeCount() > created)
  }

  @Test("due work runs before an update, and a clock that was advanced closes the socket in time")
  func clock() throws {
    let socket = try open()
    try desk.send()
    _ = try desk.ask("POST /control/clock", #"{"advance":"179s"}"#)
    #expect(try socket.update().close == nil)

    _ = try desk.ask("POST /control/clock", #"{"advance":"1s"}"#)

    #expect(try socket.update().close == 4408)
  }

  @Test("a running clock asks for an update in time; a frozen one does not")
  func updateAfter() throws {
    let socket = try open()
    #expect(try socket.update().updateAfter == nil)

    _ = try desk.ask("POST /control/clock", #"{"mode":"real"}"#)

    #expect(try socket.update().updateAfter == .seconds(180))
  }

  @Test("a message changes the sandbox; one that fails changes nothing and closes the socket")
  func messages() throws {
    let socket = try open()
    #expect(try texts(socket.receive(Array("create".utf8))) == ["done"])
    #expect(try texts(socket.update()) == ["verification.started", "message.sent"])

    let refused = try socket.receive(Array("refuse".utf8))
    let failed = try socket.receive(Array("fail".utf8))
    let malformed = try socket.receive(Array("{".utf8))

    #expect(refused.close == .init(1008, reason: "the thing is taken"))
    #expect(failed.close == .internalError)
    #expect(malformed.close?.code == 1007)
    #expect(try socket.update().isEmpty)
  }

  @Test("a message counts as a request; too many in a second close the socket with 1013")
  func rate() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci","limits":{"requestsPerSecond":3}}"#)
    let (socket, other) = (try open(in: "ci"), try open())

    let outputs = try (1...3).map { _ in try socket.receive(Array("{}".utf8)) }

    #expect(outputs.map(\.close) == [nil, nil, 1013])
    #expect(try other.receive(Array("{}".utf8)).close == nil)
    #expect(try desk.ask("GET /metrics").contains(#"limited_requests_total{limit="requestsPerSecond"} 1"#))
  }

  @Test("a message that stores more than the sandbox may hold is undone, and closes the socket with 1013")
  func storage() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci","limits":{"messages":1}}"#)
    let socket = try open(in: "ci")
    #expect(try texts(socket.receive(Array("create".utf8))) == ["done"])

    #expect(try socket.receive(Array("create".utf8)).close == 1013)

    #expect(try desk.ask("GET /control/sandboxes/ci").contains(#""messages":{"used":1,"limit":1}"#))
    #expect(try desk.ask("GET /s/ci/control/events").ranges(of: "message.sent").count == 1)
  }

  @Test("sockets of the same feed replace each other in one sandbox only")
  func keys() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"other"}"#)
    let (first, second, third) = (try open("a"), try open("a"), try open("b"))

    #expect(first.key == second.key && first.key != third.key && first.whenReplaced == 4409)
    #expect(first.key == "acme watchThings a")
  }

  @Test("a reset or deleted sandbox closes its sockets with 1001", arguments: ["DELETE", "POST"])
  func removed(method: String) throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"other"}"#)
    let request = Request.to("/s/other/things/v1/feeds/a", headers: Self.handshake)
    guard case .webSocket(_, let socket) = desk.world.reply(to: request) else {
      Issue.record("no socket")
      return
    }
    let before = try #require(socket.source).changeCount()

    _ = try desk.ask(
      method == "DELETE" ? "DELETE /control/sandboxes/other" : "POST /control/sandboxes/other/reset")

    #expect(socket.source?.changeCount() != before)
    #expect(try socket.update().close == .goingAway)
  }
}
