import Domain
import HTTP
import JSON
import Support
import Testing

private let clockTime =
  "a time such as 2026-01-05T10:20:30Z, from 1970-01-01T00:00:00Z to 9998-12-31T23:59:59.999Z"

@Suite("Control · rejected requests")
struct RefusalTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  /// A request with an error: the field, and the text after it.
  struct Case: CustomTestStringConvertible, Sendable {
    let line: String
    let body: String
    let field: String
    let sentence: String

    init(_ line: String, _ body: String, _ field: String, _ sentence: String) {
      self.line = line
      self.body = body
      self.field = field
      self.sentence = sentence
    }

    var testDescription: String { "\(line) \(body)" }
  }

  static let bodies: [Case] = [
    // Wrong types and values, each with its path.
    Case(
      "POST /control/sandboxes", #"{"name":1}"#, "$.name",
      "expected 1 to 64 letters, digits, -, _ or .; found 1"),
    Case(
      "POST /control/sandboxes", #"{"name":"a/b"}"#, "$.name",
      #"expected 1 to 64 letters, digits, -, _ or .; found "a/b""#),
    Case(
      "POST /control/sandboxes", #"{"name":""}"#, "$.name",
      #"expected 1 to 64 letters, digits, -, _ or .; found """#),
    Case(
      "POST /control/sandboxes", #"{"entropySeed":"7"}"#, "$.entropySeed", #"expected an integer; found "7""#),
    Case(
      "POST /control/sandboxes", #"{"entropySeed":1e99}"#, "$.entropySeed", "expected an integer; found 1e+99"
    ),
    Case(
      "POST /control/sandboxes", #"{"clock":"now"}"#, "$.clock",
      "expected \(clockTime); found \"now\""),
    Case(
      "POST /control/sandboxes", #"{"clock":"1969-12-31T23:59:59.999Z"}"#, "$.clock",
      "expected \(clockTime); found \"1969-12-31T23:59:59.999Z\""),
    Case(
      "POST /control/sandboxes", #"{"seeds":"default"}"#, "$.seeds",
      #"expected an array of strings; found "default""#),
    Case("POST /control/sandboxes", #"{"seeds":[1]}"#, "$.seeds[0]", "expected a string; found 1"),
    Case(
      "POST /control/sandboxes", #"{"seeds":["nope"]}"#, "$.seeds", #"expected one of default; found "nope""#),
    Case("POST /control/sandboxes", #"{"nam":"ci"}"#, "$.nam", #"unknown field; did you mean "name"?"#),
    Case(
      "POST /control/seed", #"{"subscribers":[{"number":"12"}]}"#, "$.subscribers[0].number",
      #"expected a phone number such as +12025550100; found "12""#),
    Case(
      "POST /control/seed", #"{"scenario":[]}"#, "$.scenario", #"unknown field; did you mean "scenarios"?"#),
    Case("POST /control/seed", #"{"twilio":1}"#, "$.twilio", "expected an object; found 1"),
    Case(
      "POST /control/clock", "{}", "$.advance",
      "missing; expected at least one of advance, mode, set, advanceMs"
    ),
    Case(
      "POST /control/clock", "", "$.advance",
      "missing; expected at least one of advance, mode, set, advanceMs"),
    Case(
      "POST /control/clock", #"{"mode":"frzen"}"#, "$.mode",
      #"expected one of real, frozen; found "frzen"; did you mean "frozen"?"#),
    Case(
      "POST /control/clock", #"{"set":"2026-02-30T00:00:00Z"}"#, "$.set",
      "expected \(clockTime); found \"2026-02-30T00:00:00Z\""),
    Case(
      "POST /control/clock", #"{"set":"1960-01-01T00:00:00Z"}"#, "$.set",
      "expected \(clockTime); found \"1960-01-01T00:00:00Z\""),
    Case(
      "POST /control/clock", #"{"set":"9999-01-01T00:00:00Z"}"#, "$.set",
      "expected \(clockTime); found \"9999-01-01T00:00:00Z\""),
    Case(
      "POST /control/clock", #"{"advance":"11"}"#, "$.advance",
      #"expected a duration such as 11m, 601s or 1h30m; found "11""#),
    Case(
      "POST /control/clock", #"{"advance":11}"#, "$.advance",
      "expected a duration such as 11m, 601s or 1h30m; found 11"),
    Case(
      "POST /control/clock", #"{"advanceMs":-1}"#, "$.advanceMs",
      "expected an integer from 0 to 1000000000; found -1"),
    Case(
      "POST /control/clock", #"{"advnce":"1s"}"#, "$.advnce", #"unknown field; did you mean "advance"?"#),
    Case("POST /control/clock", #"{"advance":"1s","to":1}"#, "$.to", "unknown field"),
    Case("PUT /control/entropy", "{}", "$.entropySeed", "missing; expected an integer"),
    Case("PUT /control/entropy", #"{"entropySeed":1.5}"#, "$.entropySeed", "expected an integer; found 1.5"),
    Case("PUT /control/entropy", #"{"entropySeed":1,"seed":2}"#, "$.seed", "unknown field"),
    Case(
      "PUT /control/subscribers/+12025550100", #"{"cod":"1234"}"#, "$.cod",
      #"unknown field; did you mean "code"?"#),
    Case(
      "PUT /control/subscribers/+12025550100", #"{"reach":{"sm":true}}"#, "$.reach.sm",
      #"unknown field; did you mean "sms"?"#),
    Case(
      "PUT /control/subscribers/+12025550100", #"{"number":"+12025550101"}"#, "$.number",
      #"expected the number of the path; found "+12025550101""#),
    Case(
      "PUT /control/subscribers/12", "{}", "number",
      #"expected a phone number such as +12025550100; found "12""#),
    Case(
      "POST /control/subscribers/+12025550100/events", "{}", "$.event",
      "missing; expected one of simSwap, deviceSwap, port, recycle, deactivate, roam, attach, detach"),
    Case(
      "POST /control/subscribers/+12025550100/events", #"{"event":"attach","imsi":"1"}"#, "$.imsi",
      "unknown field"),
    Case(
      "POST /control/subscribers/+12025550100/events", #"{"event":"simSwap","at":"soon"}"#, "$.at",
      "expected a time such as 2026-01-05T10:20:30Z, a day such as 2026-01-05, or a span back such as -3d; found \"soon\""
    ),
    Case(
      "POST /control/subscribers/12/events", #"{"event":"attach"}"#, "number",
      #"expected a phone number such as +12025550100; found "12""#),
    Case(
      "PUT /control/subscribers/+12025550100",
      #"{"scenarios":[{"outcome":"slow","match":{"provider":"twillio"}}]}"#, "$.scenarios[0].match.provider",
      #"unknown provider "twillio"; did you mean "twilio"?"#),
    Case("POST /control/inbox/+12025550100/reply", "{}", "$.text", "missing; expected 1 to 1600 characters"),
    Case(
      "POST /control/inbox/+12025550100/reply", #"{"text":""}"#, "$.text",
      #"expected 1 to 1600 characters; found """#),
    Case(
      "POST /control/inbox/+12025550100/reply", #"{"text":"STOP","from":"x"}"#, "$.from",
      "unknown field"),
    Case(
      "POST /control/inbox/+12025550100/reply", #"{"text":"hi","to":"74454"}"#, "$.to",
      "expected a sender whose messages this sandbox has, or a number at which a provider receives texts; found \"74454\""
    ),
    Case(
      "POST /control/inbox/12/reply", #"{"text":"STOP"}"#, "number",
      #"expected a phone number such as +12025550100; found "12""#),
    Case("POST /control/calls/msg_1/keys", "{}", "$.keys", "missing; expected 1 to 32 of 0 to 9, * and #"),
    Case(
      "POST /control/calls/msg_1/keys", #"{"keys":""}"#, "$.keys",
      #"expected 1 to 32 of 0 to 9, * and #; found """#),
    Case("PUT /control/scenarios", "{}", "$.scenarios", "missing; expected an array of objects"),
    Case(
      "PUT /control/scenarios", #"{"scenarios":[{"outcome":"slow","mtch":{}}]}"#, "$.scenarios[0].mtch",
      #"unknown field; did you mean "match"?"#),
    Case(
      "PUT /control/scenarios", #"{"scenarios":[{"outcome":"slow","match":{"provider":"twillio"}}]}"#,
      "$.scenarios[0].match.provider",
      #"unknown provider "twillio"; did you mean "twilio"?"#),
    Case(
      "PUT /control/faults", #"{"faults":[{"provider":"twillio","status":500}]}"#, "$.faults[0].provider",
      #"unknown provider "twillio"; did you mean "twilio"?"#),
    Case(
      "PUT /control/faults", #"{"faults":{}}"#, "$.faults", "expected an array of objects; found an object"),
    Case(
      "PUT /control/faults", #"{"faults":[{"status":500,"rout":"x"}]}"#, "$.faults[0].rout",
      #"unknown field; did you mean "route"?"#),
    Case(
      "POST /control/journal/verify", #"{"count":"1"}"#, "$.count",
      #"expected an integer from 0 to 1000000000; found "1""#),
    Case(
      "POST /control/journal/verify", #"{"match":{"status":"200"}}"#, "$.match.status",
      #"expected an integer from 0 to 599; found "200""#),
    Case(
      "POST /control/journal/verify", #"{"match":{"rout":"x"}}"#, "$.match.rout",
      #"unknown field; did you mean "route"?"#),
    Case(
      "POST /control/journal/verify", #"{"matches":1}"#, "$.matches", #"unknown field; did you mean "match"?"#
    ),
    // Bodies that are no JSON object.
    Case("POST /control/clock", "[]", "$", "expected an object; found an array"),
    Case(
      "POST /control/clock", "advance=11m", "body",
      "expected JSON (application/json); found a form (application/x-www-form-urlencoded)"),
    Case("POST /control/clock", "advance 11m", "$", #"expected a value at byte 0; found "a""#),
    Case(
      "POST /control/clock", #"{"advance":"11m""#, "$",
      "expected a comma or a closing brace at byte 16; found the end"
    ),
    Case(
      "POST /control/clock", #"{"advance":"1m","advance":"2m"}"#, "$",
      #"expected a member name that this object does not have yet at byte 16; found """"#),
  ]

  @Test(
    "a bad body is rejected with field, expected and found value, and changes nothing", arguments: bodies
  )
  func body(_ refused: Case) throws {
    try expect(refused)
  }

  static let queries: [Case] = [
    Case("GET /control/inbox?after=-1", "", "after", #"expected an integer of 0 or more; found "-1""#),
    Case("GET /control/inbox?after=1.5", "", "after", #"expected an integer of 0 or more; found "1.5""#),
    Case(
      "GET /control/inbox?after=99999999999999999999", "", "after",
      #"expected an integer of 0 or more; found "99999999999999999999""#),
    Case("GET /control/inbox?after=", "", "after", #"expected an integer of 0 or more; found """#),
    Case("GET /control/inbox?wait=31", "", "wait", #"expected an integer from 0 to 30; found "31""#),
    Case(
      "GET /control/inbox/+12025550100/latest/code?wait=soon", "", "wait",
      #"expected an integer from 0 to 30; found "soon""#),
    Case(
      "GET /control/inbox?channel=fax", "", "channel",
      #"expected one of sms, call, whatsapp, email, rcs, viber, telegram, zalo, silent, push; found "fax""#),
    Case(
      "GET /control/inbox?chanel=sms", "", "chanel",
      "unknown query parameter; did you mean channel?"),
    Case(
      "GET /control/inbox/latest?number=1", "", "number",
      "unknown query parameter; expected one of channel, provider, after, wait"),
    Case(
      "GET /control/events?afer=1", "", "afer",
      "unknown query parameter; did you mean after?"),
    Case("GET /control/events?limit=0", "", "limit", #"expected an integer from 1 to 1000; found "0""#),
    Case(
      "GET /control/subscribers?limit=1001", "", "limit", #"expected an integer from 1 to 1000; found "1001""#
    ),
    Case("GET /control/journal?status=ok", "", "status", #"expected an integer from 0 to 599; found "ok""#),
    Case(
      "GET /control/journal?wait=1", "", "wait",
      "unknown query parameter; expected one of provider, route, method, status, contains, answerContains, after, limit, order"
    ),
    Case("GET /control/journal/wait?wait=99", "", "wait", #"expected an integer from 0 to 30; found "99""#),
    Case("GET /control/journal?route=%ff", "", "route", "expected a value in percent-encoded UTF-8"),
    Case(
      "GET /control/messages?number=12025550100", "", "number",
      #"expected a phone number such as +12025550100, an email address, or the push token of a device; "#
        + #"found "12025550100"; did you mean "+12025550100"?"#),
    Case(
      "GET /control/verifications?number=12025550100", "", "number",
      #"expected a phone number such as +12025550100, an email address, or the push token of a device; "#
        + #"found "12025550100"; did you mean "+12025550100"?"#),
    Case(
      "GET /control/pushes?number=12025550100", "", "number",
      #"expected a phone number such as +12025550100, an email address, or the push token of a device; "#
        + #"found "12025550100"; did you mean "+12025550100"?"#),
    Case("GET /control/clock?now=1", "", "now", "unknown query parameter; expected one of wait"),
    Case("POST /control/clock?wait=3601", "", "wait", "expected an integer from 0 to 3600; found \"3601\""),
    Case("GET /control/entropy?now=1", "", "now", "unknown query parameter; the path takes none"),
    Case(
      "DELETE /control/faults?provider=acme", "", "provider", "unknown query parameter; the path takes none"),
    Case(
      "GET /control/subscribers/12", "", "number",
      #"expected a phone number such as +12025550100; found "12""#),
  ]

  @Test("a bad query is rejected with field and expected value, and changes nothing", arguments: queries)
  func query(_ refused: Case) throws {
    try expect(refused)
  }

  @Test("a body in broken UTF-8 is rejected")
  func brokenText() throws {
    let request = Request(
      .put, Target("/control/entropy"), headers: ["Host": "localhost", "Content-Type": "application/json"],
      body: Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8))

    let response = try desk.world.answer(request)

    #expect(response.status == 400)
    #expect(String(decoding: response.body, as: UTF8.self).contains("byte 6"))
  }

  private func expect(_ refused: Case, at location: SourceLocation = #_sourceLocation) throws {
    _ = try desk.ask("PUT /control/faults", #"{"faults":[{"status":500,"provider":"acme"}]}"#)
    let before = try [desk.ask("GET /control/sandboxes/default/export"), desk.ask("GET /control/sandboxes")]

    let answer = try desk.ask(refused.line, refused.body)

    let path = text(refused.field)
    let sentence = text("\(refused.field): \(refused.sentence)")
    #expect(answer == #"400 {"error":\#(sentence),"field":\#(path)}"#, sourceLocation: location)
    #expect(
      try [desk.ask("GET /control/sandboxes/default/export"), desk.ask("GET /control/sandboxes")] == before,
      sourceLocation: location)
    #expect(desk.world.reports == [], sourceLocation: location)
  }

  private func text(_ value: String) -> String {
    String(decoding: JSON.string(value).encoded(), as: UTF8.self)
  }
}
