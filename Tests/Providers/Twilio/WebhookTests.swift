import Basics
import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Twilio

@Suite("Twilio · webhooks", .contract("twilio-verify.md 8.2, 14.1"))
struct WebhookTests {
  let twilio: TwilioWorld
  static let webhooks = "\(TwilioWorld.services)/\(TwilioWorld.service)/Webhooks"
  static let url = "https://hooks.example/verify?tenant=7"

  init() throws { twilio = try TwilioWorld() }

  func create(
    _ changes: [(String, String)] = [], at location: SourceLocation = #_sourceLocation
  ) throws -> Exchange {
    let form =
      [("FriendlyName", "Sign-ins"), ("EventTypes", "*"), ("WebhookUrl", Self.url)].filter { field in
        !changes.contains { $0.0 == field.0 }
      } + changes
    return try twilio.post(Self.webhooks, pairs: form, at: location)
  }

  @Test("a deleted Service takes its webhooks with it")
  func deletedService() throws {
    _ = try create()

    _ = try twilio.delete("\(TwilioWorld.services)/\(TwilioWorld.service)")

    #expect(try ServiceWebhook.table.all(in: twilio.sandbox).isEmpty)
  }
}

@Suite("Twilio · events of factors", .contract("twilio-verify.md 14.1, 14.2"))
struct FactorEventTests {
  let tests: WebhookTests
  var sandbox: Sandbox { tests.twilio.sandbox }

  init() throws { tests = try WebhookTests() }

  private func subject(_ challenge: FactorEventSubject.ChallengeFacts? = nil) -> FactorEventSubject {
    FactorEventSubject(
      account: TwilioWorld.account, service: TwilioWorld.service, entity: "YE1", identity: "user-00000001",
      factor: "YF03", factorType: "push", friendlyName: "Ana's phone", factorStatus: "verified",
      challenge: challenge)
  }

  private func announce(_ event: FactorEvent, _ subject: FactorEventSubject) throws {
    try sandbox.atomically { try FactorEvent.announce(event, subject, in: sandbox) }
  }

  /// The webhooks with their requests.
  private func sent() throws -> [(webhook: Webhook, fields: [String: String])] {
    try sandbox.webhooks.all(.init()).map { webhook in
      let request = try #require(try TwilioProvider.request(for: webhook, in: sandbox))
      let form = try Form(parsing: request.body)
      return (webhook, Dictionary(form.pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
    }
  }

  @Test("only enabled webhooks that are subscribed to the event get it, all with one uuid")
  func subscriptions() throws {
    _ = try tests.create([("FriendlyName", "all")])
    _ = try tests.create([("EventTypes", "factor.created"), ("EventTypes", "factor.verified")])
    _ = try tests.create([("EventTypes", "challenge.denied")])
    _ = try tests.create([("Status", "disabled")])

    try announce(.factorVerified, subject())

    let sent = try sent()
    #expect(sent.map(\.webhook.draft.kind) == ["factor.verified", "factor.verified"])
    #expect(Set(sent.map { $0.fields["uuid"] ?? "" }).count == 1)
  }

  @Test("version 1 has the documented fields only, version 2 the state of factor and challenge too")
  func versions() throws {
    _ = try tests.create([("Version", "v1")])
    _ = try tests.create()
    let documented: Set = [
      "uuid", "type", "account_sid", "service_sid", "entity_identity", "factor_sid", "factor_type",
    ]
    let answered = try #require(Timestamp(iso8601: "2026-01-05T10:21:00Z"))
    let challenge = FactorEventSubject.ChallengeFacts(
      sid: "YC03", status: "approved", details: #"{"message":"Log in?"}"#, hiddenDetails: nil,
      respondedAt: answered, expiresAt: answered)

    try announce(.factorCreated, subject())
    try announce(.challengeApproved, subject(challenge))

    let fields = try sent().map(\.fields)
    #expect(Set(fields[0].keys) == documented)
    #expect(
      Set(fields[1].keys) == documented.union(["entity_sid", "factor_friendly_name", "factor_status"]))
    #expect(Set(fields[2].keys) == documented.union(["challenge_sid"]))
    #expect(
      Set(fields[3].keys)
        == documented.union([
          "challenge_sid", "challenge_status", "challenge_details", "challenge_date_responded",
          "challenge_expiration_date",
        ]))
    #expect(fields[3]["challenge_date_responded"] == "2026-01-05T10:21:00Z")
  }

  @Test("with the setting webhookBody the body is JSON, and the URL has its hash")
  func json() throws {
    try tests.twilio.configure(#""webhookBody":"json""#)
    _ = try tests.create()

    try announce(.factorDeleted, subject())

    let webhook = try #require(try sandbox.webhooks.latest)
    let request = try #require(try TwilioProvider.request(for: webhook, in: sandbox))
    #expect(webhook.draft.url == WebhookSignature.url(WebhookTests.url, hashing: request.body))
    #expect(try Fields(request.body).string("type") == "factor.deleted")
    #expect(
      request.fields.map(\.name)
        == ["Content-Type", "X-Twilio-Signature", "I-Twilio-Idempotency-Token", "User-Agent"])
  }
}
