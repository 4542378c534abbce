import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · events of Notify", .contract("prelude.md 12.3"))
struct PreludeNotifyWebhookTests {
  private let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private func send(
    _ number: String = PreludeWorld.number, _ more: String = "", scenario: String? = nil
  ) throws -> Exchange {
    var headers = PreludeWorld.credentials
    if let scenario { headers.add("X-Sandbox-Scenario", scenario) }
    let body =
      #"{"template_id":"template_x","to":"\#(number)","variables":{"a":"b"},"correlation_id":"c-1","#
      + #""callback_url":"http://127.0.0.1:9/hook"\#(more)}"#
    return try prelude.post("/v2/notify", body, as: headers)
  }

  /// The events, each with its seconds after the start and the failure in its payload.
  private func summaries() throws -> [String] {
    try prelude.sandbox.webhooks.all(Webhooks.Filter()).map { webhook in
      let event = try event(webhook)
      let payload = event["payload"]
      let failure = [payload?["status"], payload?["reason"]].compactMap { value -> String? in
        if case .string(let text) = value { text } else { nil }
      }
      let due = webhook.nextAt ?? webhook.createdAt
      let after = Double((due - TestSandbox.start).milliseconds) / 1000
      return (["\(webhook.draft.kind.split(separator: ".").last ?? "") \(after)"] + failure).joined(
        separator: " ")
    }
  }

  private func event(_ webhook: Webhook) throws -> JSON {
    let request = try #require(try PreludeProvider.request(for: webhook, in: prelude.sandbox))
    return try JSON(parsing: request.body)
  }

  @Test("a delivered message has four events")
  func delivered() throws {
    _ = try send()

    #expect(try summaries() == ["created 0.0", "submitted 0.0", "pending_delivery 0.05", "delivered 0.2"])
  }

  @Test("the first event has the message with its price, the others the attempt")
  func payloads() throws {
    let id = try Fields(send().body).string("id")
    let webhooks = try prelude.sandbox.webhooks.all(Webhooks.Filter())

    let created = try event(webhooks[0])
    let delivered = try event(webhooks[3])

    #expect(created["type"] == .string("transactional.message.created"))
    #expect(
      String(decoding: try #require(created["payload"]).encoded(), as: UTF8.self)
        == #"{"id":"\#(id)","to":"+33639980050","template_id":"template_x","variables":{"a":"b"},"#
        + #""created_at":"2026-01-05T10:20:30.000000000Z","expires_at":"2026-01-06T10:20:30.000000000Z","#
        + #""customer_uuid":"\#(NotifyEvent.customerUUID(in: prelude.sandbox))","correlation_id":"c-1","#
        + #""fee":{"amount":"0.009","currency":"EUR"}}"#)
    #expect(delivered["type"] == .string("transactional.message.delivered"))
    #expect(delivered["created_at"] == .string("2026-01-05T10:20:30.200000000Z"))
    let payload = try #require(delivered["payload"])
    #expect(payload["message_id"] == .string(id) && payload["channel"] == .string("sms"))
    #expect(payload["type"] == .string("transactional") && payload["correlation_id"] == .string("c-1"))
  }

  @Test("the UUID of the account never changes")
  func customer() throws {
    let uuid = NotifyEvent.customerUUID(in: prelude.sandbox)

    #expect(uuid.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/#) != nil)
    #expect(NotifyEvent.customerUUID(in: prelude.sandbox) == uuid)
  }

  @Test(
    "a failed message is reported with its reason",
    arguments: [
      ("+33639980030", "failed 0.5 failed unknown_recipient"),
      ("+33639980034", "failed 0.1 failed carrier_rejected"),
      ("+33639980053", "failed 0.5 failed generic"), ("+33639980052", "failed 300.0 expired unavailable"),
      ("+33639980054", "failed 0.0 failed carrier_rejected"), ("+33639980031", "unknown 86400.0"),
    ])
  func failures(number: String, end: String) throws {
    _ = try send(number)

    #expect(try summaries().last == end)
    #expect(try summaries().filter { $0.hasPrefix("failed") || $0.hasPrefix("unknown") }.count == 1)
  }

  @Test("the scenario of the header is applied", .contract("prelude.md 16.1"))
  func header() throws {
    _ = try send(scenario: "undeliverable")

    #expect(try summaries().last == "failed 0.5 failed unknown_recipient")
    #expect(try send(scenario: "err_unsupported_country").preludeError() == "400 unsupported_country to")
  }

  @Test("a scheduled message is reported at its time, and an expired one as expired")
  func scheduled() throws {
    _ = try send(PreludeWorld.number, #","schedule_at":"2026-01-05T11:20:30Z""#)
    _ = try send("+33639980051", #","expires_at":"2026-01-05T10:20:40Z""#)

    #expect(
      try summaries() == [
        "created 0.0", "submitted 3600.0", "pending_delivery 3600.05", "delivered 3600.2", "created 0.0",
        "submitted 0.0", "pending_delivery 0.05", "failed 10.0 expired unavailable",
      ])
  }

  @Test("a reply has the same events without a template")
  func reply() throws {
    _ = try prelude.post(
      "/v2/notify/reply",
      #"{"reply_to":"im_1","text":"Yes.","to":"+33639980050","callback_url":"http://127.0.0.1:9/hook"}"#)

    let webhooks = try prelude.sandbox.webhooks.all(Webhooks.Filter())
    #expect(try summaries() == ["created 0.0", "submitted 0.0", "pending_delivery 0.05", "delivered 0.2"])
    #expect(try event(webhooks[3])["payload"]?["template_id"] == nil)
    #expect(try event(webhooks[3])["payload"]?["channel"] == .string("whatsapp"))
  }

  @Test("there are no events for errors, or without a URL")
  func none() throws {
    _ = try send("+33639980012")
    _ = try prelude.post("/v2/notify", #"{"template_id":"template_x","to":"+33639980050"}"#)

    #expect(try summaries() == [])
  }
}
