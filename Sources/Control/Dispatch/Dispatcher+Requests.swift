/// What the server asks about a request besides its answer: limits, names, and errors before a handler runs.
extension Dispatcher {
  /// The owner's error response for a request that the server could not handle.
  package func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    var request = request
    _ = removeSandboxPrefix(from: &request)
    let owner = route(&request).owner
    let response = errorResponse(failure, owner, request, sandboxes.defaultSandbox)
    return addCommonHeaders(response, of: owner, to: request, sandboxes.defaultSandbox)
  }

  /// The answer to a request of which at least the path is known, in the format of the path's or host's
  /// owner.
  package func response(to error: MalformedRequest, after head: RequestHead, bodyLimit: Int) -> Response {
    var request = Request(head.method, head.target, headers: head.headers)
    let name = removeSandboxPrefix(from: &request)
    let sandbox = name.flatMap { sandboxes[$0] } ?? sandboxes.defaultSandbox
    guard let owner = route(&request).owner else { return error.response }
    guard owner.name == ControlAPI.name || Self.providerStatuses.contains(error.status) else {
      return error.response
    }
    let isTooLarge = error.status == 413 && owner.name == ControlAPI.name
    let why = isTooLarge ? "body: expected at most \(bodyLimit) bytes" : error.sentence
    let response = errorResponse(.rejected(status: error.status, why: why), owner, request, sandbox)
    return addCommonHeaders(response, of: owner, to: request, sandbox)
  }

  /// The statuses that providers' own servers answer with, of those that a malformed request can have.
  private static let providerStatuses: Set<Status> = [400, 413, 414, 431]

  /// The largest body of a request with this method and path; nil: the server's default.
  package func bodyLimit(_ method: Method, path: String, host: String) -> Int? {
    var request = Request(method, Target(path: path))
    _ = removeSandboxPrefix(from: &request)
    return router.find(method, request.target.path, host: host).outcome.route?.bodyLimit
  }

  /// The owner and the name of the request's route, such as `acme fetchThing`; nil for an unknown path.
  package func routeName(of request: Request) -> String? {
    var request = request
    _ = removeSandboxPrefix(from: &request)
    guard case .found(let route, let owner, _) = self.route(&request) else { return nil }
    return "\(owner.name) \(route.name)"
  }
}
