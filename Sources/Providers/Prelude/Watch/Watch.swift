import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/watch`. Source: contract 8.

func predictOutcome(_ context: RequestContext) throws -> Response {
  let input = try PredictionRequest(context.request.json, in: context)
  let factors = try context.riskFactors(of: input.target)
  let id = context.newIdentifier(.prediction)
  return context.response { json in
    json.member("id", id)
    json.member("prediction", factors.isEmpty ? "legitimate" : "suspicious")
    if !factors.isEmpty { json.member("risk_factors", factors) }
  }
}

func evaluateFlow(_ context: RequestContext) throws -> Response {
  let input = try EvaluationRequest(context.request.json, in: context)
  let evaluation = try Evaluation(of: input, in: context)
  let id = context.newIdentifier(.evaluation)
  return context.responseWithoutID { evaluation.write(id: id, to: &$0) }
}

func sendEvents(_ context: RequestContext) throws -> Response {
  for event in try EventsRequest(context.request.json).events {
    try context.updateReputation(of: event.number) { $0.record(event.confidence) }
  }
  return context.response { $0.member("status", "success") }
}

func sendFeedbacks(_ context: RequestContext) throws -> Response {
  for feedback in try FeedbacksRequest(context.request.json).feedbacks {
    try context.updateReputation(of: feedback.number) { $0.record(feedback.kind) }
  }
  return context.response { $0.member("status", "success") }
}

extension RequestContext {
  /// What makes a target suspicious; empty: nothing. For listed numbers only the list counts. How much the list and
  /// the reputation count is the sandbox's choice. Source: contract 8 and 16.1.
  fileprivate func riskFactors(of target: Target) throws -> [String] {
    guard let number = target.number else { return [] }
    switch try NumberList.containing(number, in: sandbox) {
    case .block: return ["custom_policy"]
    case .allow: return []
    case nil:
      let reputation = try Reputation.of(number, in: sandbox)
      return try predictedFactors(for: number)
        + (reputation.isDoubtful ? ["account_risk_profile"] : [])
        + (reputation.convertsPoorly ? ["poor_conversion_history"] : [])
    }
  }

  /// The risk factors of a number's scenario, named as the setting `riskFactors` says.
  func predictedFactors(for number: PhoneNumber) throws -> [String] {
    let scenario = try scenario(for: number)
    guard settings.riskFactors == .previous, !scenario.predictedFactors.isEmpty else {
      return scenario.predictedFactors
    }
    return scenario.blockReason?.previousRiskFactors ?? []
  }

  fileprivate func updateReputation(
    of number: PhoneNumber, _ change: (inout Reputation) -> Void
  ) throws {
    var reputation = try Reputation.of(number, in: sandbox)
    change(&reputation)
    try reputation.save(for: number, in: sandbox)
  }
}
