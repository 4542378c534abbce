import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V3, V11, V12 and V38 of the contract, section 13. The others are in `Checks/Verify.http`.
@Suite("Vonage · Verify v2", .contract("vonage-verify.md 3 to 5"))
struct VonageVerifyTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static let sms = VonageWorld.channel("sms")
  private static let voice = VonageWorld.channel("voice")

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

  @Test("V11: a message that cannot be delivered is an event at once")
  func v11() throws {
    try vonage.receiveEvents()
    _ = try vonage.start([
      VonageWorld.channel("sms", to: "12025550130"), VonageWorld.channel("email", to: "a@example.com"),
    ])
    try vonage.advance(1)

    #expect(try vonage.summaries() == ["sms failed"])
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
    "46 B1: the path has a slash at its end in the official file, and a base URL may have one",
    arguments: ["/v2/verify/", "//v2/verify", "/vonage//v2/verify/", "/s/default//v2/verify/"])
  func slashes(path: String) throws {
    let body = #"{"brand":"Acme","workflow":[\#(Self.sms)]}"#

    #expect(try vonage.post(path, body).answer.hasPrefix("202"))
    let legacy = try vonage.world.send(
      .to("\(path.hasPrefix("/s/") ? "/s/default" : "")/vonage//verify/xml/", headers: VonageWorld.basic))
    #expect(legacy.answer.contains("<status>2</status><error_text>Missing brand</error_text>"))
  }

  @Test("V38: requests of another sandbox do not conflict")
  func v38() throws {
    let other = try VonageWorld()
    _ = try vonage.start()

    #expect(try other.startRaw().answer.hasPrefix("202"))
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
}
