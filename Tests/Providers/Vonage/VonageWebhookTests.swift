import Basics
import Crypto
import Domain
import JSON
import ProviderKit
import Support
import Testing

@testable import Vonage

/// Checks V23 and V24 of the contract, section 13.
@Suite("Vonage · webhooks", .contract("vonage-verify.md 7"))
struct VonageWebhookTests {
  let vonage: VonageWorld

  init() throws {
    vonage = try VonageWorld()
    try vonage.receiveEvents()
  }

  @Test("V23: webhooks are signed with the signature secret")
  func v23() throws {
    let start = try vonage.start()
    _ = try vonage.check(try vonage.code(), start.id)
    vonage.world.sendWebhooks()

    let deliveries = vonage.world.receiver.deliveries
    #expect(deliveries.count == 2)
    for delivery in deliveries {
      let token = try #require(delivery["Authorization"]).dropFirst("Bearer ".count)
      let claims = try #require(
        JSONWebToken.claims(of: String(token), key: VonageWorld.signatureSecret))
      #expect(JSONWebToken.claims(of: String(token), key: "another") == nil)
      #expect(try claims.string("payload_hash") == Hex.encode(SHA256.hash(delivery.request.body)))
      #expect(try claims.string("iss") == "Vonage")
      #expect(try claims.string("api_key") == VonageWorld.key)
      #expect(try claims.string("application_id") == VonageWorld.application)
      #expect(try claims.int("iat") == Int(TestSandbox.start.milliseconds / 1000))
      #expect(delivery.url == VonageWorld.receiver)
    }
  }

  @Test("V24: webhooks are repeated until they are acknowledged, in their order")
  func v24() throws {
    vonage.world.receiver.answer = .answered(status: 500, body: "")
    let start = try vonage.start()
    _ = try vonage.check(try vonage.code(), start.id)
    vonage.world.sendWebhooks()
    #expect(vonage.world.receiver.deliveries.count == 2)
    vonage.world.receiver.clear()
    vonage.world.receiver.answer = .answered(status: 204, body: "")

    try vonage.advance(60)
    #expect(try vonage.summaries() == ["sms completed", "summary completed: sms completed"])
    vonage.world.receiver.clear()
    try vonage.advance(600)
    #expect(try vonage.events().isEmpty)
  }

  @Test("a webhook by hand is signed too")
  func forged() throws {
    let body = try JSON(parsing: Array(#"{"type":"event"}"#.utf8))
    let made = try VonageProvider.request(
      sending: body, of: "event", to: VonageWorld.receiver, in: vonage.sandbox)

    let token = try #require(made.request.fields.first { $0.name == "Authorization" }?.value)
    #expect(
      JSONWebToken.claims(of: String(token.dropFirst("Bearer ".count)), key: VonageWorld.signatureSecret)
        != nil)
  }
}
