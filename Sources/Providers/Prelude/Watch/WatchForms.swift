import Domain
import JSON
import ProviderKit

/// What a prediction is asked about. Source: contract 8.
struct PredictionForm {
  let target: Target
  let evidence: SignalsForm

  /// Reads the body, in the order of 11.3.
  init(_ fields: Fields, for call: Call) throws {
    let form = try TargetForm(fields)
    evidence = try SignalsForm(fields)
    _ = try correlation(in: fields)
    target = try form.target(call.settings)
  }
}

/// A flow that is to be evaluated for somebody. Source: contract 8.
struct EvaluationForm {
  let target: Target
  let evidence: SignalsForm

  /// Reads the body; attributes are passed over, since no recipe of the sandbox's declares any.
  init(_ fields: Fields, for call: Call) throws {
    let flow = try fields.string("flow_id")
    let form = try TargetForm(fields)
    _ = try fields.texts("attributes")
    evidence = try SignalsForm(fields)
    guard !flow.isEmpty else { throw fields.mismatch("flow_id", expected: "a flow's name") }
    target = try form.target(call.settings)
  }
}

/// What the account tells of people, by number: 1 to 100 in one request. Source: contract 8.
struct EventsForm {
  let events: [(number: PhoneNumber, confidence: Reputation.Confidence)]

  /// Reads the body.
  init(_ fields: Fields) throws {
    let items = try fields.someObjects("events").map { item in
      let target = try PhoneTarget(item)
      let label = try item.string("label")
      guard !label.isEmpty else { throw item.mismatch("label", expected: "a word for what happened") }
      return (target, try item.word("confidence", of: Reputation.Confidence.self))
    }
    events = try items.map { (number: try $0.0.number, confidence: $0.1) }
  }
}

/// What became of verifications that the account runs elsewhere. Source: contract 8.
struct FeedbacksForm {
  let feedbacks: [(number: PhoneNumber, kind: Reputation.Feedback)]

  /// Reads the body.
  init(_ fields: Fields) throws {
    let items = try fields.someObjects("feedbacks").map { item in
      let target = try PhoneTarget(item)
      let kind = try item.word("type", of: Reputation.Feedback.self)
      _ = try correlation(in: item)
      return (target, kind)
    }
    feedbacks = try items.map { (number: try $0.0.number, kind: $0.1) }
  }
}

/// Whom an event is about: numbers only. Source: contract 8.
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

  /// The number; malformed ones are refused after all that is malformed otherwise.
  var number: PhoneNumber {
    get throws(Problem) {
      guard let number = PhoneNumber(value) else { throw Problem(.invalidPhoneNumber, param: path) }
      return number
    }
  }
}

extension Fields {
  /// 1 to 100 objects.
  fileprivate func someObjects(_ name: String) throws(FieldError) -> [Fields] {
    let items = try objects(name)
    guard (1...100).contains(items.count) else {
      throw FieldError(path: "\(path).\(name)", expected: "1 to 100 items", found: "\(items.count)")
    }
    return items
  }
}
