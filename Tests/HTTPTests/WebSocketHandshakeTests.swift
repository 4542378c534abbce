import HTTP
import Support
import Testing

@Suite("HTTP · WebSocket handshake")
struct WebSocketHandshakeTests {
  private let route = Route<Void>.webSocket("/events", as: "watch") { _, _ in WebSocket(state: 0) { _ in [] }
  }

  private func response(_ change: (inout [String: String], inout Method) -> Void = { _, _ in }) throws
    -> Response?
  {
    var (fields, method) = (
      [
        "Host": "x", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ], Method.get
    )
    change(&fields, &method)
    var headers = Headers()
    for (name, value) in fields { headers.add(name, value) }
    guard
      case .webSocket(let response, _) = try route.handler?(
        Request(method, Target("/events"), headers: headers), ())
    else { return nil }
    return response
  }

  @Test("the example of RFC 6455 gets its response")
  func example() throws {
    let response = try #require(try response())

    #expect(response.status == 101)
    #expect(response.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(response.headers["Upgrade"] == "websocket" && response.headers["Connection"] == "Upgrade")
  }

  @Test("fields may be lists in any case")
  func lists() throws {
    #expect(
      try response { fields, _ in
        fields["Upgrade"] = "h2c ,\tWebSocket"
        fields["Connection"] = "keep-alive, UPGRADE"
      } != nil)
  }

  @Test(
    "anything but a handshake of version 13 needs an upgrade",
    arguments: [
      ("Upgrade", nil), ("Upgrade", "h2c"), ("Upgrade", "websockets"), ("Connection", nil),
      ("Connection", "keep-alive"), ("Sec-WebSocket-Version", nil), ("Sec-WebSocket-Version", "8"),
      ("Sec-WebSocket-Version", "13, 8"),
    ] as [(String, String?)])
  func noUpgrade(name: String, value: String?) {
    #expect(throws: WebSocketHandshakeError.upgradeRequired) {
      try response { fields, _ in fields[name] = value }
    }
  }

  @Test("HEAD opens no socket")
  func head() {
    #expect(throws: WebSocketHandshakeError.upgradeRequired) { try response { _, method in method = .head } }
  }

  @Test(
    "a key that is not 16 bytes in Base64 is an error",
    arguments: [nil, "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZR==", "x"]
      as [String?])
  func key(value: String?) {
    #expect(throws: WebSocketHandshakeError.invalidKey) {
      try response { fields, _ in fields["Sec-WebSocket-Key"] = value }
    }
  }

  @Test("a request of HTTP/1.0 cannot ask for an upgrade")
  func oldVersion() throws {
    let head = Array("GET / HTTP/1.0\r\nHost: x\r\nUPGRADE: websocket\r\nAccept: */*\r\n\r\n".utf8)
    var parser = RequestParser()
    var position = 0

    let event = try head.withUnsafeBytes { try parser.next(in: $0, at: &position, bodyLimit: { _ in 0 }) }

    guard case .message(let message) = event else {
      Issue.record("no request")
      return
    }
    #expect(message.request.headers.pairs.map { $0.name } == ["Host", "Accept"])
  }
}
