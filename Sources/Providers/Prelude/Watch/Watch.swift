import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/watch`. Source: contract 8.

func predictOutcome(_ call: Call) throws -> Response {
  let form = try PredictionForm(call.request.json, for: call)
  let prediction = try Prediction(of: form.target, in: call)
  let id = call.freshIdentifier(.prediction)
  return call.answer { PredictionBody(id: id, prediction: prediction).write(to: &$0) }
}

func evaluateFlow(_ call: Call) throws -> Response {
  let form = try EvaluationForm(call.request.json, for: call)
  let evaluation = try Evaluation(of: form, in: call)
  let id = call.freshIdentifier(.evaluation)
  return call.bareAnswer { EvaluationBody(id: id, evaluation: evaluation).write(to: &$0) }
}

func sendEvents(_ call: Call) throws -> Response {
  for event in try EventsForm(call.request.json).events {
    try call.remember(event.number) { $0.hear(event.confidence) }
  }
  return call.answer { $0.member("status", "success") }
}

func sendFeedbacks(_ call: Call) throws -> Response {
  for feedback in try FeedbacksForm(call.request.json).feedbacks {
    try call.remember(feedback.number) { $0.hear(feedback.kind) }
  }
  return call.answer { $0.member("status", "success") }
}

extension Call {
  /// An identifier of this moment, for what is kept nowhere.
  fileprivate func freshIdentifier(_ kind: Kind) -> String {
    identifier(kind, sandbox.nextOrdinal(), at: sandbox.clock.now, in: sandbox)
  }

  /// Adds to what the account has told of a number.
  fileprivate func remember(_ number: PhoneNumber, _ change: (inout Reputation) -> Void) throws {
    var reputation = try Reputation.of(number, in: sandbox)
    change(&reputation)
    try reputation.keep(for: number, in: sandbox)
  }
}
