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

  @Test("a fault after the work replaces an answer that comes later, too")
  func afterSlowWork() throws {
    try set(#"{"code":60203,"when":"after"}"#)

    #expect(try desk.ask("POST /things/v1/slow") == "418 acme: fault 60203")
    #expect(try desk.sandbox.events.after(0).map(\.kind) == [.verificationStarted, .messageSent])
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

  private func set(_ fault: String) throws {
    let answer = try desk.ask("PUT /control/faults", #"{"faults":[\#(fault)]}"#)
    #expect(answer.hasPrefix("200"))
  }
}
