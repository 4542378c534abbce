import Domain
import HTTP
import JSON
import ProviderKit

// TeleBureau: reports of fraud with a number. The vendor's answers are not published; these are the sandbox's.
// Source: contract 12.

var teleBureauRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/telebureau/event", as: "createFraudEvent", of: .teleBureau, createFraudEvent),
    route(
      .get, "/v1/telebureau/event/{reference_id}", as: "fetchFraudEvent", of: .teleBureau, fetchFraudEvent),
    route(
      .delete, "/v1/telebureau/event/{reference_id}", as: "deleteFraudEvent", of: .teleBureau,
      deleteFraudEvent),
  ]
}

/// `POST /v1/telebureau/event`
func createFraudEvent(_ call: Call) throws -> Response {
  let event = try FraudEvent(call)
  let ordinal = call.sandbox.nextOrdinal()
  let reference = referenceID(.fraudEvent, ordinal, in: call.sandbox)
  try call.sandbox.records.save(
    RecordStore.Item(ordinal: ordinal, key: key(reference, call), record: event.record), of: call.customer,
    in: fraudEvents)
  return answer(call, reference, event)
}

/// `GET /v1/telebureau/event/{reference_id}`
func fetchFraudEvent(_ call: Call) throws -> Response {
  let (reference, event) = try findFraudEvent(call)
  return answer(call, reference, event)
}

/// `DELETE /v1/telebureau/event/{reference_id}`
func deleteFraudEvent(_ call: Call) throws -> Response {
  let (reference, event) = try findFraudEvent(call)
  _ = try call.sandbox.records.delete(key(reference, call), in: fraudEvents)
  return answer(call, reference, event)
}

private func findFraudEvent(_ call: Call) throws -> (reference: String, event: FraudEvent) {
  let reference = call.request[parameter: "reference_id"]
  guard isReference(reference) else { throw Problem.invalidReference(reference) }
  guard let item = try call.sandbox.records.find(key(reference, call), in: fraudEvents) else {
    throw Problem.unknownReference.about(reference, "telebureau")
  }
  return (reference, FraudEvent(record: item.record))
}

private func answer(_ call: Call, _ reference: String, _ event: FraudEvent) -> Response {
  call.answer { json in
    json.member("reference_id", reference)
    json.member("sub_resource", "telebureau")
    json.noErrors()
    json.member("fraud_event", encoded: Array(event.record.utf8))
    call.writeStatus(300, to: &json)
  }
}

/// A customer finds no other's reports.
private func key(_ reference: String, _ call: Call) -> String { "\(call.customer)/\(reference)" }

private let fraudEvents = RecordStore.Section(provider: TelesignProvider.name, kind: "fraud-event")

/// A report of fraud, as it was sent.
struct FraudEvent {
  /// Its fields, a JSON object of texts.
  let record: String

  /// A report that was kept.
  init(record: String) {
    self.record = record
  }

  /// Reads the form. Source: contract 12.
  init(_ call: Call) throws {
    let number = try call.number(call.required("phone_number"))
    let type = try call.required("fraud_type")
    let occurredAt = try call.required("occurred_at")
    guard Timestamp(rfc3339: occurredAt) != nil else {
      throw Problem.invalidRequest(in: .legacy).because("occurred_at: expected a time of RFC 3339")
    }
    let optional = try Self.optional.compactMap { name in try call.field(name).map { (name, $0) } }
    let record = JSONWriter.object { json in
      json.member("phone_number", number.digits)
      json.member("fraud_type", type)
      json.member("occurred_at", occurredAt)
      for (name, text) in optional { json.member(named: name, text) }
    }
    self.record = String(decoding: record, as: UTF8.self)
  }

  private static let optional = [
    "verified_by", "verified_at", "discovered_at", "impact", "impact_type", "fraud_ip", "originating_ip",
  ]
}

extension Problem {
  /// 400 for an id that cannot be one. Source: contract 7.4.
  static func invalidReference(_ text: String) -> Self {
    Self(-10001, 400, "Invalid Request: ReferenceID Parameter: \(text)", in: .legacy)
  }

  /// 404 for an id that nobody has. Source: contract 7.4.
  static var unknownReference: Self { Self(-10001, 404, "CustomerID/ReferenceID not found", in: .legacy) }
}
