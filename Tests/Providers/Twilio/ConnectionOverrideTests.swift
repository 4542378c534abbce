import Basics
import Domain
import HTTP
import ProviderKit
import Support
import Testing

@testable import Twilio

@Suite("Twilio · how webhooks are sent", .contract("twilio-verify.md 14.5"))
struct ConnectionOverrideTests {
  let twilio: TwilioWorld
  private var receiver: TestReceiver { twilio.world.receiver }

  init() throws { twilio = try TwilioWorld() }

  /// Sends a message whose callbacks go to a URL with this fragment. Returns the first one, of the status
  /// `sent`, after a minute.
  private func callBack(_ fragment: String) throws -> Webhook {
    _ = try twilio.sentMessage([("StatusCallback", "http://127.0.0.1:9/hook\(fragment)")])
    _ = try twilio.world.send(.json(.post, "/control/clock", #"{"advance":"60s"}"#))
    return try #require(try twilio.sandbox.webhooks.all(.init()).first)
  }

  private var attempts: [TestReceiver.Delivery] {
    receiver.deliveries.filter { $0.body.contains("MessageStatus=sent") }
  }

  @Test(
    "46 D1: a webhook is sent again as its URL asks for",
    arguments: [
      ("#rc=3&rp=all", .answered(status: 500, body: ""), 4),
      ("#rc=3&rp=all", .answered(status: 404, body: ""), 4), ("#rc=5&rp=all", .unanswered(why: "late"), 6),
      ("#rc=2&rp=5xx,rt", .answered(status: 503, body: ""), 3),
      ("#rc=2&rp=5xx%2Crt", .unanswered(why: "late"), 3),
      ("#rc=2&rp=5xx,rt", .answered(status: 404, body: ""), 1),
      ("#rc=2&rp=4xx", .answered(status: 404, body: ""), 3), ("#rc=2&rp=4xx", .unreachable(why: "down"), 1),
      ("#rc=0", .unreachable(why: "down"), 1), ("#rc=3&rp=all", .answered(status: 302, body: ""), 1),
      // As documented: one more attempt if there is no connection.
      ("", .unreachable(why: "down"), 2), ("", .unanswered(why: "late"), 1),
      ("", .answered(status: 500, body: ""), 1), ("#section", .unreachable(why: "down"), 2),
    ] as [(String, WebhookAttempt.Result, Int)])
  func attempts(fragment: String, answer: WebhookAttempt.Result, count: Int) throws {
    receiver.answer = answer

    #expect(try callBack(fragment).state == .failed)
    #expect(attempts.count == count)
    #expect(Set(attempts.map { $0["I-Twilio-Idempotency-Token"] }).count == 1)
  }

  @Test(
    "51.11: an event goes to its sink again for four hours, unless the sink refuses it",
    arguments: [
      (.unreachable(why: "down"), 15), (.answered(status: 503, body: ""), 15),
      (.answered(status: 429, body: ""), 15), (.answered(status: 404, body: ""), 1),
    ] as [(WebhookAttempt.Result, Int)])
  func events(answer: WebhookAttempt.Result, count: Int) throws {
    let sink = #"{"twilio":{"settings":{"eventSink":"http://127.0.0.1:9/events"}}}"#
    _ = try twilio.world.send(.json(.post, "/control/seed", sink))
    try twilio.set(["VerifyEventSubscriptionEnabled": "true"])
    receiver.answer = answer
    _ = try twilio.started()
    for time in ["3h24m46s", "1s", "2h"] {
      _ = try twilio.world.send(.json(.post, "/control/clock", #"{"advance":"\#(time)"}"#))
      let sent = receiver.deliveries.filter { $0.body.contains("verification.pending") }
      #expect(sent.count == (time == "3h24m46s" ? max(1, count - 1) : count))
    }
    #expect(try twilio.sandbox.webhooks.all(.init()).allSatisfy { $0.state == .failed })
  }

  @Test("46 D1: every webhook has a token of its own, and the sender's name")
  func fields() throws {
    _ = try callBack("")
    let tokens = receiver.deliveries.compactMap { $0["I-Twilio-Idempotency-Token"] }

    #expect(
      tokens.count > 1 && Set(tokens).count == tokens.count && tokens.count == receiver.deliveries.count)
    #expect(
      tokens.allSatisfy {
        $0.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/) != nil
      })
    #expect(receiver.deliveries.allSatisfy { $0["User-Agent"] == "TwilioProxy/1.1" })
  }

  @Test("46 D1: time limits are those of the URL, by default the documented ones")
  func limits() throws {
    let usual = ConnectionOverrides.defaults.schedule.timeouts
    #expect(usual.connecting == .seconds(5) && usual.silence == .seconds(15) && usual.total == .seconds(15))
    _ = try callBack("#ct=100&rt=2000&tt=10000&e=dublin,ashburn&sni=y")

    let limits = try #require(attempts.first).timeouts
    #expect(limits.connecting == .milliseconds(100) && limits.silence == .seconds(2))
    #expect(limits.total == .seconds(10))
  }

  @Test("46 D1: no attempt begins after the total time")
  func totalTime() throws {
    let schedule = try ConnectionOverrides(of: "http://a.test/#rc=5&rp=all&tt=1000").schedule
    let start = TestSandbox.start

    #expect(schedule.next(after: 1, at: start + .milliseconds(999), first: start) != nil)
    #expect(schedule.next(after: 2, at: start + .milliseconds(1000), first: start) == nil)
  }

  @Test(
    "46 D1: a value that is not documented fails the webhook, and its reason names it",
    arguments: [
      ("rc=6", "#rc: expected 0 to 5; found \"6\""), ("rc=-1", "#rc: expected 0 to 5; found \"-1\""),
      ("ct=99", "#ct: expected 100 to 10000; found \"99\""), ("rt=15001", "#rt: expected 100 to 15000"),
      ("tt=99999999999999999999", "#tt: expected 100 to 15000"),
      ("rp=3xx", "#rp: expected some of ct, rt, 4xx, 5xx, all"),
      ("rp=ct,", "#rp: expected some of"), ("e=moon", "#e: expected some of ashburn"),
      ("sni=maybe", "#sni: expected one of y, n"),
    ])
  func invalid(fragment: String, why: String) throws {
    let webhook = try callBack("#\(fragment)")

    #expect(webhook.state == .failed && webhook.why?.hasPrefix(why) == true)
    #expect(receiver.deliveries.isEmpty && twilio.world.reports.isEmpty)
  }

  @Test("46 D1: the hash of a JSON body comes before the fragment, which is obeyed")
  func json() throws {
    receiver.answer = .answered(status: 500, body: "")
    let draft = SignedBody(json: ["type": "factor.created"]).draft(
      to: "http://127.0.0.1:9/hook#rc=1&rp=5xx", kind: FactorEvent.factorCreated.rawValue, subject: 0,
      of: TwilioWorld.account)
    try twilio.sandbox.webhooks.enqueue(draft)
    _ = try twilio.get(TwilioWorld.services)

    #expect(draft.url.firstRange(of: /\/hook\?bodySHA256=[0-9a-f]{64}#rc=1&rp=5xx$/) != nil)
    #expect(receiver.deliveries.count == 2)
  }
}
