import ProviderKit

/// The evaluation of a target. Every flow runs the sandbox's only recipe. The provider publishes neither
/// rules nor weights: both are the sandbox's own. Source: contract 8.
struct Evaluation {
  enum Action: String {
    case allow = "ALLOW"
    case challenge = "CHALLENGE"
    case block = "BLOCK"
  }

  struct Rule {
    enum Outcome: String {
      case triggered = "TRIGGERED"
      case notTriggered = "NOT_TRIGGERED"
      /// The data are missing.
      case notEvaluated = "NOT_EVALUATED"
      /// A list has decided.
      case skipped = "SKIPPED"
    }

    let id: String
    let weight: Int
    let outcome: Outcome
  }

  private let rules: [Rule]
  /// The list rule that decided alone.
  private let decidingRule: String?

  private static let challengeScore = 50
  private static let blockScore = 80

  /// A number on one of the account's lists is decided by the list alone, others by the score.
  init(of input: EvaluationRequest, in context: RequestContext) throws {
    let list = try input.target.number.flatMap { try NumberList.containing($0, in: context.sandbox) }
    let isListed = list != nil
    let listRules = NumberList.allCases.map { one in
      Rule(
        id: one.ruleID, weight: one == .block ? 100 : -100,
        outcome: one == list ? .triggered : isListed ? .skipped : .notTriggered)
    }
    let otherRules = try Self.weightedRules(for: input, in: context).map { id, weight, applies in
      let outcome: Rule.Outcome =
        isListed ? .skipped : applies.map { $0 ? .triggered : .notTriggered } ?? .notEvaluated
      return Rule(id: id, weight: weight, outcome: outcome)
    }
    rules = listRules + otherRules
    decidingRule = list?.ruleID
  }

  /// `applies` is nil if the data are missing.
  private static func weightedRules(
    for input: EvaluationRequest, in context: RequestContext
  ) throws -> [(id: String, weight: Int, applies: Bool?)] {
    let number = input.target.number
    let reputation = try number.map { try Reputation.of($0, in: context.sandbox) }
    let line = try number.map { try LineInfo(of: $0, in: context) }
    let factors = try number.map {
      try TestScenario(of: context.request, about: $0, in: context.sandbox)
        .predictedFactors(context.settings.riskFactors)
    }
    return [
      ("rule_fraud_patterns", 60, factors.map { !$0.isEmpty }),
      ("rule_temporary_number", 30, line.map { $0.flags.contains(.temporary) }),
      ("rule_account_risk_profile", 60, reputation?.isDoubtful),
      ("rule_conversion_history", 30, reputation?.convertsPoorly),
      ("rule_missing_signals", 20, !input.signals.isPresent),
      ("rule_trusted_user", -40, input.signals.isTrustedUser),
    ]
  }

  /// From -100 to 100.
  private var score: Int {
    let sum = rules.filter { $0.outcome == .triggered }.map(\.weight).reduce(0, +)
    return min(100, max(-100, sum))
  }

  private var action: Action {
    score >= Self.blockScore ? .block : score >= Self.challengeScore ? .challenge : .allow
  }

  private var verdict: String { action == .allow ? "PASS" : "FLAG" }

  func write(id: String, to json: inout JSONWriter) {
    json.member("id", id)
    json.member("action", action.rawValue)
    json.member("verdict", verdict)
    json.array("recipes", [self]) { json, evaluation in
      json.value { evaluation.writeRecipe(to: &$0) }
    }
  }

  private func writeRecipe(to json: inout JSONWriter) {
    json.member("recipe_id", "recipe_sandbox")
    json.member("verdict", verdict)
    json.member("score", score)
    json.member("threshold", Self.challengeScore)
    json.member("partial_evidence", rules.contains { $0.outcome == .notEvaluated })
    if let decidingRule { json.member("determined_by", decidingRule) }
    json.array("rules", rules) { json, rule in
      json.value {
        $0.member("rule_id", rule.id)
        $0.member("type", "MANAGED")
        $0.member("weight", rule.weight)
        $0.member("outcome", rule.outcome.rawValue)
        if rule.outcome == .notEvaluated { $0.member("blocked_by", "missing_data") }
      }
    }
  }
}

extension NumberList {
  fileprivate var ruleID: String { "rule_\(rawValue)_list" }
}
