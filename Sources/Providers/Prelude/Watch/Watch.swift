import ProviderKit

// The resource `/v2/watch`. Source: contract 8.

func predictOutcome(_ context: RequestContext) throws -> Response {
  let input = try PredictionRequest(context.request.json, in: context)
  let factors = try riskFactors(of: input.target, in: context)
  let id = Identifier.new(.prediction, in: context.sandbox)
  return context.response { json in
    json.member("id", id)
    json.member("prediction", factors.isEmpty ? "legitimate" : "suspicious")
    if !factors.isEmpty { json.member("risk_factors", factors) }
  }
}

func evaluateFlow(_ context: RequestContext) throws -> Response {
  let input = try EvaluationRequest(context.request.json, in: context)
  let evaluation = try Evaluation(of: input, in: context)
  let id = Identifier.new(.evaluation, in: context.sandbox)
  return .json(200) { evaluation.write(id: id, to: &$0) }
}

func sendEvents(_ context: RequestContext) throws -> Response {
  for event in try EventsRequest(context.request.json).events {
    try Reputation.update(of: event.number, in: context.sandbox) { $0.record(event.confidence) }
  }
  return context.response { $0.member("status", "success") }
}

func sendFeedbacks(_ context: RequestContext) throws -> Response {
  for feedback in try FeedbacksRequest(context.request.json).feedbacks {
    try Reputation.update(of: feedback.number, in: context.sandbox) { $0.record(feedback.kind) }
  }
  return context.response { $0.member("status", "success") }
}

/// What makes a target suspicious; empty: nothing. For listed numbers only the list counts. How much the
/// list and the reputation count is the sandbox's choice. Source: contract 8 and 16.1.
private func riskFactors(of target: Target, in context: RequestContext) throws -> [String] {
  guard let number = target.number else { return [] }
  let sandbox = context.sandbox
  switch try NumberList.containing(number, in: sandbox) {
  case .block: return ["custom_policy"]
  case .allow: return []
  case nil:
    let reputation = try Reputation.of(number, in: sandbox)
    return try TestScenario(of: context.request, about: number, in: sandbox)
      .predictedFactors(context.settings.riskFactors)
      + (reputation.isDoubtful ? ["account_risk_profile"] : [])
      + (reputation.convertsPoorly ? ["poor_conversion_history"] : [])
  }
}

// The bodies of requests to Watch. Source: contract 8.

struct PredictionRequest {
  let target: Target

  /// Validates in the order of 11.3.
  init(_ fields: Fields, in context: RequestContext) throws {
    let target = try TargetInput(fields)
    _ = try DeviceSignals(fields)
    _ = try Validation.correlationID(in: fields)
    self.target = try target.validated(context.settings)
  }
}

struct EvaluationRequest {
  let target: Target
  let signals: DeviceSignals

  /// Attributes are ignored: the sandbox's recipe uses none.
  init(_ fields: Fields, in context: RequestContext) throws {
    let flow = try fields.string("flow_id")
    let target = try TargetInput(fields)
    _ = try fields.texts("attributes")
    signals = try DeviceSignals(fields)
    guard !flow.isEmpty else { throw fields.mismatch("flow_id", expected: "a flow's name") }
    self.target = try target.validated(context.settings)
  }
}

/// Events about people: 1 to 100 in one request.
struct EventsRequest {
  let events: [(number: PhoneNumber, confidence: Reputation.Confidence)]

  init(_ fields: Fields) throws {
    let items = try fields.batch("events").map { item in
      let target = try PhoneTarget(item)
      let label = try item.string("label")
      guard !label.isEmpty else { throw item.mismatch("label", expected: "a word for what happened") }
      return (target, try item.word("confidence", of: Reputation.Confidence.self))
    }
    events = try items.map { (number: try $0.0.validated(), confidence: $0.1) }
  }
}

/// Results of verifications that the account runs elsewhere: 1 to 100 in one request.
struct FeedbacksRequest {
  let feedbacks: [(number: PhoneNumber, kind: Reputation.Feedback)]

  init(_ fields: Fields) throws {
    let items = try fields.batch("feedbacks").map { item in
      let target = try PhoneTarget(item)
      let kind = try item.word("type", of: Reputation.Feedback.self)
      _ = try Validation.correlationID(in: item)
      return (target, kind)
    }
    feedbacks = try items.map { (number: try $0.0.validated(), kind: $0.1) }
  }
}

/// The target of an event, which must be a number. The number is validated after all other members of all
/// items.
private struct PhoneTarget {
  private let value: String
  private let path: String

  init(_ item: Fields) throws {
    let fields = try item.object("target")
    let kind = try fields.string("type")
    value = try fields.string("value")
    path = "\(fields.path.dropFirst(2)).value"
    guard kind == "phone_number" else { throw fields.mismatch("type", expected: "phone_number") }
  }

  func validated() throws(APIError) -> PhoneNumber {
    try Validation.e164(value, param: path)
  }
}

extension Fields {
  /// 1 to 100 objects.
  fileprivate func batch(_ name: String) throws(FieldError) -> [Fields] {
    let items = try objects(name)
    guard (1...100).contains(items.count) else {
      throw FieldError(path: "\(path).\(name)", expected: "1 to 100 items", found: "\(items.count)")
    }
    return items
  }
}
