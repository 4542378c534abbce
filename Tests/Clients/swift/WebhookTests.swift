import RingfenceTesting
import Testing

@Suite("Client · webhooks", .sandbox(clock: noon))
struct WebhookTests {
  @Test("Twilio's webhooks come with a valid signature")
  func twilio() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendText(callback: sandbox.webhooks.url + "?tag=a%20b")
    try await sandbox.advance("1m")
    let webhook = try await sandbox.webhooks.wait(contains: "delivered")
    #expect(webhook.provider == "twilio")
    #expect(webhook.signature == .valid)
    #expect(webhook.data["MessageStatus"] == "delivered")
    #expect(webhook.data["To"] == .string(number))
  }

  @Test("Telesign's webhooks come with a valid signature")
  func telesign() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.control.post(
      "/control/seed", ["telesign": ["settings": ["account.callback_url": .string(sandbox.webhooks.url)]]])
    try await sandbox.sendTelesign()
    try await sandbox.advance("1m")
    let webhook = try await sandbox.webhooks.wait(provider: "telesign")
    #expect(webhook.signature == .valid)
    #expect(webhook.data["status"]["code"].int != nil)
  }

  @Test("Prelude's webhooks come with a valid signature")
  func prelude() async throws {
    let sandbox = try Sandbox.current
    async let waiting = sandbox.webhooks.wait(provider: "prelude", within: 60)
    try await sandbox.sendPrelude(callback: sandbox.webhooks.url)
    try await sandbox.advance("1m")
    let webhook = try await waiting
    #expect(webhook.signature == .valid)
    #expect(webhook.data["type"].string?.hasPrefix("verify.") == true)
  }

  @Test("a wrong signature is refused, unless it is expected", arguments: ["twilio", "telesign", "prelude"])
  func wrong(provider: String) async throws {
    let sandbox = try Sandbox.current
    try await sandbox.fail("webhook-wrong-signature")
    switch provider {
    case "twilio": try await sandbox.sendText(callback: sandbox.webhooks.url)
    case "prelude": try await sandbox.sendPrelude(callback: sandbox.webhooks.url)
    default:
      try await sandbox.control.post(
        "/control/seed", ["telesign": ["settings": ["account.callback_url": .string(sandbox.webhooks.url)]]])
      for to in [number, other] { try await sandbox.sendTelesign(to) }
    }
    try await sandbox.advance("1m")
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.webhooks.wait() }
    #expect(error?.message.hasPrefix("the signature of \(provider) is wrong, not valid: ") == true)
    #expect(try await sandbox.webhooks.wait(signature: .wrong).signature == .wrong)
    #expect(try await sandbox.webhooks.received.map(\.signature).contains(.valid) == false)
  }

  @Test("a missing signature is refused")
  func missing() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.fail("webhook-no-signature")
    try await sandbox.sendText(callback: sandbox.webhooks.url)
    try await sandbox.advance("1m")
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.webhooks.wait() }
    #expect(error?.message.hasPrefix("the signature is missing, not valid: ") == true)
    #expect(try await sandbox.webhooks.wait(signature: nil).signature == .missing)
  }

  @Test("webhooks that do not come: the error says that they are due later")
  func explains() async throws {
    let sandbox = try Sandbox.current
    await sandbox.webhooks.answer(500, 200)
    try await sandbox.sendPrelude(callback: sandbox.webhooks.url)
    try await sandbox.advance("1s")
    _ = try await sandbox.webhooks.wait()
    let error = await #expect(throws: RingfenceError.self) {
      try await sandbox.webhooks.wait(contains: "no such text", within: 0.01)
    }
    let message = error?.message ?? ""
    #expect(message.contains(#/no webhook came to http\S+ within 0.01 s:\n/#))
    #expect(message.contains(#/prelude verify\S+ to \S+: pending \(answered 500\), due at 2026-/#))
  }

  @Test("a receiver that fails gets the webhook again")
  func again() async throws {
    let sandbox = try Sandbox.current
    await sandbox.webhooks.answer(500, 200)
    try await sandbox.sendPrelude(callback: sandbox.webhooks.url)
    try await sandbox.advance("1h")
    let first = try await sandbox.webhooks.wait().data
    #expect(try await sandbox.webhooks.wait(contains: first["id"].string).data == first)
  }

  @Test("each sandbox gets its own webhooks")
  func own() async throws {
    let sandbox = try Sandbox.current
    try await sandbox.sendText(callback: sandbox.webhooks.url.replacing(sandbox.name, with: "another"))
    try await sandbox.advance("1m")
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.webhooks.wait(within: 0) }
    #expect(error?.message.contains("/another/webhooks: failed") == true)
  }
}
