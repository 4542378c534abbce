import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · requests that are sent")
struct SendingTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  private func send(_ draft: String) throws -> String { try desk.ask("POST /control/requests", draft) }

  private var newest: Journal.Exchange {
    get throws { try #require(desk.sandbox.journal.last) }
  }

  /// A request with secrets in all its parts.
  private func sendSecrets() throws {
    let headers: Headers = [
      "X-Acme-Key": "key-1", "Authorization": "Basic c2VzYW1lOm9wZW4=", "Content-Type": "application/json",
    ]
    _ = try desk.respond(
      "POST /things/v1/things?api_key=one&a=b", #"{"client_secret":"two","to":"+12025550100"}"#,
      headers: headers)
  }

  @Test("a new request reaches its provider, and is in the journal like an app's")
  func new() throws {
    let draft =
      #"{"method":"POST","target":"/acme/things/v1/things","headers":["X-A: b"],"body":"to=%2B12025550100"}"#

    let answer = try send(draft)

    #expect(answer.hasPrefix(#"200 {"id":"req_1","at":"2026-01-05T10:20:30.000Z","provider":"acme""#))
    #expect(answer.contains(#""route":"createThing""#) && answer.contains(#""response":{"status":201"#))
    let head = String(decoding: try newest.requestHead, as: UTF8.self)
    #expect(head == "Host: 127.0.0.1:5550\r\nX-A: b\r\nContent-Length: 17\r\n")
    #expect(try desk.sandbox.messages.latest(.init())?.destination == "+12025550100")
  }

  @Test("like sends the same bytes again, hidden ones too")
  func like() throws {
    try sendSecrets()
    let first = try newest

    #expect(try send(#"{"like":"latest"}"#).hasPrefix(#"200 {"id":"req_2""#))

    let second = try newest
    #expect(second.target == first.target && second.requestBody == first.requestBody)
    #expect(
      String(decoding: second.requestHead, as: UTF8.self)
        == String(decoding: first.requestHead, as: UTF8.self) + "Content-Length: 43\r\n")
  }

  @Test("a body that is no text keeps its bytes")
  func binary() throws {
    let bytes: [UInt8] = [0x00, 0xFF, 0x0D, 0x0A, 0x22]
    _ = try desk.world.answer(.to("/things/v1/things", .post, body: bytes))

    _ = try send(#"{"like":"req_1","headers":["Host: 127.0.0.1"]}"#)

    #expect(try newest.requestBody == bytes)
  }

  @Test("where a changed part has a mark, the hidden value is put back")
  func marks() throws {
    try sendSecrets()
    let draft = #"""
      {"like":"req_1","target":"/things/v1/things?api_key=********&c=d",
       "headers":["Host: 127.0.0.1:5550","X-Acme-Key: key-1","Authorization: Basic ********","X-New: 1"],
       "body":"{\"client_secret\":\"********\",\"to\":\"+12025550101\"}"}
      """#

    #expect(try send(draft).hasPrefix("200 "))

    let sent = try newest
    #expect(sent.target == "/things/v1/things?api_key=one&c=d")
    #expect(
      String(decoding: sent.requestBody, as: UTF8.self) == #"{"client_secret":"two","to":"+12025550101"}"#)
    let head = String(decoding: sent.requestHead, as: UTF8.self)
    #expect(head.contains("Authorization: Basic c2VzYW1lOm9wZW4=\r\nX-New: 1\r\n"))
  }

  private static let form = "client_secret=REAL-1&note=n&client_secret=REAL-2"
  private static let json =
    #"{"a":{"client_secret":"REAL-1"},"list":[{"client_secret":"REAL-2"}],"pin_secret":77,"url":"https://a/?token=REAL-3"}"#

  @Test(
    "C3: a mark is restored only at the place that it hides; elsewhere it is text",
    arguments: [
      (form, "note=********", "note=********"),
      (form, "note=x&client_secret=********", "note=x&client_secret=REAL-1"),
      (form, "client_secret=a&client_secret=********", "client_secret=a&client_secret=REAL-2"),
      (form, "client_secret=a&b=c&client_secret=d&client_secret=********", nil),
      (form, "client_secret=********1&clientSecret=********", nil),
      (form, #"{"client_secret":"********"}"#, nil),
      (form, "client_secret=********&note=********", "client_secret=REAL-1&note=********"),
      (json, #"{"client_secret":"********","a":"********"}"#, nil),
      (json, #"{"b":{"client_secret":"********"},"list":[1,{"client_secret":"********"}]}"#, nil),
      (
        json, #"{"list":[{"x":1,"client_secret":"********"}]}"#,
        #"{"list":[{"x":1,"client_secret":"REAL-2"}]}"#
      ),
      (
        json, #"{"pin_secret": "********","a":{"client_secret":"********"}}"#,
        #"{"pin_secret": 77,"a":{"client_secret":"REAL-1"}}"#
      ),
      (json, #"{"url":"https://a/?token=********"}"#, #"{"url":"https://a/?token=REAL-3"}"#),
      (json, #"{"url":"https://evil/?token=********"}"#, nil),
      // What is no JSON any more is text whose names may mean something else.
      (json, #"{"a":{"client_secret" :x,"note":"********"}}"#, nil),
      (json, "client_secret=********", nil),
    ])
  func places(original: String, changed: String, sent: String?) throws {
    _ = try desk.respond("POST /things/v1/things", original)
    let draft = JSONWriter.object { json in
      json.member("like", "latest")
      json.member("body", changed)
    }

    let answer = try send(String(decoding: draft, as: UTF8.self))

    #expect(String(decoding: try newest.requestBody, as: UTF8.self) == sent ?? changed)
    #expect(answer.hasPrefix("200 ") && !answer.contains("REAL"), "\(answer)")
  }

  @Test("C3: a hidden header field stays in its line, and a hidden field of a query in its name")
  func linesAndQueries() throws {
    try sendSecrets()
    let draft = #"""
      {"like":"req_1","target":"/things/v1/things?b=********&key=********",
       "headers":["X-Note: Basic ********","Authorization: Bearer ********"],"body":""}
      """#

    #expect(try send(draft).hasPrefix("200 "))

    let sent = try newest
    #expect(sent.target == "/things/v1/things?b=********&key=********")
    #expect(String(decoding: sent.requestHead, as: UTF8.self).contains("X-Note: Basic ********\r\n"))
    #expect(String(decoding: sent.requestHead, as: UTF8.self).contains("Authorization: Bearer ********\r\n"))
  }

  @Test(
    "C3: a value that only its own provider hides is not sent to another",
    arguments: [#""target":"/things/v1/things""#, #""target":"/things/v1/things","body":"token=********""#])
  func otherProvider(change: String) throws {
    let headers: Headers = ["Authorization": "Basic c2VzYW1lOm9wZW4="]
    _ = try desk.respond("POST /twilio/v2/Services", "token=REAL-1", headers: headers)

    let answer = try send("{\"like\":\"req_1\",\(change)}")

    #expect(answer.contains(#""provider":"acme""#) && !answer.contains("REAL"), "\(answer)")
    let sent = try newest
    #expect(String(decoding: sent.requestBody, as: UTF8.self) == "token=********")
    #expect(String(decoding: sent.requestHead, as: UTF8.self).contains("Basic c2VzYW1lOm9wZW4="))
  }

  @Test("a failed handshake is no request that can be sent")
  func handshake() throws {
    desk.world.dispatcher.recordTLSFailure(serverName: "api.acme.example", from: .direct, why: "unknown ca")

    #expect(try send(#"{"like":"latest"}"#).hasPrefix("409 "))
  }

  @Test("faults and limits apply, and a delayed answer is awaited")
  func faults() throws {
    _ = try desk.ask(
      "PUT /control/faults", #"{"faults":[{"provider":"acme","code":"60203","latencyMs":2500}]}"#)
    let draft = #"{"method":"POST","target":"/things/v1/things"}"#

    let waiting = try #require(desk.wait("POST /control/requests", draft))
    #expect(try waiting.answer() == nil && desk.sandbox.journal.last == nil)
    try desk.sandbox.advance(by: .seconds(3))
    let answer = String(decoding: try #require(try waiting.answer()).body, as: UTF8.self)

    #expect(answer.contains(#""response":{"status":418"#) && answer.contains(#""delayMs":2500"#))
    #expect(try newest.delay == .milliseconds(2500))
  }

  @Test("an answer at once has no delay, and one of a slow route has")
  func delays() throws {
    _ = try desk.respond("POST /things/v1/things")
    _ = try desk.respond("POST /things/v1/slow")

    #expect(desk.sandbox.journal.exchanges.map(\.delay) == [.zero, .seconds(5)])
  }

  @Test("a WebSocket is not opened")
  func webSocket() throws {
    let draft = #"""
      {"method":"GET","target":"/things/v1/feeds/a","headers":["Connection: Upgrade","Upgrade: websocket",
       "Sec-WebSocket-Version: 13","Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]}
      """#

    #expect(try send(draft).hasPrefix("400 "))
  }

  @Test("a sent request counts once, and as one of its sandbox")
  func counts() throws {
    let draft = #"{"method":"POST","target":"/things/v1/things"}"#
    let made = try desk.ask(
      "POST /control/sandboxes", #"{"name":"few","limits":{"requestsPerSecond":2}}"#)
    #expect(made.hasPrefix("201"))

    let answers = try (1...3).map { _ in try desk.ask("POST /s/few/control/requests", draft).prefix(3) }

    #expect(answers == ["200", "200", "429"])
    #expect(desk.world.sandboxes["few"]?.journal.lastOrdinal == 2 && desk.sandbox.journal.lastOrdinal == 0)
  }

  @Test("a test code arrives on the phone, by the provider's own route")
  func testCode() throws {
    let answer = try desk.ask("POST /control/test-codes", #"{"provider":"acme","number":"+12025550100"}"#)

    #expect(answer.contains(#""target":"/acme/things/v1/things""#))
    #expect(try desk.sandbox.messages.latest(.init())?.destination == "+12025550100")
    let other = try desk.ask("POST /control/test-codes", #"{"provider":"fcm","number":"+12025550100"}"#)
    #expect(other.hasPrefix("400 ") && other.contains("$.provider: expected one of "))
  }
}
