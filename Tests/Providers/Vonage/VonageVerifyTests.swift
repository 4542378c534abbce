import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V1 to V14 and V38 of the contract, section 13.
@Suite("Vonage · Verify v2", .contract("vonage-verify.md 3 to 5"))
struct VonageVerifyTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static let sms = VonageWorld.channel("sms")
  private static let voice = VonageWorld.channel("voice")

  @Test("V1: a request of an application sends a code, and the code completes it")
  func v1() throws {
    let started = try vonage.startRaw()
    started.matches(golden: "sms")
    let id = try started.decode(VonageStart.self).id

    #expect(try vonage.inbox().map(\.text) == ["Acme code: \(try vonage.code())."])
    let checked = try vonage.check(try vonage.code(), id)
    checked.matches(golden: "completed")
    #expect(checked.answer == #"200 {"request_id":"\#(id)","status":"completed"}"#)
  }

  @Test("V2: the same with key and secret, without webhooks")
  func v2() throws {
    try vonage.receiveEvents()
    let id = try vonage.start(as: VonageWorld.basic).id

    let checked = try vonage.check(try vonage.code(), id, as: VonageWorld.basic)

    #expect(checked.answer == #"200 {"request_id":"\#(id)","status":"completed"}"#)
    #expect(try vonage.events().isEmpty)
  }

  @Test("V3: expired tokens, foreign keys and wrong secrets are refused")
  func v3() throws {
    func refusal(_ credentials: Headers) throws -> String {
      try vonage.startRaw(as: credentials).problem()
    }
    let expired = try vonage.startRaw(as: ["Authorization": "Bearer \(VonageTokens.expired)"])

    expired.matches(golden: "expired-token")
    #expect(try expired.problem() == "401 jwt-expired")
    #expect(try refusal(["Authorization": "Bearer \(VonageTokens.foreign)"]) == "401 unauthorized")
    #expect(try refusal(["Authorization": "Bearer \(VonageTokens.noTime)"]) == "401 unauthorized")
    #expect(try refusal(["Authorization": "Bearer nonsense"]) == "401 unauthorized")
    #expect(try refusal(Request.basic(VonageWorld.key, "wrong")) == "401 unauthorized")
    #expect(try refusal([:]) == "401 unauthorized")
    #expect(expired.headers["Content-Type"] == "application/problem+json")
  }

  @Test("V3: unknown accounts and applications are accepted by an open sandbox only")
  func v3Unknown() throws {
    let unknown: Headers = ["Authorization": "Bearer \(VonageTokens.unknown)"]
    let strict = try VonageWorld(acceptsUnknownAccounts: false)

    #expect(try vonage.startRaw(as: unknown).answer.hasPrefix("202"))
    #expect(try strict.startRaw(as: unknown).problem() == "401 unauthorized")
    #expect(try strict.startRaw(as: Request.basic("zzzz0000", "any")).problem() == "401 unauthorized")
    #expect(
      try vonage.startRaw(
        [VonageWorld.channel("sms", to: "12025550151")], as: Request.basic("zzzz0000", "any")
      )
      .answer.hasPrefix("202"))
  }

  @Test(
    "V4: each wrong member is named",
    arguments: [
      (#""brand":"Acme Acme Acme Acme","workflow":[W]"#, "brand"),
      (#""brand":"a:b","workflow":[W]"#, "brand"),
      (#""workflow":[W]"#, "brand"),
      (#""brand":"A""#, "workflow"),
      (#""brand":"A","workflow":[]"#, "workflow"),
      (#""brand":"A","workflow":[W,W,W,W]"#, "workflow"),
      (#""brand":"A","workflow":[{"channel":"pigeon","to":"12025550150"}]"#, "workflow[0].channel"),
      (#""brand":"A","workflow":[{"channel":"sms"}]"#, "workflow[0].to"),
      (#""brand":"A","workflow":[{"channel":"sms","to":"0012025550150"}]"#, "workflow[0].to"),
      (#""brand":"A","workflow":[{"channel":"email","to":"12025550150"}]"#, "workflow[0].to"),
      (#""brand":"A","workflow":[W],"channel_timeout":14"#, "channel_timeout"),
      (#""brand":"A","workflow":[W],"channel_timeout":901"#, "channel_timeout"),
      (#""brand":"A","workflow":[W],"channel_timeout":"60""#, "channel_timeout"),
      (#""brand":"A","workflow":[W],"code_length":3"#, "code_length"),
      (#""brand":"A","workflow":[W],"code_length":11"#, "code_length"),
      (#""brand":"A","workflow":[W],"code":"12-45""#, "code"),
      (#""brand":"A","workflow":[W],"client_ref":"a b""#, "client_ref"),
      (#""brand":"A","workflow":[W],"locale":"?""#, "locale"),
      (#""brand":"A","workflow":[W],"template_id":"x""#, "template_id"),
      (
        #""brand":"A","workflow":[{"channel":"sms","to":"12025550150","app_hash":"1234567890"}]"#,
        "workflow[0].app_hash"
      ),
      (#""brand":"A","workflow":[{"channel":"rcs","to":"12025550150"}]"#, "workflow[0].from"),
      (#""brand":1,"workflow":[W],"code_length":3"#, "brand, code_length"),
    ])
  func v4(members: String, names: String) throws {
    let body = "{\(members.replacing("W", with: Self.sms))}"

    let refused = try vonage.post("/v2/verify", body)

    if names == "brand, code_length" { refused.matches(golden: "invalid") }
    #expect(try refused.problem() == "422 invalid-params \(names)")
  }

  @Test("V5: silent authentication must come first")
  func v5() throws {
    let refused = try vonage.startRaw([Self.sms, VonageWorld.channel("silent_auth")])

    #expect(try refused.problem() == "422 invalid-params workflow[1].channel")
  }

  @Test("V6: a second request for a number is a conflict that names the first")
  func v6() throws {
    let first = try vonage.start([Self.sms, VonageWorld.channel("voice", to: "12025550151")])

    for number in ["12025550150", "12025550151"] {
      let refused = try vonage.startRaw([VonageWorld.channel("sms", to: number)])
      #expect(try refused.problem() == "409 concurrent")
      #expect(try refused.decode(VonageProblem.self).request == first.id)
    }
    try vonage.startRaw().matches(golden: "concurrent")
  }

  @Test("V7: after completion, expiry and cancellation, the number is free")
  func v7() throws {
    let other = VonageWorld.channel("voice", to: "12025550151")
    let first = try vonage.start([Self.sms, other])
    _ = try vonage.check(try vonage.code(), first.id)
    _ = try vonage.start([Self.sms, other])
    try vonage.advance(361)
    let third = try vonage.start([other, Self.sms])
    try vonage.advance(31)
    #expect(try vonage.cancel(third.id).answer == "204")

    #expect(try vonage.startRaw([Self.sms]).answer.hasPrefix("202"))
    #expect(try vonage.startRaw([other]).answer.hasPrefix("202"))
  }

  @Test("V7: with concurrentGrace, a cancellation keeps the number for some time")
  func v7Grace() throws {
    try vonage.configure(#""concurrentGrace":12"#)
    let first = try vonage.start()
    try vonage.advance(31)
    _ = try vonage.cancel(first.id)

    #expect(try vonage.startRaw().problem() == "409 concurrent")
    try vonage.advance(12)
    #expect(try vonage.startRaw().answer.hasPrefix("202"))
  }

  @Test("V8: the third wrong code ends the request")
  func v8() throws {
    let id = try vonage.start().id
    let (right, wrong) = (try vonage.code(), try vonage.wrong())

    let first = try vonage.check(wrong, id)
    first.matches(golden: "wrong")
    #expect(try first.problem() == "400 invalid-code")
    #expect(try vonage.check(wrong, id).problem() == "400 invalid-code")
    #expect(try vonage.check(wrong, id).problem() == "410 expired")
    #expect(try vonage.check(right, id).problem() == "404 request-not-found")
  }

  @Test("V8: the setting maxAttempts counts")
  func v8Setting() throws {
    try vonage.configure(#""maxAttempts":1"#)
    let id = try vonage.start().id

    #expect(try vonage.check(try vonage.wrong(), id).problem() == "410 expired")
  }

  @Test("V9: the next channel begins after the timeout, with another code")
  func v9() throws {
    let id = try vonage.start([Self.sms, Self.voice], #","channel_timeout":60"#).id
    let old = try vonage.code()
    try vonage.advance(61)

    let call = try #require(try vonage.inbox().last)
    #expect(call.channel == .call)
    #expect(call.code != old)
    #expect(try vonage.check(old, id).problem() == "400 invalid-code")
    #expect(try vonage.check(try vonage.code(), id).answer.hasPrefix("200"))
  }

  @Test("V9: with reuse_code, the next channel has the same code")
  func v9Reuse() throws {
    let id = try vonage.start(
      [Self.sms, VonageWorld.channel("voice", #","reuse_code":true"#)], #","channel_timeout":60"#
    ).id
    let old = try vonage.code()
    try vonage.advance(61)

    #expect(try vonage.inbox().map(\.code) == [old, old])
    #expect(try vonage.check(old, id).answer.hasPrefix("200"))
  }

  @Test("V10: the next channel can be asked for, until there is none")
  func v10() throws {
    let id = try vonage.start([Self.sms, Self.voice]).id

    let next = try vonage.next(id)
    next.matches(golden: "next")
    #expect(next.answer == "200")
    #expect(try vonage.inbox().map(\.channel) == [.sms, .call])
    let none = try vonage.next(id)
    none.matches(golden: "none-left")
    #expect(try none.problem() == "409 no-events")
  }

  @Test("V11: a message that cannot be delivered starts the next channel at once")
  func v11() throws {
    try vonage.receiveEvents()
    _ = try vonage.start([
      VonageWorld.channel("sms", to: "12025550130"), VonageWorld.channel("email", to: "a@example.com"),
    ])
    try vonage.advance(1)
    #expect(try vonage.inbox("a@example.com").count == 1)
    #expect(try vonage.summaries() == ["sms failed"])
  }

  @Test("V11: with failFast off, the next channel waits for the timeout")
  func v11Patient() throws {
    try vonage.configure(#""failFast":false"#)
    _ = try vonage.start(
      [VonageWorld.channel("sms", to: "12125550130"), VonageWorld.channel("email", to: "b@example.com")])
    try vonage.advance(179)
    #expect(try vonage.inbox("b@example.com").isEmpty)
    try vonage.advance(2)
    #expect(try vonage.inbox("b@example.com").count == 1)
  }

  @Test("V12: when all channels have timed out, the summary says so")
  func v12() throws {
    try vonage.receiveEvents()
    let id = try vonage.start([Self.sms, Self.voice], #","channel_timeout":60"#).id
    try vonage.advance(120)

    #expect(
      try vonage.summaries() == [
        "sms expired", "voice expired", "summary expired: sms expired, voice expired",
      ])
    #expect(try vonage.check("1234", id).problem() == "404 request-not-found")
  }

  @Test(
    "V13: a cancellation is possible from 30 seconds, before the second channel",
    arguments: [
      ("notFound", "404 request-not-found"), ("conflict", "409 conflict"), ("allow", "204"),
    ])
  func v13(setting: String, answer: String) throws {
    try vonage.configure(#""earlyCancel":"\#(setting)""#)
    func told(_ exchange: Exchange) throws -> String {
      exchange.answer == "204" ? "204" : try exchange.problem()
    }
    let early = try vonage.start([VonageWorld.channel("sms", to: "12025550151")]).id
    try vonage.advance(10)
    #expect(try told(vonage.cancel(early)) == answer)

    let middle = try vonage.start().id
    try vonage.advance(31)
    let canceled = try vonage.cancel(middle)
    if setting == "allow" { canceled.matches(golden: "canceled") }
    #expect(canceled.answer == "204")

    let late = try vonage.start([Self.sms, Self.voice], #","channel_timeout":60"#).id
    try vonage.advance(61)
    let refused = try vonage.cancel(late)
    if setting == "notFound" { refused.matches(golden: "too-late") }
    #expect(try told(refused) == answer)
  }

  @Test("V14: an unknown id is not found by any operation")
  func v14() throws {
    let id = "00000000-0000-7000-8000-000000000000"
    let redirect = try vonage.get("/v2/verify/\(id)/silent-auth/redirect")
    redirect.matches(golden: "unknown")

    #expect(try vonage.check("1234", id).problem() == "404 request-not-found")
    #expect(try vonage.next(id).problem() == "404 request-not-found")
    #expect(try vonage.cancel(id).problem() == "404 request-not-found")
    #expect(try redirect.problem() == "404 request-not-found")
    for answer in [try vonage.check("1234", id), redirect] {
      #expect(
        try answer.decode(VonageProblem.self).detail
          == "Request \(id) was not found or it has been verified already.", "46 B4")
    }
  }

  @Test(
    "46 B1: the path has a slash at its end in the official file, and a base URL may have one",
    arguments: ["/v2/verify/", "//v2/verify", "/vonage//v2/verify/", "/s/default//v2/verify/"])
  func slashes(path: String) throws {
    let body = #"{"brand":"Acme","workflow":[\#(Self.sms)]}"#

    #expect(try vonage.post(path, body).answer.hasPrefix("202"))
    let legacy = try vonage.world.send(
      .to("\(path.hasPrefix("/s/") ? "/s/default" : "")/vonage//verify/xml/", headers: VonageWorld.basic))
    #expect(legacy.answer.contains("<status>2</status><error_text>Missing brand</error_text>"))
  }

  @Test("46 B8: a reference may have hyphens, unless a setting says otherwise")
  func hyphensInReference() throws {
    let reference = #","client_ref":"my-personal-ref""#
    #expect(try vonage.startRaw([Self.sms], reference).answer.hasPrefix("202"))
    try vonage.configure(#""clientRefHyphens":"refuse""#)

    #expect(try vonage.startRaw([Self.sms], reference).problem() == "422 invalid-params client_ref")
  }

  @Test("V14: a request of another account is not found")
  func v14Foreign() throws {
    let id = try vonage.start().id

    let foreign = try vonage.check(try vonage.code(), id, as: Request.basic("zzzz0000", "any"))

    #expect(try foreign.problem() == "404 request-not-found")
  }

  @Test("V38: requests of another sandbox do not conflict")
  func v38() throws {
    let other = try VonageWorld()
    _ = try vonage.start()

    #expect(try other.startRaw().answer.hasPrefix("202"))
  }

  @Test("a check needs a code of 4 to 10 characters")
  func malformedCheck() throws {
    let id = try vonage.start().id

    #expect(try vonage.check("123", id).problem() == "422 invalid-params code")
    #expect(try vonage.post("/v2/verify/\(id)", "{}").problem() == "422 invalid-params code")
    #expect(
      try vonage.post("/v2/verify/\(id)", #"{"token":"t"}"#).problem() == "422 invalid-params token")
  }

  @Test("the velocity rule blocks the channels, unless the request opts out")
  func velocity() throws {
    try vonage.receiveEvents()
    try vonage.configure(#""fraudCheck":1"#)
    let first = try vonage.start().id
    _ = try vonage.check(try vonage.code(), first)
    vonage.world.receiver.clear()

    _ = try vonage.start()
    #expect(try vonage.summaries().suffix(2) == ["sms blocked", "summary failed: sms blocked"])
    let before = try vonage.inbox().count
    _ = try vonage.start([Self.sms], #","fraud_check":false"#)
    #expect(try vonage.inbox().count == before + 1)
  }

  @Test("the setting errorBase changes the type of errors")
  func errorBase() throws {
    func type() throws -> String { try vonage.check("1234", "x").decode(VonageProblem.self).type }

    #expect(try type() == "https://developer.vonage.com/en/api-errors/verify-v2#request-not-found")
    try vonage.configure(#""errorBase":"verify""#)
    #expect(try type() == "https://www.developer.vonage.com/api-errors/verify#request-not-found")
    try vonage.configure(#""errorBase":"nexmo""#)
    #expect(try type() == "https://developer.nexmo.com/api-errors/verify#request-not-found")
  }
}
