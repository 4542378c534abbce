import ProviderKit

/// An authenticated request.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let caller: Caller

  var pathID: String { request[parameter: "request_id"] }
}

/// The handler of an operation: authenticates the caller, and completes errors.
func authenticated(
  by kinds: Set<Caller.Kind> = [.basic, .token],
  _ operation: @escaping (RequestContext) throws -> Response
) -> RequestHandler {
  { request, sandbox in
    let settings = try Settings.current(in: sandbox)
    do {
      let caller = try Caller(of: request, by: kinds, in: sandbox)
      return try operation(
        RequestContext(request: request, sandbox: sandbox, settings: settings, caller: caller))
    } catch let error as APIError {
      throw error.completed(settings, in: sandbox)
    }
  }
}
