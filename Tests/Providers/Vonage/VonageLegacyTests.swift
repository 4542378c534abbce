import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V33 to V35 of the contract, section 13.
@Suite("Vonage · Verify legacy", .contract("vonage-verify.md 9"))
struct VonageLegacyTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private func send(
    _ path: String, _ form: KeyValuePairs<String, String>, as credentials: Headers = VonageWorld.basic
  ) throws -> Exchange {
    try vonage.world.send(.post("/vonage/verify/\(path)", form: form, headers: credentials))
  }

  private func start(_ form: KeyValuePairs<String, String> = [:]) throws -> String {
    var query = "number=\(VonageWorld.digits)&brand=Acme"
    for (name, value) in form { query += "&\(name)=\(value)" }
    let started = try vonage.world.send(
      .to("/vonage/verify/json?\(query)", .post, headers: VonageWorld.basic))
    return try self.id(of: started)
  }

  private func id(of started: Exchange) throws -> String {
    try Fields(Array(started.answer.dropFirst(4).utf8)).string("request_id")
  }

  private func check(_ code: String, _ id: String) throws -> Exchange {
    try send("check/json", ["request_id": id, "code": code])
  }

  private func control(_ command: String, _ id: String) throws -> Exchange {
    try send("control/json", ["request_id": id, "cmd": command])
  }

  private func search(_ id: String) throws -> Exchange {
    try vonage.world.send(
      .to("/vonage/verify/search/json?request_id=\(id)", headers: VonageWorld.basic))
  }

  @Test("V33: request, check, search and control")
  func v33() throws {
    let started = try send("json", ["number": VonageWorld.digits, "brand": "Acme"])
    started.matches(golden: "started")
    #expect(try started.legacyStatus() == "0")
    let id = try self.id(of: started)
    #expect(id.utf8.count == 32)
    let checked = try check(try vonage.code(), id)
    checked.matches(golden: "right")
    let found = try search(id)
    found.matches(golden: "success")
    #expect(found.answer.contains(#""status":"SUCCESS""#))

    let second = try start()
    let wrong = try vonage.wrong()
    let statuses = try (1...3).map { _ in try check(wrong, second).legacyStatus() }
    #expect(statuses == ["16", "16", "17"])
    #expect(try search(second).answer.contains(#""status":"FAILED""#))
    #expect(try check(wrong, second).legacyStatus() == "6")

    let third = try start()
    let next = try control("trigger_next_event", third)
    next.matches(golden: "next")
    try vonage.advance(5)
    #expect(try vonage.inbox().last?.channel == .call)
    _ = try control("trigger_next_event", third)
    #expect(try control("trigger_next_event", third).legacyStatus() == "19")
  }

  @Test("V34: a cancellation within 30 seconds, and a second request, are refused")
  func v34() throws {
    let id = try start()
    try vonage.advance(10)
    let early = try control("cancel", id)
    early.matches(golden: "too-early")
    #expect(try early.legacyStatus() == "19")
    let second = try send("json", ["number": VonageWorld.digits, "brand": "Acme"])
    second.matches(golden: "concurrent")
    #expect(second.answer.contains(#""status":"10""#) && second.answer.contains(id))
    try vonage.advance(21)
    let canceled = try control("cancel", id)
    canceled.matches(golden: "canceled")
    #expect(canceled.answer == #"200 {"status":"0","command":"cancel"}"#)
    #expect(try search(id).answer.contains(#""status":"CANCELLED""#))
  }

  @Test("V35: a form is read although its type says JSON, and JSON too")
  func v35() throws {
    var headers = VonageWorld.basic
    headers.add("Content-Type", "application/json")
    let form = try vonage.world.send(
      .to(
        "/vonage/verify/json", .post, headers: headers,
        body: Array("number=\(VonageWorld.digits)&brand=Acme".utf8)))
    let json = try vonage.post(
      "/vonage/verify/json",
      #"{"number":12025550151,"brand":"Acme","api_key":"abcd1234","api_secret":"sandboxSecret001"}"#, as: [:])

    #expect(form.answer.contains(#""status":"0""#))
    #expect(json.answer.contains(#""status":"0""#))
  }

  @Test("the default workflow calls twice, and the last call has a new code")
  func workflow() throws {
    let id = try start()
    let first = try vonage.code()
    try vonage.advance(130)
    #expect(try vonage.inbox().map(\.channel) == [.sms, .call])
    #expect(try vonage.code() == first)
    try vonage.advance(180)

    #expect(try vonage.inbox().map(\.channel) == [.sms, .call, .call])
    #expect(try vonage.code() != first)
    #expect(try check(try vonage.code(), id).legacyStatus() == "0")
  }

  @Test("pin_expiry and next_event_wait decide when a code is new")
  func waits() throws {
    let id = try start(["pin_expiry": "240", "next_event_wait": "120"])
    try vonage.advance(125)
    let second = try vonage.code()
    try vonage.advance(120)
    #expect(try vonage.code() != second)
    try vonage.advance(240)

    #expect(try search(id).answer.contains(#""status":"EXPIRED""#))
  }

  @Test(
    "wrong parameters are refused with their status",
    arguments: [
      ("brand=Acme", "2"), ("number=12025550150", "2"), ("number=12025550150&brand=Acme&code_length=5", "3"),
      ("number=abc&brand=Acme", "3"), ("number=12025550150&brand=Acme&workflow_id=8", "3"),
      ("number=12025550150&brand=Acme&pin_expiry=59", "3"),
      ("number=12025550150&brand=Acme%20Acme%20Acme%20Acme", "3"),
      ("number=12025550150&brand=Acme&country=QQ", "3"), ("number=12025550150&brand=Acme&lg=1", "3"),
      ("number=12025550150&brand=Acme&sender_id=123456789012", "3"),
      ("number=12025550150&brand=Acme&pin_code=1234", "20"),
    ])
  func invalid(form: String, status: String) throws {
    let refused = try vonage.world.send(
      .to("/vonage/verify/json", .post, headers: VonageWorld.basic, body: Array(form.utf8)))

    #expect(try refused.legacyStatus() == status)
  }

  @Test("credentials can be in the query; wrong ones have status 4")
  func credentials() throws {
    let query = "api_key=abcd1234&api_secret=wrong&number=12025550150&brand=Acme"
    let refused = try vonage.world.send(.to("/vonage/verify/json?\(query)", .post))
    refused.matches(golden: "wrong-secret")
    #expect(try refused.legacyStatus() == "4")
  }

  @Test("XML has the same members")
  func xml() throws {
    let started = try send("xml", ["number": VonageWorld.digits, "brand": "A&B"])
    started.matches(golden: "xml")
    #expect(started.answer.contains("<verify_response><request_id>"))
    let refused = try send("check/xml", ["request_id": "0", "code": "1234"])
    refused.matches(golden: "xml-unknown")
    #expect(refused.answer.contains("<status>6</status>"))
    #expect(try send("yaml", [:]).legacyStatus() == "3")
  }

  @Test("a payment names the amount and who gets it")
  func payment() throws {
    let started = try send(
      "psd2/json", ["number": VonageWorld.digits, "payee": "Shop", "amount": "9.99"])
    started.matches(golden: "started")
    #expect(try vonage.inbox().map(\.text) == ["Code \(try vonage.code()) to pay 9.99 EUR to Shop."])
    let refused = try send("psd2/json", ["number": VonageWorld.digits, "payee": "Shop", "amount": "x"])
    refused.matches(golden: "amount")
    #expect(try refused.legacyStatus() == "3")
  }

  @Test("several requests are searched at once; an unknown one has status 101")
  func searches() throws {
    let id = try start()
    let both = try send("search/json", ["request_ids": id, "request_ids": "0"])
    both.matches(golden: "two")
    #expect(both.answer.contains(#""verification_requests":[{"request_id":"\#(id)""#))
    let unknown = try search("0")
    unknown.matches(golden: "unknown")
    #expect(try unknown.legacyStatus() == "101")
    try send("search/json", [:]).matches(golden: "no-id")
    let byQuery = try vonage.world.send(
      .to("/vonage/verify/control/json?request_id=\(id)&cmd=trigger_next_event", headers: VonageWorld.basic))
    byQuery.matches(golden: "next")
    let unknownCommand = try vonage.world.send(
      .to("/vonage/verify/control/json?request_id=\(id)&cmd=stop", headers: VonageWorld.basic))
    unknownCommand.matches(golden: "unknown-command")
    #expect(try unknownCommand.legacyStatus() == "3")
    try check("12", id).matches(golden: "short")
  }

  @Test("a national number with a country is completed")
  func country() throws {
    let started = try send("json", ["number": "0639980050", "country": "fr", "brand": "Acme"])

    #expect(try started.legacyStatus() == "0")
    #expect(try vonage.inbox("+33639980050").count == 1)
  }

  @Test("a blocked network is refused until the account unblocks it")
  func networks() throws {
    try vonage.configure(#""blockedNetworks":["00101"]"#)
    func start() throws -> String {
      try send("json", ["number": VonageWorld.digits, "brand": "Acme"]).legacyStatus()
    }
    func unblock(_ body: String) throws -> Exchange {
      try vonage.post("/vonage/verify/network-unblock", body, as: VonageWorld.basic)
    }

    #expect(try start() == "15")
    let unknown = try unblock(#"{"network":"99999"}"#)
    unknown.matches(golden: "unknown")
    #expect(try unknown.problem() == "404 network-not-found")
    let unblocked = try unblock(#"{"network":"00101","duration":60}"#)
    unblocked.matches(golden: "unblocked")
    #expect(unblocked.answer == #"202 {"network":"00101","unblocked_until":"2026-01-05T10:21:30Z"}"#)
    #expect(try start() == "0")
  }

  @Test(
    "an outage has an HTTP status too",
    arguments: [
      (HTTP.Method.post, "/vonage/verify/json"), (.post, "/vonage/verify/psd2/json"),
      (.get, "/vonage/verify/json"), (.get, "/vonage/verify/psd2/json"), (.get, "/vonage/verify/check/json"),
      (.post, "/vonage/verify/check/json"), (.get, "/vonage/verify/search/json"),
      (.post, "/vonage/verify/search/json"), (.get, "/vonage/verify/control/json"),
      (.post, "/vonage/verify/control/json"), (.get, "/ni/basic/json"), (.post, "/ni/basic/json"),
      (.get, "/ni/standard/json"), (.post, "/ni/standard/json"), (.get, "/ni/advanced/json"),
      (.post, "/ni/advanced/json"), (.get, "/ni/advanced/async/json"), (.post, "/ni/advanced/async/json"),
    ])
  func outage(method: HTTP.Method, path: String) throws {
    try vonage.seed(#"{"faults":[{"provider":"vonage","status":503}]}"#)

    let exchange = try vonage.send(method, path, as: VonageWorld.basic)

    exchange.matches(golden: "outage")
    #expect(exchange.answer.hasPrefix("503") && exchange.answer.contains(#""status":"#))
  }

  @Test("paths of Verify legacy belong to the provider's hosts and prefix only")
  func hostBound() throws {
    let foreign = try vonage.world.send(.to("/verify/json", .post, headers: VonageWorld.basic))
    var headers: Headers = ["Host": "api.nexmo.com"]
    headers.append(VonageWorld.basic)
    let own = try vonage.world.send(
      Request(.post, Target("/verify/json?number=12025550150&brand=Acme"), headers: headers))

    #expect(foreign.answer.hasPrefix("404"))
    #expect(own.answer.contains(#""status":"0""#))
  }
}
