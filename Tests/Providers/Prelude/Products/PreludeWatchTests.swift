import HTTP
import JSON
import Support
import Testing

@Suite("Prelude · Watch", .contract("prelude.md 8, 16.1"))
struct PreludeWatchTests {
  private let prelude: PreludeWorld
  private static let fine = "+33639980050"
  private static let suspicious = "+33639980010"

  init() throws { prelude = try PreludeWorld() }

  private static func target(_ number: String) -> String {
    #""target":{"type":"phone_number","value":"\#(number)"}"#
  }

  private func predict(_ number: String = fine, _ more: String = "") throws -> Exchange {
    try prelude.post("/v2/watch/predict", "{\(Self.target(number))\(more)}")
  }

  private func evaluate(_ number: String = fine, _ more: String = "") throws -> Exchange {
    try prelude.post("/v2/watch/eval", #"{"flow_id":"sign-up",\#(Self.target(number))\#(more)}"#)
  }

  private func report(_ confidence: String, of number: String = fine, times: Int = 1) throws -> Exchange {
    let event = #"{\#(Self.target(number)),"label":"order","confidence":"\#(confidence)"}"#
    let events = Array(repeating: event, count: times).joined(separator: ",")
    return try prelude.post("/v2/watch/event", #"{"events":[\#(events)]}"#)
  }

  private func feed(_ type: String, times: Int = 1) throws -> Exchange {
    let item = #"{\#(Self.target(Self.fine)),"type":"\#(type)","metadata":{"correlation_id":"a"}}"#
    let items = Array(repeating: item, count: times).joined(separator: ",")
    return try prelude.post("/v2/watch/feedback", #"{"feedbacks":[\#(items)]}"#)
  }

  @Test("an ordinary number is legitimate, one with a scenario suspicious with its risk factors")
  func prediction() throws {
    let fine = try predict()
    let suspicious = try predict(Self.suspicious)

    fine.matches(golden: "legitimate")
    suspicious.matches(golden: "suspicious")
    #expect(try fine.decode(PredictionAnswer.self).verdict == "legitimate")
    #expect(
      try suspicious.decode(PredictionAnswer.self).verdict == "suspicious ip_reputation missing_signals")
  }

  @Test("an email address is legitimate")
  func predictEmail() throws {
    let exchange = try prelude.post(
      "/v2/watch/predict", #"{"target":{"type":"email_address","value":"a@example.com"}}"#)

    #expect(try exchange.decode(PredictionAnswer.self).verdict == "legitimate")
  }

  @Test("a list decides alone")
  func lists() throws {
    try prelude.seed(#"{"prelude":{"blockList":["\#(Self.fine)"],"allowList":["\#(Self.suspicious)"]}}"#)

    #expect(try predict().decode(PredictionAnswer.self).verdict == "suspicious custom_policy")
    #expect(try predict(Self.suspicious).decode(PredictionAnswer.self).verdict == "legitimate")
  }

  @Test("events of low confidence make a number suspicious, and those of high confidence compensate")
  func events() throws {
    try report("minimum").matches(golden: "one")
    #expect(try predict().decode(PredictionAnswer.self).verdict == "suspicious account_risk_profile")

    _ = try report("high")

    #expect(try predict().decode(PredictionAnswer.self).verdict == "legitimate")
  }

  @Test("verifications that are started and not completed make a number suspicious")
  func feedbacks() throws {
    try feed("verification.started", times: 3).matches(golden: "three")
    #expect(try predict().decode(PredictionAnswer.self).verdict == "suspicious poor_conversion_history")

    _ = try feed("verification.completed")

    #expect(try predict().decode(PredictionAnswer.self).verdict == "legitimate")
  }

  @Test("a hundred events are accepted; one more is rejected and nothing is stored")
  func tooMany() throws {
    let hundred = try report("neutral", times: 100)
    let more = try report("minimum", times: 101)

    #expect(hundred.answer.hasPrefix(#"200 {"status":"success","request_id":""#))
    more.matches(golden: "too-many")
    #expect(try more.preludeError() == "400 invalid_request events")
    #expect(try report("minimum", times: 0).preludeError() == "400 invalid_request events")
    #expect(try feed("verification.started", times: 101).preludeError() == "400 invalid_request feedbacks")
    #expect(try predict().decode(PredictionAnswer.self).verdict == "legitimate")
  }

  @Test(
    "an invalid item is rejected with its path, and the valid ones before it are not stored",
    arguments: [
      (
        #"{"target":{"type":"phone_number","value":"06"},"label":"a","confidence":"low"}"#,
        "400 invalid_phone_number events[1].target.value"
      ),
      (
        #"{"target":{"type":"email_address","value":"a@b.c"},"label":"a","confidence":"low"}"#,
        "400 invalid_request events[1].target.type"
      ),
      (
        #"{"target":{"type":"phone_number","value":"+33639980050"},"label":"a","confidence":"sure"}"#,
        "400 invalid_request events[1].confidence"
      ),
      (
        #"{"target":{"type":"phone_number","value":"+33639980050"},"confidence":"low"}"#,
        "400 invalid_request events[1].label"
      ),
      (#"{"label":"a","confidence":"low"}"#, "400 invalid_request events[1].target"),
      ("7", "400 invalid_request events[1]"),
    ])
  func badItem(item: String, error: String) throws {
    let good = #"{\#(Self.target(Self.fine)),"label":"order","confidence":"minimum"}"#

    let exchange = try prelude.post("/v2/watch/event", #"{"events":[\#(good),\#(item)]}"#)

    #expect(try exchange.preludeError() == error)
    #expect(try predict().decode(PredictionAnswer.self).verdict == "legitimate")
  }

  @Test("feedback of an unknown type is rejected with its path")
  func badFeedback() throws {
    let exchange = try feed("verification.failed")

    exchange.matches(golden: "other-type")
    #expect(try exchange.preludeError() == "400 invalid_request feedbacks[0].type")
  }

  @Test("an ordinary number is allowed, one with a scenario is not")
  func evaluation() throws {
    let fine = try evaluate(Self.fine, #","signals":{"is_trusted_user":true}"#)
    let blocked = try evaluate(Self.suspicious)
    let challenged = try evaluate(Self.suspicious, #","signals":{"ip":"192.0.2.1"}"#)

    fine.matches(golden: "allowed")
    blocked.matches(golden: "blocked")
    #expect(try fine.decode(EvaluationAnswer.self).summary == "ALLOW PASS -40 whole")
    #expect(try blocked.decode(EvaluationAnswer.self).summary == "BLOCK FLAG 80 partial")
    #expect(try challenged.decode(EvaluationAnswer.self).summary == "CHALLENGE FLAG 60 partial")
  }

  @Test("a list decides alone, and the other rules are skipped")
  func evaluateListed() throws {
    try prelude.seed(#"{"prelude":{"blockList":["\#(Self.fine)"],"allowList":["\#(Self.suspicious)"]}}"#)

    let blocked = try evaluate()
    let allowed = try evaluate(Self.suspicious)

    blocked.matches(golden: "block-listed")
    #expect(try blocked.decode(EvaluationAnswer.self).summary == "BLOCK FLAG 100 whole rule_block_list")
    #expect(try allowed.decode(EvaluationAnswer.self).summary == "ALLOW PASS -100 whole rule_allow_list")
  }

  @Test(
    "a missing or invalid member is rejected in the schema's order",
    arguments: [
      ("{}", "400 invalid_request flow_id"),
      (#"{"flow_id":"a"}"#, "400 invalid_request target"),
      (#"{"flow_id":"a","target":{"value":"+33639980050"}}"#, "400 invalid_request target.type"),
      (#"{"flow_id":"a","target":{"type":"phone_number"}}"#, "400 invalid_request target.value"),
      (
        #"{"flow_id":"a","target":{"type":"phone_number","value":"06"}}"#,
        "400 invalid_phone_number target.value"
      ),
      (
        #"{"flow_id":"","target":{"type":"phone_number","value":"+33639980050"}}"#,
        "400 invalid_request flow_id"
      ),
      (
        #"{"flow_id":"a","target":{"type":"phone_number","value":"+33639980050"},"attributes":{"a":1}}"#,
        "400 invalid_request attributes.a"
      ),
    ])
  func malformedEvaluation(body: String, error: String) throws {
    let exchange = try prelude.post("/v2/watch/eval", body)

    if body == "{}" { exchange.matches(golden: "no-flow") }
    #expect(try exchange.preludeError() == error)
  }

  @Test("a prediction needs a target")
  func predictNothing() throws {
    let exchange = try prelude.post("/v2/watch/predict", "{}")

    exchange.matches(golden: "no-target")
    #expect(try exchange.preludeError() == "400 invalid_request target")
  }
}

struct PredictionAnswer: NamedBody {
  static let statuses: Set = [200]
  let verdict: String

  init(_ fields: Fields) throws {
    guard try fields.string("id").hasPrefix("prd_"), try fields.string("request_id").utf8.count == 36 else {
      throw fields.mismatch("id", expected: "identifiers of prediction and request")
    }
    let factors = try fields.optionalStrings("risk_factors") ?? []
    verdict = ([try fields.string("prediction")] + factors).joined(separator: " ")
  }
}

/// The summary has action, verdict, score, completeness and the deciding rule.
struct EvaluationAnswer: NamedBody {
  static let statuses: Set = [200]
  let summary: String

  init(_ fields: Fields) throws {
    guard try fields.string("id").hasPrefix("evl_") else { throw fields.mismatch("id", expected: "evl_…") }
    let recipe = try fields.objects("recipes")[0]
    for name in ["recipe_id", "verdict"] { _ = try recipe.string(name) }
    _ = try recipe.int("threshold")
    for rule in try recipe.objects("rules") {
      for name in ["rule_id", "type", "outcome"] { _ = try rule.string(name) }
      _ = try (rule.int("weight"), rule.optionalString("blocked_by"))
    }
    summary = [
      try fields.string("action"), try fields.string("verdict"), String(try recipe.int("score")),
      try recipe.bool("partial_evidence") ? "partial" : "whole", try recipe.optionalString("determined_by"),
    ].compactMap { $0 }.joined(separator: " ")
  }
}
