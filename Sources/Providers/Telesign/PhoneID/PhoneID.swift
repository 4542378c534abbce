import ProviderKit

// PhoneID: look-ups of a number. Source: contract 10.

/// `POST /v1/phoneid/{phone_number}`
func lookUpNumber(_ context: RequestContext) throws -> Response {
  try lookUp(context.request[parameter: "phone_number"], RequestBody(context.request), context)
}

/// `POST /v1/phoneid`
func lookUpNumberInBody(_ context: RequestContext) throws -> Response {
  let body = try RequestBody(context.request)
  guard let text = try body.text("phone_number") else { throw APIError(12000, in: context.format) }
  return try lookUp(text, body, context)
}

private func lookUp(_ text: String, _ body: RequestBody, _ context: RequestContext) throws -> Response {
  let metadata = try RequestMetadata(body, in: context.format)
  let requests = try AddOnRequest.all(in: body, context)
  let number = try ParsedNumber.toLookUp(text, in: context)
  try AccountRules(context).checkFunds()
  let line = try LineInfo(of: number, in: context.sandbox)
  let results = try requests.map { (name: $0.name, result: try $0.result(for: line, context)) }
  let isComplete = results.allSatisfy { $0.result.isComplete }
  let reference = ReferenceID.text(.lookup, context.sandbox.nextOrdinal(), in: context.sandbox)
  return .json(200) { json in
    json.member("reference_id", reference)
    json.member("external_id", metadata.externalID)
    context.writeStatus(isComplete ? 300 : 301, to: &json)
    line.write(to: &json)
    for (name, result) in results { json.object(named: name) { result.write(to: &$0, name) } }
  }
}

// The older look-ups, each with its own path. Source: contract 10.5.

func lookUpStandard(_ context: RequestContext) throws -> Response {
  try lookUpOlder(context, "standard") { _, _ in }
}

func lookUpLive(_ context: RequestContext) throws -> Response {
  let now = context.sandbox.clock.now
  return try lookUpOlder(context, "live") { line, json in
    json.object("live") { LiveStatus(of: line, at: now).write(to: &$0) }
  }
}

func lookUpScore(_ context: RequestContext) throws -> Response {
  let now = context.sandbox.clock.now
  return try lookUpOlder(context, "score") { line, json in
    json.object("risk") {
      RiskScore(of: line, at: now).write(to: &$0, levels: context.settings.riskLevels)
    }
  }
}

func lookUpContact(_ context: RequestContext) throws -> Response {
  let result = try result(of: .contact, context)
  let missing = APIError(-60001, in: context.format)
  return try lookUpOlder(context, "contact", errors: result.isComplete ? [] : [missing]) { _, json in
    if result.isComplete { json.object("contact") { result.writeMembers(to: &$0) } }
  }
}

func lookUpDeactivation(_ context: RequestContext) throws -> Response {
  let result = try result(of: .numberDeactivation, context)
  return try lookUpOlder(context, "number_deactivation") { line, json in
    json.object("number_deactivation") { json in
      json.member("number", line.number.digits)
      // The provider's description has integers here, unlike the add-ons.
      json.member("mcc", Int(line.subscriber.mcc))
      json.member("mnc", Int(line.subscriber.mnc))
      if result.isComplete {
        result.writeMembers(to: &json)
      } else {
        json.null("last_deactivated")
        json.null("tracking_since")
      }
    }
  }
}

/// The result of the add-on that replaces an older look-up.
private func result(of addOn: AddOn, _ context: RequestContext) throws -> AddOnResult {
  let number = try ParsedNumber.toLookUp(context.request[parameter: "phone_number"], in: context)
  let request = AddOnRequest(name: addOn.rawValue, fields: try Fields(.object([])))
  return try request.result(for: try LineInfo(of: number, in: context.sandbox), context)
}

private func lookUpOlder(
  _ context: RequestContext, _ product: String, errors: [APIError] = [],
  _ write: (LineInfo, inout JSONWriter) -> Void
) throws -> Response {
  let query = try context.request.query
  query.declare(["originating_ip", "session_id"])
  // One of the provider's examples passes a lifecycle event: `phoneid_score` of its enterprise Ruby client.
  let useCases = useCases + RequestMetadata.lifecycleEvents
  if let useCase = query["ucid"], !useCase.isEmpty, !useCases.contains(useCase) {
    throw APIError.invalidRequest(in: context.format).because(
      "ucid: expected one of \(useCases.joined(separator: ", "))")
  }
  let number = try ParsedNumber.toLookUp(context.request[parameter: "phone_number"], in: context)
  try AccountRules(context).checkFunds()
  let line = try LineInfo(of: number, in: context.sandbox)
  let reference = ReferenceID.text(.lookup, context.sandbox.nextOrdinal(), in: context.sandbox)
  return .json(200) { json in
    json.member("reference_id", reference)
    json.null("resource_uri")
    json.member("sub_resource", product)
    json.array("errors", errors) { json, error in
      json.value { json in
        json.member("code", error.code)
        json.member("description", error.description)
      }
    }
    context.writeStatus(errors.isEmpty ? 300 : 301, to: &json)
    line.write(to: &json)
    write(line, &json)
  }
}

/// The current status of a line. Source: contract 10.5.
private struct LiveStatus {
  private let subscriber: Subscriber
  private let isActive: Bool
  private let isKnown: Bool

  init(of line: LineInfo, at time: Timestamp) {
    subscriber = line.subscriber
    isKnown = line.isKnown
    isActive = line.invalidReason == nil && !subscriber.suspended && !subscriber.isDeactivated(at: time)
  }

  func write(to json: inout JSONWriter) {
    let country = isActive && subscriber.roaming.isOn ? subscriber.roaming.countries.first : nil
    let territory = country.flatMap { Territory.named($0) }
    json.member("subscriber_status", isActive ? "ACTIVE" : "DISCONNECTED")
    json.member("device_status", deviceStatus)
    json.member("roaming", roaming)
    json.member("roaming_country", territory?.name)
    json.member("roaming_country_iso2", country)
  }

  private var deviceStatus: String {
    guard isActive else { return "UNAVAILABLE" }
    return subscriber.reach.sms || subscriber.reach.data ? "REACHABLE" : "UNREACHABLE"
  }

  /// Unknown for handsets without a network, and for numbers that the carrier does not know.
  private var roaming: String {
    guard isKnown, isActive, subscriber.lineType == .mobile, deviceStatus == "REACHABLE" else {
      return "UNKNOWN"
    }
    return subscriber.roaming.isOn ? "ROAMING" : "NOT_ROAMING"
  }
}
