import Domain
package import HTTP

/// What the server asks about a request besides its answer: limits, names, and errors before a handler runs.
extension Dispatcher {
  /// The owner's error response for a request that the server could not handle.
  package func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    var request = request
    _ = removeSandboxPrefix(from: &request)
    let owner = route(&request).owner
    let response = errorResponse(failure, owner, request, sandboxes.defaultSandbox)
    return addCommonHeaders(response, owner: owner, sandboxes.defaultSandbox)
  }

  /// The answer to a request whose head is known: on the control API's paths in its format.
  package func response(to error: MalformedRequest, after head: RequestHead, bodyLimit: Int) -> Response {
    var request = Request(head.method, head.target, headers: head.headers)
    _ = removeSandboxPrefix(from: &request)
    guard route(&request).owner?.name == ControlAPI.name else { return error.response }
    let problem = ControlProblem(
      status: error.status,
      message: error.status == 413 ? "body: expected at most \(bodyLimit) bytes" : error.sentence)
    return addCommonHeaders(problem.response, owner: nil, sandboxes.defaultSandbox)
  }

  /// The largest body of a request with this method and path; nil: the server's default.
  package func bodyLimit(_ method: Method, path: String, host: String) -> Int? {
    var request = Request(method, Target(path: path))
    _ = removeSandboxPrefix(from: &request)
    let (prefix, path) = router.split(request.target.path)
    return router.match(method, path: path, under: prefix, host: host).route?.bodyLimit
  }

  /// The owner and the name of the request's route, such as `acme fetchThing`; nil for an unknown path.
  package func routeName(of request: Request) -> String? {
    var request = request
    _ = removeSandboxPrefix(from: &request)
    guard case .found(let route, let owner, _) = self.route(&request) else { return nil }
    return "\(owner.name) \(route.name)"
  }
}
