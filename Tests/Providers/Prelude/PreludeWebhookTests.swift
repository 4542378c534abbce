import Crypto
import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · webhooks", .contract("prelude.md 12"))
struct PreludeWebhookTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private static let options = #"{"callback_url":"http://127.0.0.1:9/hook"}"#

  private func events() throws -> [Fields] {
    try prelude.world.receiver.deliveries.map { try Fields($0.request.body) }
  }

  private func summaries() throws -> [String] {
    try events().map { event in
      let payload = try event.object("payload")
      let state = try payload.optionalString("status") ?? payload.optionalString("channel")
      return [try event.string("type"), state].compactMap { $0 }.joined(separator: " ")
    }
  }

  private func advance(_ seconds: Int) throws {
    try prelude.advance(seconds)
    prelude.world.sendWebhooks()
  }

  @Test("a creation reports verification, attempt and delivery; a retry reports the last two")
  func creation() throws {
    let created = try Fields(
      prelude.create(
        options: Self.options, as: PreludeWorld.credentials, #","metadata":{"correlation_id":"signup-77"}"#
      ).body
    ).string("id")
    try advance(1)
    let first = try summaries()
    prelude.world.receiver.clear()
    _ = try prelude.create()
    try advance(1)

    #expect(
      first == [
        "verify.authentication", "verify.attempt sms", "verify.delivery_status submitted",
        "verify.delivery_status in_transit", "verify.delivery_status delivered",
      ])
    #expect(try summaries().first == "verify.attempt rcs")
    for event in try events() {
      let payload = try event.object("payload")
      #expect(try payload.string("verification_id") == created)
      #expect(try payload.object("metadata").string("correlation_id") == "signup-77")
      #expect(try event.string("id").hasPrefix("evt_01"))
    }
  }

  @Test(
    "a held message is reported as delivered when it arrives, and as undeliverable if it expires"
  )
  func held() throws {
    let number = try #require(PhoneNumber(PreludeWorld.number))
    func apply(_ event: String) throws {
      let change = try SubscriberChange(
        Fields(Array(#"{"event":"\#(event)"}"#.utf8)))
      try prelude.sandbox.atomically { _ = try prelude.sandbox.subscribers.apply(change, to: number) }
    }
    try apply("detach")
    _ = try prelude.create(options: Self.options)
    try advance(100)
    #expect(try summaries().last == "verify.delivery_status in_transit")
    try apply("attach")
    prelude.world.sendWebhooks()
    #expect(try summaries().last == "verify.delivery_status delivered")
    try advance(300)
    #expect(try summaries().count == 5)

    try apply("detach")
    prelude.world.receiver.clear()
    _ = try prelude.create(options: Self.options)
    try advance(400)
    #expect(try summaries().last == "verify.delivery_status undeliverable")
  }

  @Test("a delivery report has the members of the contract")
  func bytes() throws {
    _ = try prelude.create(options: Self.options)
    try advance(1)

    let last = try #require(prelude.world.receiver.deliveries.last)

    let created = try #require(
      try prelude.sandbox.verifications.list("prelude", before: .max, limit: 1).first)
    let id = Identifier.text(of: created, in: prelude.sandbox)
    let attempt = Identifier.text(.attempt, created.ordinal, part: 1, in: prelude.sandbox)
    #expect(
      last.body.contains(#""attempt_id":"\#(attempt)","verification_id":"\#(id)","status":"delivered""#))
    #expect(last.body.contains(#""target":{"type":"phone_number","value":"+33639980050"}"#))
    #expect(last.body.contains(#""price":{"amount":0.03,"currency":"EUR"}"#))
    #expect(last.body.contains(#""carrier_information":{"mcc":"208","mnc":"#))
  }

  @Test("a signature has 344 characters and is valid for the same bytes only")
  func signature() throws {
    _ = try prelude.create(options: Self.options)
    let delivery = try #require(prelude.world.receiver.deliveries.first)
    let field = try #require(delivery["X-Webhook-Signature"])
    let text = String(field.dropFirst("rsassa-pss-sha256=".count))
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    let bytes = try #require(Base64.decode(standard))
    let pem = try #require(try prelude.sandbox.keys[.webhooks]?.publicPEM)
    let key = try #require(RSAPublicKey(pem: pem))

    #expect(field.hasPrefix("rsassa-pss-sha256=") && text.utf8.count == 344 && bytes.count == 256)
    #expect(key.accepts(pssSignature: bytes, of: delivery.request.body))
    #expect(!key.accepts(pssSignature: bytes, of: delivery.request.body + [0x20]))
  }

  /// Issue 45, C12.
  @Test("the key of the signatures is read once")
  func keptKey() throws {
    let pem = try #require(try prelude.sandbox.keys[.webhooks]?.privatePEM)
    func keptKey() -> RSAPrivateKey? { prelude.sandbox.parsedKeys.key(in: pem) { _ in nil } }
    #expect(keptKey() == nil)
    _ = try prelude.create(options: Self.options)
    let kept = try #require(keptKey())
    _ = try prelude.create("+33639980051", options: Self.options)

    #expect(kept === keptKey())
  }

  @Test("settings choose the form of the signature, or turn it off")
  func signatureSettings() throws {
    try prelude.configure(#""signaturePadding":false,"signatureAlphabet":"base64""#)
    let unpadded = try #require(try PreludeProvider.signature(of: [1, 2, 3], in: prelude.sandbox))
    try prelude.configure(#""signsWebhooks":false"#)

    #expect(unpadded.utf8.count == 342 && !unpadded.contains("-") && !unpadded.contains("_"))
    #expect(try PreludeProvider.signature(of: [1, 2, 3], in: prelude.sandbox) == nil)
  }

  @Test(
    "the carrier decides the final status",
    arguments: [
      ("undeliverable", "undeliverable"), ("delivery_unknown", "unknown"), ("success", "delivered"),
    ])
  func finalStatus(scenario: String, status: String) throws {
    var headers = PreludeWorld.credentials
    headers.add("X-Sandbox-Scenario", scenario)
    _ = try prelude.create(options: Self.options, as: headers)
    try advance(600)

    #expect(try summaries().last == "verify.delivery_status \(status)")
  }

  @Test("a blocked creation has no webhooks")
  func blocked() throws {
    _ = try prelude.create("+33639980010", options: Self.options)
    try advance(600)

    #expect(prelude.world.receiver.deliveries.isEmpty)
  }

  @Test("a silent attempt is delivered by its last hop, and undeliverable if the app retries instead")
  func silent() throws {
    try prelude.configure(#""silentNeedsDispatch":false"#)
    for ending in ["01", "02"] { _ = try prelude.create("+336399800\(ending)", options: Self.options) }
    let first = try prelude.sandbox.verifications.list("prelude", before: .max, limit: 2)[1]
    let session = try prelude.sandbox.silentSessions.all(of: first.ordinal)[0]
    var path = "/silent/v1/\(session.token)"
    while let next = try prelude.get(path, as: [:]).headers["Location"] {
      path = next.replacing(#/^https?:\/\/[^\/]+/#, with: "")
    }
    _ = try prelude.get(path, as: [:])
    _ = try prelude.create("+33639980002", options: Self.options)
    prelude.world.sendWebhooks()

    let statuses = try summaries().filter { $0 != "verify.authentication" }
    #expect(Array(statuses.prefix(2)) == ["verify.attempt silent", "verify.attempt silent"])
    #expect(statuses[2] == "verify.delivery_status delivered")
    #expect(statuses[3] == "verify.delivery_status undeliverable")
    #expect(statuses.count { $0 == "verify.delivery_status delivered" } == 1)
  }
}
