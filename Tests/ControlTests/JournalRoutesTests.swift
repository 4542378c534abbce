import HTTP
import JSON
import Testing

@Suite("Control · journal")
struct JournalRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  static let fetched =
    #"{"id":"req_1","at":"2026-01-05T10:20:30.000Z","provider":"acme","route":"fetchThing","request":{"method":"GET","#
    + #""target":"/things/v1/things/a?for=b&fr=c","headers":["Host: 127.0.0.1:5550"],"body":""},"response":{"status":200,"#
    + #""headers":["Content-Type: text/plain; charset=utf-8","Date: Mon, 05 Jan 2026 10:20:30 GMT","X-Acme: default"],"#
    + #""body":"a in default for b"},"why":null,"unread":["fr"]}"#

  @Test("a request is shown completely, with its unread fields", arguments: ["req_1", "latest"])
  func fetch(id: String) throws {
    _ = try desk.ask("GET /things/v1/things/a?for=b&fr=c")

    #expect(try desk.ask("GET /control/journal/\(id)") == "200 \(Self.fetched)")
  }

  @Test("requests are listed with a cursor")
  func list() throws {
    _ = try desk.ask("GET /things/v1/things/a?for=b&fr=c")

    #expect(
      try desk.ask("GET /control/journal")
        == #"200 {"requests":[\#(Self.fetched)],"cursor":1,"hasMore":false}"#)
    #expect(
      try desk.ask("GET /control/journal?after=1") == #"200 {"requests":[],"cursor":1,"hasMore":false}"#)
  }

  @Test("requests to the control API are not in the journal")
  func control() throws {
    _ = try desk.ask("GET /control/clock")

    #expect(try desk.ask("GET /control/journal") == #"200 {"requests":[],"cursor":0,"hasMore":false}"#)
  }

  @Test("an unknown request is 404", arguments: ["req_9", "latest", "1", "msg_1"])
  func unknown(id: String) throws {
    #expect(
      try desk.ask("GET /control/journal/\(id)")
        == #"404 {"error":"there is no request \#(id) in the journal"}"#)
  }

  @Test(
    "secrets are masked",
    arguments: [
      ("Authorization", "Basic QUM6c2VjcmV0", "Authorization: Basic ********"),
      ("authorization", "Bearer  top secret", "authorization: Bearer ********"),
      ("Authorization", "topsecret", "Authorization: ********"),
      ("Proxy-Authorization", "Basic secret", "Proxy-Authorization: Basic ********"),
      ("Cookie", "session=secret; more=secret", "Cookie: ********"),
      ("X-Api-Key", "s3cret", "X-Api-Key: ********"),
      ("X-Other", "a b", "X-Other: a b"),
    ])
  func masking(name: String, value: String, shown: String) throws {
    var headers = Headers()
    headers.add(name, value)
    _ = try desk.ask("GET /things/v1/things/a", headers: headers)

    let shownHeaders = try desk.newestExchange()["request"]?["headers"]
    #expect(shownHeaders == .array([.string("Host: 127.0.0.1:5550"), .string(shown)]))
  }

  @Test(
    "secrets of OAuth are masked in bodies and in targets",
    arguments: [
      (#"{"access_token":"s3cret","n":1}"#, #"{"access_token":"********","n":1}"#),
      (#"{"id_token": "s3cret"}"#, #"{"id_token": "********"}"#),
      ("grant=a&assertion=s3cret&b=c", "grant=a&assertion=********&b=c"),
      ("my client_secret is kept", "my client_secret is kept"),
      (#"{ "access_token" : "s3cret" , "n" : 1 }"#, #"{ "access_token" : "********" , "n" : 1 }"#),
      ("{\n\t\"id_token\"\n:\t\"s3cret\"}", "{\n\t\"id_token\"\n:\t\"********\"}"),
      (#"{"access\u005ftoken":"s3cret"}"#, #"{"access\u005ftoken":"********"}"#),
      (#"{"assertion":"a\"s3cret","n":1}"#, #"{"assertion":"********","n":1}"#),
      (#"{"client_secret":12345}"#, #"{"client_secret":"********"}"#),
      (#"[{"a":{"Access_Token":"s3cret"}}]"#, #"[{"a":{"Access_Token":"********"}}]"#),
      (#"{"access_token":"s3cr"#, #"{"access_token":"********""#),
      (
        #"{"u":"https://a.test/?access_token=s3cret&b=c","v":"access_token"}"#,
        #"{"u":"https://a.test/?access_token=********&b=c","v":"access_token"}"#
      ),
      (#"{"u":"https://a.test/?access_token=s3cret"}"#, #"{"u":"https://a.test/?access_token=********"}"#),
      (#"{"message":{"token":"push-token"}}"#, #"{"message":{"token":"push-token"}}"#),
      ("access%5Ftoken=s3cret&%61ssertion=s3cret&b=c", "access%5Ftoken=********&%61ssertion=********&b=c"),
    ])
  func maskedBodies(body: String, shown: String) throws {
    _ = try desk.ask("POST /things/v1/refused?access_token=s3cret&a=b", body)

    let request = try desk.newestExchange()["request"]
    #expect(request?["body"] == .string(shown))
    #expect(request?["target"] == .string("/things/v1/refused?access_token=********&a=b"))
  }

  @Test(
    "secrets in queries are masked",
    arguments: [
      ("token=s3cret", "token=********"), ("a=b&api_key=s3cret&c", "a=b&api_key=********&c"),
      ("API%5FKEY=s3cret", "API%5FKEY=********"), ("password=s3cret?", "password=********?"),
      ("tokens=many&a=token", "tokens=many&a=token"),
    ])
  func maskedQueries(query: String, shown: String) throws {
    _ = try desk.ask("POST /things/v1/refused?\(query)")

    #expect(
      try desk.newestExchange()["request"]?["target"] == .string("/things/v1/refused?\(shown)"))
  }

  @Test(
    "a rejected request has its reason",
    arguments: [
      ("POST /things/v1/refused", "refuseThing", "the thing is taken"),
      (
        "PUT /things/v1/things/a", "replaceThing",
        "not emulated: acme has this operation, the sandbox does not"
      ),
      ("DELETE /things/v1/things/a", nil, "wrong method; expected GET, PUT"),
      ("GET /acme/nothing", nil, "not emulated: acme may have this path, the sandbox does not"),  // 46 D3
      ("GET /nowhere", nil, "not emulated: no provider in the sandbox has this path"),
      ("GET /things/v1/things/a?for=%zz", "fetchThing", "for: expected a value in percent-encoded UTF-8"),
      ("POST /things/v1/broken", "breakThing", "internal error: TestError()"),
    ] as [(String, String?, String)])
  func why(line: String, route: String?, why: String) throws {
    _ = try desk.ask(line)

    let exchange = try desk.newestExchange()
    #expect(exchange["why"] == .string(why))
    #expect(exchange["route"] == route.map { .string($0) } ?? .null)
  }

  @Test("a request without a route names the most similar ones")
  func nearest() throws {
    _ = try desk.ask("POST /acme/things/v1/thing")

    let nearest = try desk.newestExchange()["nearest"]
    #expect(
      nearest
        == .array(
          [
            "POST /things/v1/things", "GET /things/v1/things/{thing}", "PUT /things/v1/things/{thing}",
          ].map { .string($0) })
    )
  }

  @Test("the target is shown as the client wrote it")
  func prefix() throws {
    _ = try desk.ask("GET /s/default/acme/things/v1/things/a")

    let target = try desk.newestExchange()["request"]?["target"]
    #expect(target == .string("/s/default/acme/things/v1/things/a"))
  }

  @Test(
    "a query narrows the journal",
    arguments: [
      ("provider=acme", ["req_1", "req_2", "req_3"]), ("provider=twilio", []),
      ("route=createThing", ["req_2"]),
      ("method=post", ["req_2"]), ("status=201", ["req_2"]), ("status=404", ["req_3"]),
      ("contains=%2B12025550177", ["req_2"]), ("contains=things/a", ["req_1"]), ("after=2", ["req_3"]),
      ("method=GET&status=200", ["req_1"]),
    ])
  func filters(query: String, ids: [String]) throws {
    try threeRequests()

    #expect(try shownIDs("GET /control/journal?\(query)") == ids)
  }

  @Test(
    "a claim about the number of matching requests is verified",
    arguments: [
      ("{}", #"200 {"verified":true,"count":3}"#),
      (#"{"match":{"method":"GET"},"count":2}"#, #"200 {"verified":true,"count":2}"#),
      (#"{"match":{"method":"GET"},"count":1}"#, #"409 {"verified":false,"count":2}"#),
      (#"{"match":{"route":"refuseThing"}}"#, #"409 {"verified":false,"count":0}"#),
      (#"{"match":{"route":"refuseThing"},"count":0}"#, #"200 {"verified":true,"count":0}"#),
      (#"{"match":{"status":201},"atLeast":1,"atMost":1}"#, #"200 {"verified":true,"count":1}"#),
      (#"{"atLeast":4}"#, #"409 {"verified":false,"count":3}"#),
      (#"{"atMost":2}"#, #"409 {"verified":false,"count":3}"#),
      (#"{"match":{"provider":"twilio"},"atMost":2}"#, #"200 {"verified":true,"count":0}"#),
      (#"{"match":{"contains":"+12025550177"},"count":1}"#, #"200 {"verified":true,"count":1}"#),
    ])
  func verify(claim: String, answer: String) throws {
    try threeRequests()

    #expect(try desk.ask("POST /control/journal/verify", claim) == answer)
  }

  @Test(
    "a claim about an unknown provider or route is rejected: with a count of zero it would always hold",
    arguments: [
      (
        #"{"match":{"route":"refuseThin"},"count":0}"#,
        #"$.match.route: unknown route \"refuseThin\"; did you"#
      ),
      (#"{"match":{"provider":"acm"},"count":0}"#, #"$.match.provider: unknown provider \"acm\"; did you"#),
    ])
  func unknownClaims(claim: String, message: String) throws {
    let answer = try desk.ask("POST /control/journal/verify", claim)

    #expect(answer.hasPrefix("400"))
    #expect(answer.contains(message))
  }

  @Test("a filter with an unknown provider or route is rejected", arguments: ["", "/wait"])
  func unknownFilters(path: String) throws {
    let answer = try desk.ask("GET /control/journal\(path)?route=refuseThin")

    #expect(answer.hasPrefix("400"))
    #expect(answer.contains(#"route: unknown route \"refuseThin\"; did you mean \"refuseThing\"?"#))
  }

  @Test("a waiting client gets an answer when a request matches")
  func waiting() throws {
    let reply = try #require(desk.wait("GET /control/journal/wait?route=createThing&wait=30"))
    _ = try desk.ask("GET /things/v1/things/a")
    let before = try reply.answer()

    try desk.send()

    #expect(before == nil)
    #expect(try desk.answer(reply.answer()) == (try desk.ask("GET /control/journal?route=createThing")))
  }

  @Test("a client does not wait if a request has matched already")
  func notWaiting() throws {
    _ = try desk.ask("GET /things/v1/things/a?for=b&fr=c")

    #expect(
      try desk.ask("GET /control/journal/wait?wait=30")
        == #"200 {"requests":[\#(Self.fetched)],"cursor":1,"hasMore":false}"#)
  }

  @Test("at the timeout a waiting client gets 404")
  func impatience() throws {
    let reply = try #require(desk.wait("GET /control/journal/wait?wait=1"))

    #expect(
      try desk.answer(reply.onTimeout()) == #"404 {"error":"there is no such request in the journal yet"}"#)
  }

  @Test("a cleared journal counts from one again")
  func clear() throws {
    try threeRequests()

    let answer = try desk.ask("DELETE /control/journal")
    _ = try desk.ask("GET /things/v1/things/a?for=b&fr=c")

    #expect(answer == "204")
    #expect(
      try desk.ask("GET /control/journal")
        == #"200 {"requests":[\#(Self.fetched)],"cursor":1,"hasMore":false}"#)
  }

  @Test("each sandbox has a journal of its own")
  func isolation() throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"ci"}"#)
    _ = try desk.ask("GET /s/ci/things/v1/things/a")

    #expect(try desk.ask("GET /control/journal") == #"200 {"requests":[],"cursor":0,"hasMore":false}"#)
    #expect(try shownIDs("GET /s/ci/control/journal") == ["req_1"])
  }

  private func threeRequests() throws {
    _ = try desk.ask("GET /things/v1/things/a")
    try desk.send(to: "+12025550177")
    _ = try desk.ask("GET /acme/nothing")
  }

  private func shownIDs(_ line: String) throws -> [String] {
    let fields = try Fields(desk.respond(line).body)
    return try fields.objects("requests").map { try $0.string("id") }
  }
}
