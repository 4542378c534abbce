import Domain
import HTTP
import JSON
import ProviderKit

// The older look-ups, one path for each product. Source: contract 10.5.

var olderPhoneIDRoutes: [Route<Sandbox>] {
  [
    route(
      .get, "/v1/phoneid/standard/{phone_number}", as: "lookUpStandard", of: .phoneID, lookUpStandard),
    route(.get, "/v1/phoneid/live/{phone_number}", as: "lookUpLive", of: .phoneID, lookUpLive),
    route(.get, "/v1/phoneid/score/{phone_number}", as: "lookUpScore", of: .phoneID, lookUpScore),
    route(.get, "/v1/phoneid/contact/{phone_number}", as: "lookUpContact", of: .phoneID, lookUpContact),
    route(
      .get, "/v1/phoneid/number_deactivation/{phone_number}", as: "lookUpDeactivation", of: .phoneID,
      lookUpDeactivation),
  ]
}

/// `GET /v1/phoneid/standard/{phone_number}`
func lookUpStandard(_ call: Call) throws -> Response {
  try lookUpOlder(call, "standard") { _, _ in }
}

/// `GET /v1/phoneid/live/{phone_number}`
func lookUpLive(_ call: Call) throws -> Response {
  let now = call.sandbox.clock.now
  return try lookUpOlder(call, "live") { line, json in
    json.object("live") { LiveStatus(of: line, at: now).write(to: &$0) }
  }
}

/// `GET /v1/phoneid/score/{phone_number}`
func lookUpScore(_ call: Call) throws -> Response {
  let now = call.sandbox.clock.now
  return try lookUpOlder(call, "score") { line, json in
    json.object("risk") { RiskScore(of: line, at: now).write(to: &$0, levels: call.settings.riskLevels) }
  }
}

/// `GET /v1/phoneid/contact/{phone_number}`
func lookUpContact(_ call: Call) throws -> Response {
  let result = try older(.contact, call)
  let missing = Problem(-60001, in: call.family)
  return try lookUpOlder(call, "contact", failing: result.isComplete ? [] : [missing]) { _, json in
    if result.isComplete { json.object("contact") { result.writeMembers(to: &$0) } }
  }
}

/// `GET /v1/phoneid/number_deactivation/{phone_number}`
func lookUpDeactivation(_ call: Call) throws -> Response {
  let result = try older(.numberDeactivation, call)
  return try lookUpOlder(call, "number_deactivation") { _, json in
    if result.isComplete { json.object("number_deactivation") { result.writeMembers(to: &$0) } }
  }
}

/// What an add-on has to say to a look-up of old, which orders it by its path.
private func older(_ addOn: AddOn, _ call: Call) throws -> AddOnResult {
  let number = try call.number(call.request[parameter: "phone_number"])
  let order = AddOnOrder(name: addOn.rawValue, fields: try Fields(.object([])))
  return try order.result(for: try Line(of: number, in: call.sandbox), call)
}

private func lookUpOlder(
  _ call: Call, _ product: String, failing errors: [Problem] = [],
  _ write: (Line, inout JSONWriter) -> Void
) throws -> Response {
  let query = try call.request.query
  query.declare(["originating_ip", "session_id"])
  if let useCase = query["ucid"], !useCase.isEmpty, !useCases.contains(useCase) {
    throw Problem.invalidRequest(in: call.family).because(
      "ucid: expected one of \(useCases.joined(separator: ", "))")
  }
  let number = try call.number(call.request[parameter: "phone_number"])
  try call.admitSpending()
  let line = try Line(of: number, in: call.sandbox)
  let reference = referenceID(.lookup, call.sandbox.nextOrdinal(), in: call.sandbox)
  return call.answer { json in
    json.member("reference_id", reference)
    json.null("resource_uri")
    json.member("sub_resource", product)
    json.array("errors", errors) { json, problem in
      json.value { json in
        json.member("code", problem.code)
        json.member("description", problem.description)
      }
    }
    call.writeStatus(errors.isEmpty ? 300 : 301, to: &json)
    line.write(to: &json)
    write(line, &json)
  }
}

/// How a line is just now. Source: contract 10.5.
struct LiveStatus {
  private let subscriber: Subscriber
  private let isActive: Bool
  private let isKnown: Bool

  /// The status of a line at a time.
  init(of line: Line, at time: Timestamp) {
    subscriber = line.subscriber
    isKnown = line.isKnown
    isActive = line.flaw == nil && !subscriber.suspended && !subscriber.isDeactivated(at: time)
  }

  /// Writes it. Where the handset of a line that is out of service is, nobody knows.
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

  /// Whether a handset without a network is abroad is not known, nor is it of numbers of which nothing was said.
  private var roaming: String {
    guard isKnown, isActive, subscriber.lineType == .mobile, deviceStatus == "REACHABLE" else {
      return "UNKNOWN"
    }
    return subscriber.roaming.isOn ? "ROAMING" : "NOT_ROAMING"
  }
}
