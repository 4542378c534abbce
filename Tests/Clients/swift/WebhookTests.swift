import Foundation
import Testing

@testable import RingfenceTesting

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
    try await send("telesign", number, sandbox)
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
    for to in [number, other] { try await send(provider, to, sandbox) }
    try await sandbox.advance("1m")
    let error = await #expect(throws: RingfenceError.self) { try await sandbox.webhooks.wait() }
    #expect(error?.message.hasPrefix("the signature of \(provider) is wrong, not valid: ") == true)
    #expect(try await sandbox.webhooks.wait(signature: .wrong).signature == .wrong)
    #expect(try await sandbox.webhooks.received.map(\.signature).contains(.valid) == false)
  }

  @Test("a signature is of the exact body", arguments: Signer.allCases)
  func exact(signer: Signer) async throws {
    let sandbox = try Sandbox.current
    let key = try await sandbox.control.get("/control/webhooks/keys").string ?? ""
    try await send(signer.rawValue, number, sandbox)
    try await sandbox.advance("1m")
    let request = try #require(await sandbox.inbox.received.first)
    func isValid(_ body: Data) -> Bool {
      let changed = ReceivedRequest(method: "POST", url: request.url, headers: request.headers, body: body)
      return signer.hasSigned(changed, credentials: sandbox.credentials, publicKey: key)
    }
    #expect(isValid(request.body))
    #expect(!isValid(request.body + Data("&more=1".utf8)))
    #expect(!isValid(Data()))
    #expect(!signer.hasSigned(request, credentials: [:], publicKey: "none"))
  }

  @Test("a bearer token is no signature", arguments: ["secret", "a.b.c", "e30.e30.e30", "e30.bnVsbA.e30"])
  func bearer(token: String) {
    let request = ReceivedRequest(
      method: "POST", url: "http://127.0.0.1/hook", headers: ["authorization": "Bearer \(token)"],
      body: Data())
    #expect(Signer.of(request) == nil)
  }

  private func send(_ provider: String, _ to: String, _ sandbox: Sandbox) async throws {
    switch provider {
    case "sinch", "vonage":
      try await sandbox.control.post(
        "/control/webhooks/forge",
        [
          "provider": .string(provider), "url": .string(sandbox.webhooks.url + "?tenant=7"),
          "body": ["to": .string(to)], "signature": "valid",
        ])
    case "twilio": try await sandbox.sendText(to, callback: sandbox.webhooks.url)
    case "prelude": try await sandbox.sendPrelude(to, callback: sandbox.webhooks.url)
    default:
      let settings: JSON = ["account.callback_url": .string(sandbox.webhooks.url)]
      try await sandbox.control.post("/control/seed", ["telesign": ["settings": settings]])
      try await sandbox.sendTelesign(to)
    }
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
    let pending = #/prelude verify\S+ to \S+: pending\n.*answered 500\n.* next attempt is at 2026-/#
    #expect(message.contains(pending))
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
