import ProviderKit

// Call Forwarding Signal 0.4.0. Source: contract 8.2.

extension Scope {
  static let callForwarding = [
    "call-forwarding-signal:unconditional-call-forwardings:read",
    "call-forwarding-signal:call-forwardings:read",
  ]
}

extension CAMARAProvider {
  static var callForwardingRoutes: [Route<Sandbox>] {
    [
      .post(
        "/call-forwarding-signal/v0.4/unconditional-call-forwardings",
        as: "retrieveUnconditionalCallForwarding",
        operation(
          "call-forwarding-signal:unconditional-call-forwardings:read", retrieveUnconditionalForwarding)),
      .post(
        "/call-forwarding-signal/v0.4/call-forwardings", as: "retrieveCallForwarding",
        operation("call-forwarding-signal:call-forwardings:read", retrieveForwarding)),
    ]
  }
}

/// `POST /unconditional-call-forwardings`: whether all calls are forwarded.
func retrieveUnconditionalForwarding(_ context: RequestContext) throws -> Response {
  let number = try context.body.optionalPhoneNumber()
  let subscriber = try Subject.subscriber(numbered: number, context)
  return context.response { $0.member("active", subscriber.forwarding.contains(.unconditional)) }
}

/// `POST /call-forwardings`: which calls are forwarded. The answer is an array, as in the specification.
func retrieveForwarding(_ context: RequestContext) throws -> Response {
  guard context.settings.callForwardings == .on else {
    throw APIError(.notImplemented).because("the setting callForwardings is 501")
  }
  let number = try context.body.optionalPhoneNumber()
  let subscriber = try Subject.subscriber(numbered: number, context)
  let services = Forwarding.allCases.filter(subscriber.forwarding.contains).map(\.service)
  return context.response(JSONWriter.array(services.isEmpty ? ["inactive"] : services) { $0.value($1) })
}

extension Forwarding {
  fileprivate var service: String {
    switch self {
    case .unconditional: "unconditional"
    case .busy: "conditional_busy"
    case .noAnswer: "conditional_no_answer"
    case .unreachable: "conditional_not_reachable"
    }
  }
}
