import ProviderKit

// TeleBureau: fraud reports about a number. The provider's responses are not public, so they are made up.
// Source: contract 12.

extension TelesignProvider {
  static var teleBureauRoutes: [Route<Sandbox>] {
    [
      .post("/v1/telebureau/event", as: "createFraudEvent", authenticated(.teleBureau, createFraudEvent)),
      .get(
        "/v1/telebureau/event/{reference_id}", as: "fetchFraudEvent",
        authenticated(.teleBureau, fetchFraudEvent)),
      .delete(
        "/v1/telebureau/event/{reference_id}", as: "deleteFraudEvent",
        authenticated(.teleBureau, deleteFraudEvent)),
    ]
  }
}

func createFraudEvent(_ context: RequestContext) throws -> Response {
  let event = try FraudEvent(context)
  let ordinal = context.sandbox.nextOrdinal()
  let reference = ReferenceID.text(.fraudEvent, ordinal, in: context.sandbox)
  try context.sandbox.records.save(
    RecordStore.Item(ordinal: ordinal, key: key(reference, context), record: event.record),
    of: context.customer,
    in: fraudEvents)
  return respond(context, reference, event)
}

func fetchFraudEvent(_ context: RequestContext) throws -> Response {
  let (reference, event) = try findFraudEvent(context)
  return respond(context, reference, event)
}

func deleteFraudEvent(_ context: RequestContext) throws -> Response {
  let (reference, event) = try findFraudEvent(context)
  _ = try context.sandbox.records.delete(key(reference, context), in: fraudEvents)
  return respond(context, reference, event)
}

private func findFraudEvent(_ context: RequestContext) throws -> (reference: String, event: FraudEvent) {
  let reference = context.request[parameter: "reference_id"]
  guard ReferenceID.isValid(reference) else { throw APIError.invalidReference(reference) }
  guard let item = try context.sandbox.records.find(key(reference, context), in: fraudEvents) else {
    throw APIError.unknownReference.about(reference, "telebureau")
  }
  return (reference, FraudEvent(record: item.record))
}

private func respond(_ context: RequestContext, _ reference: String, _ event: FraudEvent) -> Response {
  .json(200) { json in
    json.member("reference_id", reference)
    json.member("sub_resource", "telebureau")
    json.member("errors", [String]())
    json.member("fraud_event", encoded: Array(event.record.utf8))
    context.writeStatus(300, to: &json)
  }
}

/// The key includes the customer, so that reports of others are not found.
private func key(_ reference: String, _ context: RequestContext) -> String {
  "\(context.customer)/\(reference)"
}

private let fraudEvents = RecordStore.Section(provider: TelesignProvider.name, kind: "fraud-event")

private struct FraudEvent {
  /// A JSON object.
  let record: String

  init(record: String) {
    self.record = record
  }

  /// Source: contract 12.
  init(_ context: RequestContext) throws {
    let form = try LegacyForm(context.request)
    let number = try ParsedNumber.toSendTo(form.required("phone_number"), in: context)
    let type = try form.required("fraud_type")
    let occurredAt = try form.required("occurred_at")
    guard Timestamp(rfc3339: occurredAt) != nil else {
      throw APIError.invalidRequest(in: .legacy).because("occurred_at: expected an RFC 3339 timestamp")
    }
    let optional = Self.optionalFields.compactMap { name in form.text(name).map { (name, $0) } }
    let record = JSONWriter.text { json in
      json.member("phone_number", number.digits)
      json.member("fraud_type", type)
      json.member("occurred_at", occurredAt)
      for (name, text) in optional { json.member(named: name, text) }
    }
    self.record = record
  }

  private static let optionalFields = [
    "verified_by", "verified_at", "discovered_at", "impact", "impact_type", "fraud_ip", "originating_ip",
  ]
}
