import Domain
import Testing

@testable import Twilio

@Suite("Twilio's webhook signatures")
struct WebhookSignatureTests {
  private static let account = TwilioWorld.account

  @Test("A form's signature is the vector of the contract")
  func formVector() throws {
    let world = try TwilioWorld()
    let request = try WebhookSignature.form(
      [
        ("uuid", "3f0c1d1e-0000-4000-8000-000000000001"), ("type", "factor.verified"),
        ("account_sid", "AC" + String(repeating: "1", count: 32)),
        ("service_sid", "VA" + String(repeating: "2", count: 32)), ("entity_identity", "user-00000001"),
        ("factor_sid", "YF03" + String(repeating: "a", count: 30)), ("factor_type", "push"),
      ], to: "https://example.test/hooks/verify?tenant=7", of: Self.account, in: world.sandbox)
    // Source: contract 19.1
    #expect(
      request.fields.last == WebhookRequest.Field("X-Twilio-Signature", "N0QipQPT7i8p6MepM8i1UiKff4w="))
    #expect(String(decoding: request.body, as: UTF8.self).hasPrefix("uuid=3f0c1d1e-"))
  }

  @Test("A JSON body is signed by its hash in the URL, the vector of the contract")
  func jsonVector() throws {
    let world = try TwilioWorld()
    let body = Array(
      #"{"type":"challenge.approved","challenge_sid":"YC03aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}"#.utf8)
    let url = WebhookSignature.url("https://example.test/hooks/verify#top", hashing: body)
    // Source: contract 19.1
    #expect(
      url == "https://example.test/hooks/verify"
        + "?bodySHA256=7e895959a7ad32663395336ed5e6142d2b77ce02154cf7f415f94c0541fbec51")
    #expect(WebhookSignature.url("http://a.test/?b=1", hashing: body).contains("?b=1&bodySHA256=7e89"))
    let request = try WebhookSignature.json(body, to: url, of: Self.account, in: world.sandbox)
    #expect(
      request.fields.last == WebhookRequest.Field("X-Twilio-Signature", "bYv1M+sLvK0PjN8jGDoE33Y23gI="))
    #expect(request.body == body)
  }

  @Test("An account that the sandbox does not know is signed for with the sandbox's own auth token")
  func unknownAccount() throws {
    let world = try TwilioWorld()
    let stranger = "AC" + String(repeating: "9", count: 32)
    let own = try WebhookSignature.form(
      [("a", "b")], to: "http://a.test/", of: Self.account, in: world.sandbox)
    #expect(
      try WebhookSignature.form([("a", "b")], to: "http://a.test/", of: stranger, in: world.sandbox) == own)
  }
}
