import Domain
import HTTP

/// The resource `/v2/watch`. Source: contract 8.
extension Prelude {
  static func predictOutcome(_ call: Call) throws -> Response {
    let form = try PredictionForm(call.request.json)
    let target = try form.target.proven()
    let factors = try call.riskFactors(of: target)
    let id = identifier(.prediction, call.sandbox.nextOrdinal(), at: call.sandbox.clock.now, in: call.sandbox)
    return call.answer { PredictionBody(id: id, factors: factors).write(to: &$0) }
  }

  static func evaluateFlow(_ call: Call) throws -> Response {
    let form = try EvaluationForm(call.request.json)
    let recipe = try Recipe(form.evidence(for: call))
    let id = identifier(.evaluation, call.sandbox.nextOrdinal(), at: call.sandbox.clock.now, in: call.sandbox)
    return call.bareAnswer { EvaluationBody(id: id, recipe: recipe).write(to: &$0) }
  }

  static func sendEvents(_ call: Call) throws -> Response {
    for event in try EventsForm(call.request.json).events {
      var reputation = try Reputation.of(event.number, in: call.sandbox)
      reputation.hear(event.confidence)
      try reputation.keep(for: event.number, in: call.sandbox)
    }
    return call.answer { $0.member("status", "success") }
  }

  static func sendFeedbacks(_ call: Call) throws -> Response {
    for feedback in try FeedbacksForm(call.request.json).feedbacks {
      var reputation = try Reputation.of(feedback.number, in: call.sandbox)
      reputation.hear(feedback.kind)
      try reputation.keep(for: feedback.number, in: call.sandbox)
    }
    return call.answer { $0.member("status", "success") }
  }
}
