import Domain
import JSON
import ProviderKit

// The bodies of requests to Watch. Source: contract 8.

struct PredictionRequest {
  let target: Target

  /// Validates in the order of 11.3.
  init(_ fields: Fields, in context: RequestContext) throws {
    let target = try TargetInput(fields)
    _ = try DeviceSignals(fields)
    _ = try correlationID(in: fields)
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
      _ = try correlationID(in: item)
      return (target, kind)
    }
    feedbacks = try items.map { (number: try $0.0.validated(), kind: $0.1) }
  }
}

/// The target of an event, which must be a number. The number is validated after all other members of all items.
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
    guard let number = PhoneNumber(value) else { throw APIError(.invalidPhoneNumber, param: path) }
    return number
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
