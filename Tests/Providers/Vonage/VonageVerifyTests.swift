import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V3 and V38 of the contract, section 13. The others are in `Checks/Verify.http`.
@Suite("Vonage · Verify v2", .contract("vonage-verify.md 3 to 5"))
struct VonageVerifyTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static let sms = VonageWorld.channel("sms")

  @Test("V3: expired tokens, foreign keys and wrong secrets are refused")
  func v3() throws {
    func refusal(_ credentials: Headers) throws -> String {
      try vonage.startRaw(as: credentials).problem()
    }
    try vonage.startRaw(as: ["Authorization": "Bearer \(VonageTokens.expired)"])
      .matches(golden: "expired-token")
    #expect(try refusal(["Authorization": "Bearer \(VonageTokens.foreign)"]) == "401 unauthorized")
    #expect(try refusal(["Authorization": "Bearer \(VonageTokens.noTime)"]) == "401 unauthorized")
    #expect(try refusal(["Authorization": "Bearer nonsense"]) == "401 unauthorized")
    #expect(try refusal(Request.basic(VonageWorld.key, "wrong")) == "401 unauthorized")
    #expect(try refusal([:]) == "401 unauthorized")
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
}
