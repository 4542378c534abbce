import Basics
import CatalogSupport
import Domain
import Foundation
import HTTP
import JSON
import Support
import Testing

/// What the journal says when a code is not accepted, or nothing is sent: why, and what to change.
@Suite("Kit · outcomes")
struct OutcomeTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog { $0.acceptsUnknownAccounts = true } }

  /// How an API starts and checks a verification. NUMBER, ID and CODE stand for the number's digits, the id
  /// in the answer to the start, and the code.
  struct Flow: Sendable, CustomTestStringConvertible {
    let name: String
    var headers: Headers = [:]
    var scope = ""
    let start: String
    /// The member of the answer with the id.
    var id = ""
    let check: String
    /// An id that nobody has got.
    var unknown = "00000000-0000-0000-0000-000000000000"
    /// False if a code stays right.
    var acceptsOnce = true

    var testDescription: String { name }
  }

  private static let service = "/twilio/v2/Services/VA00000000000000000000000000000001"
  private static let legacy = "api_key=abcd1234&api_secret=sandboxSecret001"
  private static let flows = [
    Flow(
      name: "Twilio",
      headers: Request.basic("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef"),
      start: "POST \(service)/Verifications To=%2BNUMBER&Channel=sms",
      check: "POST \(service)/VerificationCheck To=%2BNUMBER&Code=CODE"),
    Flow(
      name: "Vonage", headers: Request.basic("abcd1234", "sandboxSecret001"),
      start: #"POST /vonage/v2/verify {"brand":"A","workflow":[{"channel":"sms","to":"NUMBER"}]}"#,
      id: "request_id", check: #"POST /vonage/v2/verify/ID {"code":"CODE"}"#),
    Flow(
      name: "Vonage legacy", start: "POST /vonage/verify/json \(legacy)&number=NUMBER&brand=A",
      id: "request_id",
      check: "POST /vonage/verify/check/json \(legacy)&request_id=ID&code=CODE",
      unknown: "0123456789abcdef0123456789abcdef"),
    Flow(
      name: "Telesign", headers: Request.basic("C", "a2V5"),
      start:
        #"POST /telesign/verification {"recipient":{"phone_number":"NUMBER"},"verification_policy":[{"method":"sms"}]}"#,
      id: "reference_id",
      check: #"PATCH /telesign/verification/ID/state {"action":"finalize","security_factor":"CODE"}"#,
      unknown: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"),
    Flow(
      name: "Telesign SMS Verify", headers: Request.basic("C", "a2V5"),
      start: "POST /telesign/v1/verify/sms phone_number=NUMBER", id: "reference_id",
      check: "GET /telesign/v1/verify/ID?verify_code=CODE ", unknown: "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
      acceptsOnce: false),
    Flow(
      name: "Sinch",
      headers: Request.basic(
        "11111111-2222-3333-4444-555555555555", "cmluZ2ZlbmNlLXNpbmNoLWRlbW8tc2VjcmV0LTAwMDE="),
      start:
        #"POST /sinch/verification/v1/verifications {"identity":{"type":"number","endpoint":"+NUMBER"},"method":"sms"}"#,
      id: "id",
      check: #"PUT /sinch/verification/v1/verifications/id/ID {"method":"sms","sms":{"code":"CODE"}}"#),
    Flow(
      name: "Prelude", headers: ["Authorization": "Bearer sk_sandbox00000000000000000000000001"],
      start: #"POST /prelude/v2/verification {"target":{"type":"phone_number","value":"+NUMBER"}}"#,
      check:
        #"POST /prelude/v2/verification/check {"target":{"type":"phone_number","value":"+NUMBER"},"code":"CODE"}"#
    ),
    Flow(
      name: "CAMARA", scope: "one-time-password-sms:send-validate",
      start:
        #"POST /camara/one-time-password-sms/v1/send-code {"phoneNumber":"+NUMBER","message":"Code {{code}}"}"#,
      id: "authenticationId",
      check: #"POST /camara/one-time-password-sms/v1/validate-code {"authenticationId":"ID","code":"CODE"}"#,
      unknown: "ea0840f3-3663-4149-bd10-c7c6b8912105"),
  ]

  // MARK: Codes

  @Test("54.1: why a code is not accepted, and what to change", arguments: flows)
  func codes(flow: Flow) throws {
    // Wrong, until no check is left.
    var verification = try start(flow, "12025550160")
    let first = try check(flow, "000000", verification)
    let words = try #require(first.why).split(separator: " ")
    let limit = try #require(Int(words.last ?? ""))
    #expect(first.why == "wrong code: check 1 of \(limit)")
    #expect(first.change == "Enter the code of the newest message. Checks that are left: \(limit - 1).")
    for _ in 1..<(limit - 1) { _ = try check(flow, "000000", verification) }
    let last = try check(flow, "000000", verification)
    #expect(
      last.why
        == "wrong code: check \(limit) of \(limit); the verification is locked now, also for the right code")
    #expect(last.change?.hasPrefix("Start a new verification") == true, "\(last.change ?? "")")
    let locked = try check(flow, verification.code, verification)
    #expect(locked.why?.hasPrefix("the verification reached its check limit at 2026-01-05T") == true)
    #expect(locked.change?.hasPrefix("Start a new verification") == true, "\(locked.change ?? "")")

    // Used.
    verification = try start(flow, "12025550161")
    let right = try check(flow, verification.code, verification)
    #expect(right.why == nil && right.change == nil)
    let again = try check(flow, verification.code, verification)
    #expect(again.why?.hasPrefix("the verification was approved at ") ?? false == flow.acceptsOnce)
    #expect(again.change == (flow.acceptsOnce ? "Start a new verification: a code is accepted once." : nil))

    // Unknown.
    let unknown = try check(flow, "000000", ("12025550162", flow.unknown, ""))
    #expect(unknown.why != nil && unknown.change != nil, "\(unknown.why ?? "no reason")")

    // Expired.
    verification = try start(flow, "12025550163")
    let newest = try world.sandbox.verifications.newest(1).first
    let end = try #require(newest?.expiresAt)
    let seconds = (end - world.sandbox.clock.now).wholeSeconds
    _ = try world.answer(.json(.post, "/control/clock", #"{"advance":"\#(seconds)s"}"#))
    let expired = try check(flow, verification.code, verification)
    #expect(expired.why?.contains("expired at 2026-01-0") == true, "\(expired.why ?? "")")
    #expect(expired.change?.hasPrefix("Start a new verification, and check its code") == true)
  }

  private typealias Started = (number: String, id: String, code: String)

  private func start(_ flow: Flow, _ number: String) throws -> Started {
    let answer = try send(flow, flow.start, (number, "", ""))
    let message = try world.sandbox.messages.newest(.init(), onHandsets: false, limit: 1).first
    let id: String? = if case .string(let id)? = try? JSON(parsing: answer.body)[flow.id] { id } else { nil }
    return (number, id ?? "", try #require(message?.code, "\(answer.answer)"))
  }

  private func check(_ flow: Flow, _ code: String, _ started: Started) throws -> Exchange {
    try send(flow, flow.check, (started.number, started.id, code))
  }

  private func send(_ flow: Flow, _ request: String, _ values: Started) throws -> Exchange {
    let text = request.replacing("NUMBER", with: values.number).replacing("ID", with: values.id)
      .replacing("CODE", with: values.code)
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    var headers = flow.headers
    if !flow.scope.isEmpty {
      let token = try token(flow.scope)
      headers.add("Authorization", "Bearer \(token)")
    }
    headers.add(
      "Content-Type", words[2].hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded")
    return try world.send(
      .to(words[1], HTTP.Method(rawValue: words[0]) ?? .get, headers: headers, body: Array(words[2].utf8)))
  }

  private func token(_ scope: String) throws -> String {
    let own = try world.credentials(of: world.sandbox)["camara"]
    guard case .string(let id)? = own?["clientId"], case .string(let secret)? = own?["clientSecret"] else {
      return ""
    }
    let form = "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)&scope=\(scope)"
    let answer = try world.send(
      .to(
        "/camara/oauth2/token", .post, headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: Array(form.utf8)))
    guard case .string(let token)? = try JSON(parsing: answer.body)["access_token"] else { return "" }
    return token
  }

  // MARK: Nothing is sent

  @Test(
    "54.1: why nothing is sent to a number, and what to change",
    arguments: [
      (
        "Twilio", #""twilio":{"settings":{"blockedPrefixes":["+1202"]}}"#,
        "the setting blockedPrefixes has +1202", "Change the setting blockedPrefixes, or send what it allows."
      ),
      (
        "Vonage legacy", #""vonage":{"settings":{"blockedNetworks":["00101"]}}"#,
        "the setting blockedNetworks has the network 00101",
        "Change the setting blockedNetworks, or send what it allows."
      ),
      (
        "Telesign", #""telesign":{"settings":{"account.blocked_numbers":["+12025550160"]}}"#,
        "the setting account.blocked_numbers has the number",
        "Change the setting account.blocked_numbers, or send what it allows."
      ),
      (
        "Telesign SMS Verify", #""telesign":{"settings":{"account.blocked_numbers":["+12025550160"]}}"#,
        "the setting account.blocked_numbers has the number",
        "Change the setting account.blocked_numbers, or send what it allows."
      ),
      (
        "Sinch", #""sinch":{"settings":{"blocked":["+12025550160"]}}"#, "the setting blocked has the number",
        "Change the setting blocked, or send what it allows."
      ),
      (
        "Prelude", #""subscribers":[{"number":"+12025550160","lineType":"landline"}]"#,
        "the number's line takes no messages", "Use the method voice, or the number of a mobile line."
      ),
      (
        "CAMARA", #""subscribers":[{"number":"+12025550160","barring":["smsIn"]}]"#,
        "texts to +12025550160 are barred", "End the barring of its line, or use another number."
      ),
    ])
  func blocked(name: String, seed: String, why: String, change: String) throws {
    let flow = try #require(Self.flows.first { $0.name == name })
    let seeded = try world.answer(.json(.post, "/control/seed", "{\(seed)}"))
    #expect(seeded.status.code < 300, "\(String(decoding: seeded.body, as: UTF8.self))")

    let exchange = try send(flow, flow.start, ("12025550160", "", ""))

    #expect(exchange.why == why)
    #expect(exchange.change == change)
  }

  @Test("54.5: an unknown Service, a landline and a request in progress name what to do")
  func others() throws {
    let twilio = Self.flows[0]
    let vonage = Self.flows[1]
    let wrong = try send(twilio, twilio.start.replacing("0001/", with: "0009/"), ("12025550160", "", ""))
    #expect(wrong.change?.contains("such as VA00000000000000000000000000000001") == true, "\(wrong.answer)")
    _ = try send(
      twilio, "POST \(Self.service) SkipSmsToLandlines=true&LookupEnabled=true", ("", "", ""))
    let landline = try send(twilio, twilio.start, ("12025550112", "", ""))
    #expect(landline.why == "+12025550112 is a landline in this sandbox")
    #expect(landline.change == "Send the code with Channel=call, or to a mobile number.")
    let started = try start(vonage, "12025550160")
    let second = try send(vonage, vonage.start, ("12025550160", "", ""))
    #expect(
      second.change == "Check the code of \(started.id), or cancel it; then start a new one.")
  }
}
