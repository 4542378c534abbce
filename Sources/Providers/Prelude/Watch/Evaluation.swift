import Domain
import ProviderKit

/// What the sandbox's one recipe says of a target; every flow runs it. The vendor publishes neither rules nor
/// weights, so both are the sandbox's own. Source: contract 8.
struct Evaluation {
  /// What became of a rule.
  enum Outcome: String {
    case triggered = "TRIGGERED"
    case notTriggered = "NOT_TRIGGERED"
    case notEvaluated = "NOT_EVALUATED"
    case skipped = "SKIPPED"
  }

  /// A rule with what became of it.
  struct Rule {
    let id: String
    let weight: Int
    let outcome: Outcome
  }

  /// What is suggested.
  enum Action: String {
    case allow = "ALLOW"
    case challenge = "CHALLENGE"
    case block = "BLOCK"
  }

  /// The recipe's rules, in its order.
  let rules: [Rule]
  /// The rule that decided before all others, where one did.
  let decider: String?
  /// At which score the recipe flags.
  static let threshold = 50
  private static let blockingScore = 80

  /// The sum of what triggered, within the vendor's bounds.
  var score: Int {
    let sum = rules.filter { $0.outcome == .triggered }.map(\.weight).reduce(0, +)
    return min(100, max(-100, sum))
  }

  /// What is suggested.
  var action: Action {
    score >= Self.blockingScore ? .block : score >= Self.threshold ? .challenge : .allow
  }

  /// Whether the recipe flags.
  var isFlagged: Bool { action != .allow }

  /// Whether a rule had nothing to go by.
  var isPartial: Bool { rules.contains { $0.outcome == .notEvaluated } }

  /// Evaluates a target: the account's own lists decide alone, else the score does.
  init(of form: EvaluationForm, in call: Call) throws {
    let list = try form.target.number.flatMap { try NumberList.holding($0, in: call.sandbox) }
    let isAlone = list != nil
    var rules = NumberList.allCases.map { one in
      Rule(
        id: one.ruleID, weight: one.weight,
        outcome: one == list ? .triggered : isAlone ? .skipped : .notTriggered)
    }
    for (id, weight, holds) in try Self.findings(about: form, in: call) {
      let outcome: Outcome =
        isAlone ? .skipped : holds.map { $0 ? .triggered : .notTriggered } ?? .notEvaluated
      rules.append(Rule(id: id, weight: weight, outcome: outcome))
    }
    self.rules = rules
    decider = list?.ruleID
  }

  /// The rules that weigh, each with whether it holds; nil: there is nothing to go by.
  private static func findings(
    about form: EvaluationForm, in call: Call
  ) throws -> [(id: String, weight: Int, holds: Bool?)] {
    let number = form.target.number
    let reputation = try number.map { try Reputation.of($0, in: call.sandbox) }
    let facts = try number.map { try LineFacts(of: $0, in: call) }
    let factors = try number.map { try call.predictedFactors(of: $0) }
    return [
      ("rule_fraud_patterns", 60, factors.map { !$0.isEmpty }),
      ("rule_temporary_number", 30, facts.map { $0.flags.contains(.temporary) }),
      ("rule_account_risk_profile", 60, reputation?.isDoubtful),
      ("rule_conversion_history", 30, reputation?.convertsPoorly),
      ("rule_missing_signals", 20, !form.evidence.isPresent),
      ("rule_trusted_user", -40, form.evidence.isTrustedUser),
    ]
  }
}

extension NumberList {
  /// The rule that reads the list.
  fileprivate var ruleID: String { "rule_\(rawValue)_list" }

  /// Enough to decide.
  fileprivate var weight: Int { self == .block ? 100 : -100 }
}
