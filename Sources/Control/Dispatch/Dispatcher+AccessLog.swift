extension Dispatcher {
  /// Leaves with a request what its line in an access log says.
  func recordHandling(of call: Call) {
    let request = call.request
    let owner = call.owner?.name ?? ""
    var target = request.target
    if let token = request.parameters.value("token") { target.path = target.path.hiding(token) }
    let masking = Masking(call.sandbox.secretNames(of: owner))
    request.inputs.handling = Handling(
      sandbox: call.sandbox.name, owner: owner, route: call.outcome.route?.name,
      target: masking.target(request.prefix + target.text))
  }
}

extension String {
  /// The path without a segment.
  fileprivate func hiding(_ secret: String) -> String {
    split(separator: "/", omittingEmptySubsequences: false).map { segment in
      PercentCoding.decode(Array(segment.utf8), plusIsSpace: false) == secret ? Masking.mark : String(segment)
    }.joined(separator: "/")
  }
}

extension TraceContext {
  /// Nil for a request without a valid one.
  init?(_ request: Request) {
    // Without a copy for most requests.
    guard request.headers.bytes(of: "traceparent") != nil else { return nil }
    self.init(
      parents: request.headers.values("traceparent"), states: request.headers.values("tracestate"))
  }
}
