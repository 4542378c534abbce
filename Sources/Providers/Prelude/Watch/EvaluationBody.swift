import JSON
import ProviderKit

/// An evaluation as it is answered; its enums are in capitals. Source: contract 8.
struct EvaluationBody {
  let id: String
  let evaluation: Evaluation

  /// The members.
  func write(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("action", evaluation.action.rawValue)
    json.member("verdict", verdict)
    json.array("recipes", [evaluation]) { json, _ in
      json.value { writeRecipe(to: &$0) }
    }
  }

  private var verdict: String { evaluation.isFlagged ? "FLAG" : "PASS" }

  private func writeRecipe(to json: inout JSONWriter) {
    json.member("recipe_id", "recipe_sandbox")
    json.member("verdict", verdict)
    json.member("score", evaluation.score)
    json.member("threshold", Evaluation.threshold)
    json.member("partial_evidence", evaluation.isPartial)
    if let decider = evaluation.decider { json.member("determined_by", decider) }
    json.array("rules", evaluation.rules) { json, rule in
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
