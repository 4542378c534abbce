import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · faults")
struct FaultTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test(
    "a fault answers in the provider's format, and the handler does not run",
    arguments: [
      (#"{"status":503}"#, "503 acme: fault -"), (#"{"code":"60203"}"#, "418 acme: fault 60203"),
      (#"{"status":429,"code":60203}"#, "429 acme: fault 60203"),
    ])
  func status(fault: String, answer: String) throws {
    try set(fault)

    #expect(try create() == answer)
    #expect(try desk.sandbox.events.after(0) == [])
  }

  @Test("a fault tells the client to wait")
  func retryAfter() throws {
    try set(#"{"status":429,"retryAfter":7}"#)

    #expect(try desk.respond("POST /things/v1/things").headers["Retry-After"] == "7")
  }

  @Test(
    "a fault can act on only some of its matches",
    arguments: [
      (#""nth":2"#, [1, 0, 1, 1]), (#""times":2"#, [0, 0, 1, 1]), (#""nth":2,"times":2"#, [1, 0, 0, 1]),
    ])
  func turns(turn: String, succeeds: [Int]) throws {
    try set(#"{"status":503,\#(turn)}"#)

    #expect(try (1...4).map { _ in try create() == "201 created" ? 1 : 0 } == succeeds)
  }

  @Test(
    "a fault matches only the requests that it names",
    arguments: [
      (#""provider":"acme""#, 503), (#""provider":"twilio""#, 201), (#""route":"createThing""#, 503),
      (#""route":"fetchThing""#, 201), (#""number":"+12025550177""#, 503), (#""number":"+12025550178""#, 201),
    ])
  func concerns(match: String, status: Int) throws {
    try set(#"{"status":503,\#(match)}"#)

    #expect(try desk.respond("POST /things/v1/things", "to=%2B12025550177").status.code == status)
  }

  @Test(
    "a text is found in path, query and body",
    arguments: ["GET /things/v1/things/+1202", "GET /things/v1/things/a?for=%2B1202"])
  func texts(line: String) throws {
    try set(#"{"status":503,"contains":"+1202"}"#)

    #expect(try desk.ask(line) == "503 acme: fault -")
  }

  @Test(
    "a number is found in path, query and body, with and without its plus sign, but not in a longer number",
    arguments: [
      ("/+12025550177", "", true), ("/12025550177", "", true), ("/%2B12025550177", "", true),
      ("/a?to=%2b12025550177", "", true), ("/a", "to=%2B12025550177&x=1", true),
      ("/a", "to=12025550177", true),
      ("/a", #"{"to":"+12025550177"}"#, true), ("/a", #"{"to":"\u002B12025550177"}"#, true),
      ("/a", "to=%2B12025550177\u{FF}", true), ("/a", "", false), ("/a", "to=%2B120255501771", false),
      ("/a", "to=%2B412025550177", false), ("/a", "to=2025550177", false),
      ("/a", "to=%2B120255501771 %2B12025550177", true), ("/0012025550177", "", true),
      ("/a", "to=001+202+555+0177", true), ("/a", "to=%2B1%20%28202%29%20555-0177", true),
      ("/a", #"{"to":"+1 202.555.0177"}"#, true), ("/a", "to=1 202 555 0177 1", false),
      ("/a", "to=+12025550178+12025550177", true), ("/a", "to=1 202 555 01771", false),
      ("/a", "to=00012025550177", false), ("/a", "to=1,202,555,0177", false),
    ])
  func numbers(path: String, body: String, isHit: Bool) throws {
    try set(#"{"status":503,"number":"+12025550177"}"#)

    #expect(try (desk.respond("GET /things/v1/things\(path)", body).status.code == 503) == isHit)
  }

  @Test("the control API has no faults")
  func control() throws {
    try set(#"{"status":503}"#)

    #expect(try desk.ask("GET /control/entropy") == #"200 {"entropySeed":1}"#)
  }

  @Test(
    "a fault that could never act is rejected, with the nearest name",
    arguments: [
      (
        #"{"status":503,"provider":"acmee"}"#,
        #"$.faults[0].provider: unknown provider "acmee"; did you mean "acme"?"#
      ),
      (
        #"{"status":503,"route":"createThin"}"#,
        #"$.faults[0].route: unknown route "createThin"; did you mean "createThing"?"#
      ),
      (
        #"{"status":503,"provider":"carrier","route":"createThing"}"#,
        #"$.faults[0].route: unknown route "createThing"; expected one of authorize, attachHandset"#
      ),
      (
        #"{"code":60230,"provider":"acme"}"#,
        #"$.faults[0].code: unknown code "60230"; did you mean "60203"?"#
      ),
      (#"{"code":1,"provider":"carrier"}"#, #"$.faults[0].code: unknown code "1"; there is none"#),
    ])
  func unknownNames(fault: String, message: String) throws {
    let answer = try desk.ask("PUT /control/faults", #"{"faults":[\#(fault)]}"#)

    #expect(answer.hasPrefix("400"))
    #expect(answer.contains(message.replacing(#"""#, with: #"\""#)))
  }

  @Test("every fault counts every request that it matches")
  func independentCounts() throws {
    try set(#"{"status":500,"nth":1},{"status":503,"nth":2},{"status":403,"nth":3}"#)

    #expect(
      try (1...4).map { _ in try create() } == [
        "500 acme: fault -", "503 acme: fault -", "403 acme: fault -", "201 created",
      ])
  }

  @Test("of two faults that act on a request, the first one wins")
  func firstWins() throws {
    try set(#"{"status":500},{"status":503}"#)

    #expect(try (1...2).map { _ in try create() } == ["500 acme: fault -", "500 acme: fault -"])
  }

  @Test("a latency delays the answer in real time, also on a frozen clock; the handler runs at once")
  func latency() throws {
    try set(#"{"latencyMs":2000}"#)

    let reply = try #require(desk.wait("POST /things/v1/things"))

    #expect(try reply.answer() == nil)
    #expect(reply.timeout == .milliseconds(2000))
    #expect(try desk.answer(reply.onTimeout()) == "201 created")
    #expect(try desk.sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent])
  }

  @Test("a latency ends early when the sandbox's clock is moved past it")
  func latencyOnMovedClock() throws {
    try set(#"{"latencyMs":2000}"#)

    let reply = try #require(desk.wait("POST /things/v1/things"))
    try desk.sandbox.advance(by: .milliseconds(1999))
    #expect(try reply.answer() == nil)
    try desk.sandbox.advance(by: .milliseconds(1))

    #expect(try desk.answer(reply.answer()) == "201 created")
  }

  @Test("a latency delays a fault's own answer too")
  func latencyOfFault() throws {
    try set(#"{"latencyMs":2000,"status":503}"#)

    let reply = try #require(desk.wait("POST /things/v1/things"))

    #expect(try desk.answer(reply.onTimeout()) == "503 acme: fault -")
  }

  @Test("a latency delays an error too")
  func latencyOfRefusal() throws {
    try set(#"{"latencyMs":2000}"#)

    let reply = try #require(desk.wait("POST /things/v1/refused"))

    #expect(try desk.answer(reply.onTimeout()) == "422 acme: no")
  }

  @Test(
    "damage changes the answer on its way, after the handler has run",
    arguments: [
      (#""damage":"reset""#, Response.Transport.reset, "201 created"),
      (#""damage":"truncate""#, .truncated(after: 3), "201 created"),
      (#""damage":"garble""#, .whole, "201 <html>garbled"),
    ])
  func damage(damage: String, transport: Response.Transport, answer: String) throws {
    try set("{\(damage)}")

    let response = try desk.respond("POST /things/v1/things")

    #expect(response.transport == transport)
    #expect(try desk.answer(response) == answer)
    #expect(try desk.sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent])
  }

  @Test("damage applies to a fault's own answer")
  func damagedFault() throws {
    try set(#"{"status":503,"damage":"truncate"}"#)

    let response = try desk.respond("POST /things/v1/things")

    #expect(response.transport == .truncated(after: 6))
    #expect(response.status == 503)
  }

  @Test("a fault after the work answers in place of the handler, whose changes are kept")
  func afterWork() throws {
    try set(#"{"status":500,"when":"after"}"#)

    #expect(try create() == "500 acme: fault -")
    #expect(try desk.sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent])
    #expect(
      try desk.newestExchange()["why"]
        == .string(
          "broken on purpose: fault 1 answers 500 after the work (to end it: Break, or /control/faults)"))
  }

  @Test("a fault after the work replaces an answer that comes later, too")
  func afterSlowWork() throws {
    try set(#"{"code":60203,"when":"after"}"#)

    #expect(try desk.ask("POST /things/v1/slow") == "418 acme: fault 60203")
    #expect(try desk.sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent])
  }

  @Test("a request that the handler cannot read gets its own error, which is not the fault's")
  func afterRefusal() throws {
    try set(#"{"status":500,"when":"after"}"#)

    #expect(try desk.ask("POST /things/v1/things", "to=%2").hasPrefix("400 acme: "))
    let why = try desk.newestExchange()["why"]?.text
    #expect(why?.contains("on purpose") == false)
  }

  @Test("damage before the work: the connection is reset, and nothing was sent")
  func damageBeforeWork() throws {
    try set(#"{"damage":"reset","when":"before"}"#)

    #expect(try desk.respond("POST /things/v1/things").transport == .reset)
    #expect(try desk.sandbox.events.after(0) == [])
  }

  @Test("46 E6: a dropped connection has no status in the journal", arguments: ["before", "after"])
  func droppedConnection(moment: String) throws {
    try set(#"{"status":500,"damage":"reset","when":"\#(moment)"}"#)

    _ = try desk.respond("POST /things/v1/things")

    let found = try desk.newestExchange()
    #expect(found["response"]?["status"] == .integer(0) && found["response"]?["body"]?.text == "")
    #expect(found["why"]?.text?.hasPrefix("broken on purpose: fault 1") == true)
  }

  @Test(
    "a proxy's page is HTML, says so, and has none of the provider's header fields",
    arguments: [
      (#"{"damage":"html"}"#, "502 Bad Gateway", true),
      (#"{"damage":"html","status":504}"#, "504 Gateway Timeout", false),
      (#"{"damage":"html","status":503,"when":"after","retryAfter":7}"#, "503 Service Unavailable", true),
    ])
  func proxyPage(fault: String, title: String, isDone: Bool) throws {
    try set(fault)

    let response = try desk.respond("POST /things/v1/things")

    #expect("\(response.status.code) \(response.status.reason)" == title)
    #expect(response.headers["Content-Type"] == "text/html")
    #expect(response.headers["X-Acme"] == nil)
    #expect(response.headers["Date"] != nil)
    #expect(response.headers["Retry-After"] == (fault.contains("retryAfter") ? "7" : nil))
    #expect(String(decoding: response.body, as: UTF8.self).contains("<title>\(title)</title>"))
    #expect(try desk.sandbox.events.after(0).isEmpty == !isDone)
  }

  @Test(
    "status and damage go together, before and after the work",
    arguments: [
      (#""damage":"truncate""#, Response.Transport.truncated(after: 6), "503 acme: fault -"),
      (#""damage":"garble""#, .whole, "503 <html>garbled"),
      (#""damage":"reset""#, .reset, "503 acme: fault -"),
    ], ["before", "after"])
  func statusWithDamage(
    damage: (member: String, transport: Response.Transport, answer: String), moment: String
  ) throws {
    try set(#"{"status":503,\#(damage.member),"when":"\#(moment)"}"#)

    let response = try desk.respond("POST /things/v1/things")

    #expect(response.transport == damage.transport)
    #expect(try desk.answer(response) == damage.answer)
    #expect(try desk.sandbox.events.after(0).isEmpty == (moment == "before"))
  }

  @Test("the options have every name that a fault can have, and are in the API's description")
  func options() throws {
    let options = try JSON(parsing: desk.respond("GET /control/faults/options?provider=acme").body)
    let all = try JSON(parsing: desk.respond("GET /control/faults/options").body)
    let document = try JSON(parsing: desk.respond("GET /control/openapi.json").body)
    let acme = try #require(options["providers"]?.items.first)

    #expect(acme["name"]?.text == "acme")
    #expect(acme["codes"]?.items == [.string("60203"), .string("taken")])
    #expect(
      acme["routes"]?.items.contains {
        $0["name"]?.text == "fetchThing" && $0["method"]?.text == "GET"
          && $0["path"]?.text == "/things/v1/things/{thing}"
      } == true)
    #expect(options["damage"]?.items.compactMap(\.text) == ["reset", "truncate", "garble", "html"])
    #expect(options["when"]?.items.compactMap(\.text) == ["before", "after"])
    #expect((all["providers"]?.items.count ?? 0) > 7)
    #expect(document["x-fault-options"] == all)
    #expect(
      try desk.ask("GET /control/faults/options?provider=acmee").contains(#"did you mean \"acme\"?"#))
  }

  @Test("the journal names the fault as the reason")
  func journal() throws {
    try set(#"{"status":503}"#)
    _ = try create()

    #expect(
      try desk.newestExchange()["why"]
        == .string("broken on purpose: fault 1 answers 503 (to end it: Break, or /control/faults)"))
  }

  private func set(_ fault: String) throws {
    let answer = try desk.ask("PUT /control/faults", #"{"faults":[\#(fault)]}"#)
    #expect(answer.hasPrefix("200"))
  }

  private func create() throws -> String { try desk.ask("POST /things/v1/things") }
}
