import Domain
import HTTP
import JSON
import Numbers
import Support
import Testing
import Twilio

@Suite("Twilio · callbacks of messages", .contract("twilio-verify.md 16.2"))
struct MessageCallbackTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("callbacks are signed forms, one for each status", .contract("twilio-verify.md 14.3"))
  func callbacks() throws {
    let message = try twilio.sentMessage([("StatusCallback", "http://127.0.0.1:9/hook?a=1")])

    let planned = try twilio.sandbox.webhooks.all(Webhooks.Filter())
    let requests = try planned.map { try #require(try twilioRequest(for: $0)) }
    let bodies = requests.map { String(decoding: $0.body, as: UTF8.self) }

    #expect(bodies.map { $0.contains("MessageStatus=sent") } == [true, false])
    #expect(bodies.map { $0.contains("MessageStatus=delivered") } == [false, true])
    #expect(bodies.allSatisfy { $0.hasPrefix("MessageSid=\(message.sid)&SmsSid=\(message.sid)&") })
    #expect(requests.allSatisfy { $0.fields.contains { $0.name == "X-Twilio-Signature" } })
  }

  @Test("a message that the carrier held is reported as delivered when it arrives, not as lost")
  func released() throws {
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","reach":{"sms":false}}]}"#)
    let message = try twilio.sentMessage([("StatusCallback", "http://127.0.0.1:9/hook")])
    try twilio.advance(10)
    try twilio.seed(#"{"subscribers":[{"number":"+12025550100","reach":{"sms":true}}]}"#)
    try twilio.sandbox.atomically {
      try twilio.sandbox.messages.release(
        to: try #require(PhoneNumber("+12025550100")), over: [.sms])
    }

    #expect(try twilio.fetchMessage(message.sid)["status"] == "delivered")
    let details = try twilio.sandbox.webhooks.all(Webhooks.Filter()).map(\.draft.detail)
    #expect(details.map { $0.contains("delivered") } == [false, true])
    #expect(!details.contains { $0.contains("undelivered") })
  }

  private func twilioRequest(for webhook: Webhook) throws -> WebhookRequest? {
    try TwilioProvider.request(for: webhook, in: twilio.sandbox)
  }
}
