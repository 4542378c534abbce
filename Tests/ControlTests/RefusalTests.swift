import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · refusals")
struct RefusalTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  /// A request that is refused, the field that is named, and what was expected and found there.
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
    Case("POST /control/sandboxes", #"{"name":1}"#, "$.name", "a string; found 1"),
    Case(
      "POST /control/sandboxes", #"{"name":"a/b"}"#, "$.name",
      #"1 to 64 letters, digits, -, _ or .; found "a/b""#),
    Case(
      "POST /control/sandboxes", #"{"name":""}"#, "$.name", #"1 to 64 letters, digits, -, _ or .; found """#),
    Case("POST /control/sandboxes", #"{"entropySeed":"7"}"#, "$.entropySeed", #"an integer; found "7""#),
    Case("POST /control/sandboxes", #"{"entropySeed":1e99}"#, "$.entropySeed", "an integer; found 1e+99"),
    Case(
      "POST /control/sandboxes", #"{"clock":"now"}"#, "$.clock",
      #"a time such as 2026-01-05T10:20:30Z; found "now""#),
    Case(
      "POST /control/sandboxes", #"{"seeds":"default"}"#, "$.seeds", #"an array of strings; found "default""#),
    Case("POST /control/sandboxes", #"{"seeds":[1]}"#, "$.seeds[0]", "a string; found 1"),
    Case("POST /control/sandboxes", #"{"seeds":["nope"]}"#, "$.seeds", #"one of default; found "nope""#),
    Case("POST /control/sandboxes", #"{"nam":"ci"}"#, "nam", "no such member; found it"),
    Case(
      "POST /control/seed", #"{"subscribers":[{"number":"12"}]}"#, "$.subscribers[0].number",
      #"a phone number such as +12025550100; found "12""#),
    Case("POST /control/seed", #"{"scenario":[]}"#, "scenario", "no such member; found it"),
    Case("POST /control/seed", #"{"twilio":1}"#, "$.twilio", "an object; found 1"),
    Case(
      "POST /control/clock", "{}", "$.advance", "at least one of mode, set, advance, advanceMs; found nothing"
    ),
    Case(
      "POST /control/clock", "", "$.advance", "at least one of mode, set, advance, advanceMs; found nothing"),
    Case("POST /control/clock", #"{"mode":"frzen"}"#, "$.mode", #"one of real, frozen; found "frzen""#),
    Case(
      "POST /control/clock", #"{"set":"2026-02-30T00:00:00Z"}"#, "$.set",
      #"a time such as 2026-01-05T10:20:30Z; found "2026-02-30T00:00:00Z""#),
    Case(
      "POST /control/clock", #"{"advance":"11"}"#, "$.advance",
      #"a span such as 11m, 601s or 1h30m; found "11""#),
    Case("POST /control/clock", #"{"advance":11}"#, "$.advance", "a string; found 11"),
    Case(
      "POST /control/clock", #"{"advanceMs":-1}"#, "$.advanceMs",
      "a whole number from 0 to 1000000000; found -1"),
    Case("POST /control/clock", #"{"advance":"1s","to":1}"#, "to", "no such member; found it"),
    Case("PUT /control/entropy", "{}", "$.entropySeed", "an integer; found nothing"),
    Case("PUT /control/entropy", #"{"entropySeed":1.5}"#, "$.entropySeed", "an integer; found 1.5"),
    Case("PUT /control/entropy", #"{"entropySeed":1,"seed":2}"#, "seed", "no such member; found it"),
    Case("PUT /control/subscribers/+12025550100", #"{"cod":"1234"}"#, "cod", "no such member; found it"),
    Case(
      "PUT /control/subscribers/+12025550100", #"{"reach":{"sm":true}}"#, "reach.sm",
      "no such member; found it"),
    Case(
      "PUT /control/subscribers/+12025550100", #"{"number":"+12025550101"}"#, "$.number",
      #"the number of the path, or none; found "+12025550101""#),
    Case("PUT /control/subscribers/12", "{}", "number", #"a phone number such as +12025550100; found "12""#),
    Case(
      "POST /control/subscribers/+12025550100/events", "{}", "$.event",
      "one of simSwap, port, recycle, deactivate, roam, attach, detach; found nothing"),
    Case(
      "POST /control/subscribers/+12025550100/events", #"{"event":"attach","imsi":"1"}"#, "imsi",
      "no such member; found it"),
    Case(
      "POST /control/subscribers/+12025550100/events", #"{"event":"simSwap","at":"soon"}"#, "$.at",
      "a time such as 2026-01-05T10:20:30Z, a day such as 2026-01-05, or a span back such as -3d; found \"soon\""
    ),
    Case(
      "POST /control/subscribers/12/events", #"{"event":"attach"}"#, "number",
      #"a phone number such as +12025550100; found "12""#),
    Case(
      "PUT /control/subscribers/+12025550100",
      #"{"scenarios":[{"outcome":"slow","match":{"provider":"twillio"}}]}"#, "$.scenarios[0].match.provider",
      #"one of \#(TestSandbox.providerNames); found "twillio""#),
    Case("POST /control/inbox/+12025550100/reply", "{}", "$.text", "a string; found nothing"),
    Case(
      "POST /control/inbox/+12025550100/reply", #"{"text":""}"#, "$.text", #"1 to 1600 bytes; found """#),
    Case(
      "POST /control/inbox/+12025550100/reply", #"{"text":"STOP","from":"x"}"#, "from",
      "no such member; found it"),
    Case(
      "POST /control/inbox/12/reply", #"{"text":"STOP"}"#, "number",
      #"a phone number such as +12025550100; found "12""#),
    Case("POST /control/calls/msg_1/keys", "{}", "$.keys", "a string; found nothing"),
    Case(
      "POST /control/calls/msg_1/keys", #"{"keys":""}"#, "$.keys", #"1 to 32 of 0 to 9, * and #; found """#),
    Case("PUT /control/scenarios", "{}", "$.scenarios", "an array of objects; found nothing"),
    Case(
      "PUT /control/scenarios", #"{"scenarios":[{"outcome":"slow","mtch":{}}]}"#, "scenarios[0].mtch",
      "no such member; found it"),
    Case(
      "PUT /control/scenarios", #"{"scenarios":[{"outcome":"slow","match":{"provider":"twillio"}}]}"#,
      "$.scenarios[0].match.provider", #"one of \#(TestSandbox.providerNames); found "twillio""#),
    Case(
      "PUT /control/faults", #"{"faults":[{"provider":"twillio","status":500}]}"#, "$.faults[0].provider",
      #"one of \#(TestSandbox.providerNames); found "twillio""#),
    Case("PUT /control/faults", #"{"faults":{}}"#, "$.faults", "an array of objects; found an object"),
    Case(
      "PUT /control/faults", #"{"faults":[{"status":500,"rout":"x"}]}"#, "faults[0].rout",
      "no such member; found it"),
    Case("POST /control/journal/verify", #"{"count":"1"}"#, "$.count", #"an integer; found "1""#),
    Case(
      "POST /control/journal/verify", #"{"match":{"status":"200"}}"#, "$.match.status",
      #"an integer; found "200""#),
    Case(
      "POST /control/journal/verify", #"{"match":{"rout":"x"}}"#, "match.rout", "no such member; found it"),
    Case("POST /control/journal/verify", #"{"matches":1}"#, "matches", "no such member; found it"),
    // Bodies that are no JSON object.
    Case("POST /control/clock", "[]", "$", "an object; found an array"),
    Case("POST /control/clock", "advance=11m", "$", #"a value at byte 0; found "a""#),
    Case(
      "POST /control/clock", #"{"advance":"11m""#, "$", "a comma or a closing brace at byte 16; found the end"
    ),
    Case(
      "POST /control/clock", #"{"advance":"1m","advance":"2m"}"#, "$",
      #"a member name that this object does not have yet at byte 16; found """"#),
  ]

  @Test(
    "a body is refused with its field and what was expected and found, and nothing changes", arguments: bodies
  )
  func body(_ refused: Case) throws {
    try expect(refused)
  }

  static let queries: [Case] = [
    Case("GET /control/inbox?after=-1", "", "after", "a whole number from 0 to 9223372036854775807"),
    Case("GET /control/inbox?after=1.5", "", "after", "a whole number from 0 to 9223372036854775807"),
    Case(
      "GET /control/inbox?after=99999999999999999999", "", "after",
      "a whole number from 0 to 9223372036854775807"),
    Case("GET /control/inbox?after=", "", "after", "a whole number from 0 to 9223372036854775807"),
    Case("GET /control/inbox?wait=31", "", "wait", "a whole number from 0 to 30"),
    Case("GET /control/inbox/+12025550100/latest/code?wait=soon", "", "wait", "a whole number from 0 to 30"),
    Case(
      "GET /control/inbox?channel=fax", "", "channel",

      "one of sms, call, whatsapp, email, rcs, viber, telegram, zalo, silent, push"),
    Case("GET /control/inbox?chanel=sms", "", "chanel", "no such field"),
    Case("GET /control/inbox/latest?number=1", "", "number", "no such field"),
    Case("GET /control/events?afer=1", "", "afer", "no such field"),
    Case("GET /control/journal?status=ok", "", "status", "a status code"),
    Case("GET /control/journal?wait=1", "", "wait", "no such field"),
    Case("GET /control/journal/wait?wait=99", "", "wait", "a whole number from 0 to 30"),
    Case("GET /control/journal?route=%ff", "", "route", "a value in percent-encoded UTF-8"),
    Case("GET /control/clock?now=1", "", "now", "no such field"),
    Case("DELETE /control/faults?provider=acme", "", "provider", "no such field"),
    Case("GET /control/subscribers/12", "", "number", #"a phone number such as +12025550100; found "12""#),
  ]

  @Test("a query is refused with its field and what was expected, and nothing changes", arguments: queries)
  func query(_ refused: Case) throws {
    try expect(refused)
  }

  @Test("a body in broken UTF-8 is refused")
  func brokenText() throws {
    let request = Request(
      .put, Target("/control/entropy"), headers: ["Host": "h"],
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
    let sentence = text("\(refused.field): expected \(refused.sentence)")
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
