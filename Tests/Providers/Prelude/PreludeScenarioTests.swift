import Domain
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · scenarios", .contract("prelude.md 16.1"))
struct PreludeScenarioTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  @Test(
    "a blocked creation is 200 with its reason, sends nothing and leaves the pending verification alone",
    arguments: [
      (10, "suspicious"), (11, "in_block_list"), (12, "invalid_phone_line"), (13, "invalid_phone_number"),
      (14, "repeated_attempts"), (15, "expired_signature"), (16, "invalid_signature"),
    ])
  func blocked(ending: Int, reason: String) throws {
    let number = "+336399800\(ending)"
    let open = try prelude.create(number, scenario: "success").decode(PreludeCreation.self)
    let exchange = try prelude.create(number)
    let again = try prelude.create(number, scenario: "success").decode(PreludeCreation.self)

    if ending == 10 { exchange.matches(golden: "blocked") }
    let answer = try exchange.decode(PreludeCreation.self)
    #expect((answer.status, answer.reason) == ("blocked", reason))
    #expect(answer.riskFactors?.isEmpty == false)
    #expect(answer.id != open.id)
    #expect((again.id, again.status) == (open.id, "retry"))
    // A landline's handset shows no texts.
    #expect(try prelude.inbox(number).count == (ending == 12 ? 0 : 2))
  }

  @Test("risk factors have the names before 2026 if the setting says so")
  func previousRiskFactors() throws {
    try prelude.configure(#""riskFactors":"previous""#)

    let answer = try prelude.create("+33639980010").decode(PreludeCreation.self)

    #expect(answer.riskFactors == ["suspicious_ip_address", "network_fingerprint"])
  }

  @Test(
    "error scenarios",
    arguments: [
      (20, "400 unsupported_country target.value"), (21, "400 insufficient_balance"),
      (22, "429 too_many_attempts"), (23, "500 internal"),
    ])
  func errors(ending: Int, error: String) throws {
    for _ in 0..<2 { #expect(try prelude.create("+336399800\(ending)").preludeError() == error) }
    #expect(try prelude.inbox("+336399800\(ending)") == [])
  }

  @Test("a shadow block is sent and reported; a challenge uses another channel")
  func others() throws {
    let shadow = try prelude.create("+33639980017").decode(PreludeCreation.self)
    let challenged = try prelude.create("+33639980018").decode(PreludeCreation.self)
    let retry = try prelude.create("+33639980018").decode(PreludeCreation.self)

    #expect((shadow.status, shadow.reason) == ("shadow_blocked", "suspicious"))
    #expect(try prelude.status(prelude.code(for: "+33639980017"), for: "+33639980017") == "success")
    #expect((challenged.status, challenged.channels) == ("challenged", ["whatsapp"]))
    #expect(retry.status == "retry" && retry.channels != ["sms"])
  }

  @Test("flaky_before fails twice before anything is done, then succeeds, and starts over")
  func flakyBefore() throws {
    let number = "+33639980024"
    for round in 0..<2 {
      for _ in 0..<2 { #expect(try prelude.create(number).preludeError() == "503 internal") }
      let answer = try prelude.create(number).decode(PreludeCreation.self)
      #expect(answer.status == (round == 0 ? "success" : "retry"))
    }
  }

  @Test("flaky_after starts the verification, but its first response is an error")
  func flakyAfter() throws {
    #expect(try prelude.create("+33639980025").preludeError() == "500 internal")

    #expect(try prelude.create("+33639980025").decode(PreludeCreation.self).status == "retry")
    #expect(try prelude.inbox("+33639980025").count == 2)
  }

  @Test(
    "delivery scenarios are applied by the carrier", arguments: ["undeliverable", "delivery_unknown"])
  func delivery(scenario: String) throws {
    let answer = try prelude.create(scenario: scenario).decode(PreludeCreation.self)
    try prelude.advance(1)
    let messages = try prelude.sandbox.verifications.list("prelude", before: .max, limit: 1).map {
      try prelude.sandbox.messages.find(
        about: Identifier.text(.attempt, $0.ordinal, part: 1, in: prelude.sandbox),
        to: PreludeWorld.number)
    }

    #expect(answer.status == "success")
    #expect(
      try #require(messages[0]).deliveries().last?.delivery.state.webhookStatus
        == (scenario == "undeliverable" ? .undeliverable : .unknown))
  }

  @Test(
    "the header overrides the seed's rule, which overrides the last digits; an unknown scenario is rejected")
  func precedence() throws {
    try prelude.seed(#"{"prelude":{"numbers":[{"number":"+33639980010","outcome":"challenged"}]}}"#)

    let ruled = try prelude.create("+33639980010").decode(PreludeCreation.self)
    let asked = try prelude.create("+33639980010", scenario: "blocked_in_block_list")
      .decode(PreludeCreation.self)
    let unknown = try prelude.create(scenario: "nonsense")

    #expect(ruled.status == "challenged")
    #expect(asked.reason == "in_block_list")
    #expect(try unknown.preludeError() == "400 invalid_request X-Sandbox-Scenario")
  }

  @Test(
    "the last digits choose scenarios only for fictional numbers",
    arguments: ["+33612345610", "+12025550210", "+442079460010"])
  func ranges(number: String) throws {
    #expect(TestScenario(lastDigitsOf: try #require(PhoneNumber(number))) == nil)
  }

  @Test(
    "a subscriber's record wins over the last digits, for verifications, Watch and Notify",
    arguments: [10, 12, 17, 18, 20, 23, 24, 25])
  func record(ending: Int) throws {
    let number = "+336399800\(ending)"
    try prelude.seed(#"{"subscribers":[{"number":"\#(number)","lineType":"mobile"}]}"#)

    let created = try prelude.create(number).decode(PreludeCreation.self)
    let risk = try prelude.post(
      "/v2/watch/predict", #"{"target":{"type":"phone_number","value":"\#(number)"}}"#)

    #expect((created.status, created.method) == ("success", "message"))
    #expect(try prelude.status(prelude.code(for: number), for: number) == "success")
    #expect(risk.answer.contains(#""prediction":"legitimate""#))
  }

  @Test("a record's scenarios and its silent verification win over the last digits")
  func recordOfSilent() throws {
    try prelude.configure(#""silentNeedsDispatch":false"#)
    try prelude.seed(
      #"""
      {"subscribers":[
        {"number":"+33639980002","coversSilent":false},
        {"number":"+33639980040","scenarios":[{"match":{"channel":"silent"},"outcome":"match"}]},
        {"number":"+33639980050","coversSilent":true},
        {"number":"+33639980030","scenarios":[{"outcome":"deliver"}]}]}
      """#)
    func method(_ number: String) throws -> String {
      try prelude.create(number).decode(PreludeCreation.self).method
    }

    #expect(
      try ["02", "03", "40", "50"].map { try method("+336399800\($0)") }
        == ["message", "silent", "silent", "silent"])
    _ = try prelude.create("+33639980030")
    #expect(try prelude.inbox("+33639980030").count == 1)
  }

  @Test("a scenario of the sandbox wins over the endings of messages")
  func sandboxScenario() throws {
    try prelude.seed(#"{"scenarios":[{"match":{"number":"+33639980030"},"outcome":"deliver"}]}"#)

    _ = try prelude.create("+33639980030")

    #expect(try prelude.inbox("+33639980030").count == 1)
  }

  @Test("American last digits are the same, without silent verification")
  func american() throws {
    let outcomes = try ["+12125550110", "+12125550101", "+12125550141"].map {
      TestScenario(lastDigitsOf: try #require(PhoneNumber($0)))
    }

    #expect(outcomes == [.blockedSuspicious, .success, .silentCarrierDown])
  }

  @Test("a landline is blocked, unless the method is voice")
  func landline() throws {
    let landline = "+33199001234"

    #expect(try prelude.create(landline).decode(PreludeCreation.self).reason == "invalid_phone_line")
    let call = try prelude.create(landline, options: #"{"method":"voice"}"#).decode(PreludeCreation.self)
    #expect((call.status, call.method) == ("success", "voice"))
  }

  @Test("repeated verifications are blocked after as many as the setting says")
  func repeated() throws {
    try prelude.configure(#""repeatedAttempts":2"#)
    for _ in 0..<2 {
      _ = try prelude.create()
      #expect(try prelude.status(try #require(try prelude.inbox().last?.code)) == "success")
    }

    #expect(try prelude.create().decode(PreludeCreation.self).reason == "repeated_attempts")
    try prelude.advance(3600)
    #expect(try prelude.create().decode(PreludeCreation.self).status == "success")
  }
}
