import ProviderKit

// Device Roaming Status 1.1.0 and Device Reachability Status 1.1.0. Source: contract 10.

extension Scope {
  static let deviceStatus = ["device-roaming-status:read", "device-reachability-status:read"]
}

extension CAMARAProvider {
  static var deviceStatusRoutes: [Route<Sandbox>] {
    [
      .post(
        "/device-roaming-status/v1/retrieve", as: "getRoamingStatus",
        operation("device-roaming-status:read", retrieveRoamingStatus)),
      .post(
        "/device-reachability-status/v1/retrieve", as: "getReachabilityStatus",
        operation("device-reachability-status:read", retrieveReachabilityStatus)),
    ]
  }
}

/// The device of a request. These APIs know no `OUT_OF_RANGE`.
private func target(_ context: RequestContext) throws -> Target {
  do {
    return try Target(of: context.body, context)
  } catch let error as APIError where error.code == ErrorCode.outOfRange.rawValue {
    throw APIError(.invalidArgument, error.message)
  }
}

/// `POST /retrieve`: whether a device is in another country's network.
func retrieveRoamingStatus(_ context: RequestContext) throws -> Response {
  let target = try target(context)
  return context.response { json in
    target.writeDevice(to: &json)
    json.member("lastStatusTime", context.now.iso8601Milliseconds)
    target.subscriber.roaming.write(to: &json)
  }
}

extension Roaming {
  /// The visited country's code is an integer; both are absent at home.
  func write(to json: inout JSONWriter) {
    json.member("roaming", isOn)
    if isOn { writeCountry(to: &json) }
  }

  func writeCountry(to json: inout JSONWriter) {
    if let code { json.member("countryCode", code) }
    json.array("countryName", countries) { $0.value($1) }
  }

  var code: Int? { mcc.flatMap { Int($0) } }
}

/// `POST /retrieve`: how a device can be reached.
func retrieveReachabilityStatus(_ context: RequestContext) throws -> Response {
  let target = try target(context)
  let reach = target.subscriber.reach
  let ways = (reach.data ? ["DATA"] : []) + (reach.sms ? ["SMS"] : [])
  return context.response { json in
    target.writeDevice(to: &json)
    json.member("lastStatusTime", context.now.iso8601Milliseconds)
    json.member("reachable", !ways.isEmpty)
    if !ways.isEmpty { json.array("connectivity", ways) { $0.value($1) } }
  }
}
