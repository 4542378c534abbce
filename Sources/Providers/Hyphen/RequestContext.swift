import ProviderKit

/// What an operation works with: a request of a known app.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let app: App

  init(_ request: Request, in sandbox: Sandbox) throws {
    self.request = request
    self.sandbox = sandbox
    settings = try Settings.current(in: sandbox)
    app = try App(request, settings, in: sandbox)
  }

  var now: Timestamp { sandbox.clock.now }

  /// The members of the body; none if it is empty.
  var body: Fields { get throws { try request.json } }

  /// `iOS` or `Android`; nil for other clients. Source: contract 1.
  var platform: String? { request.headers["X-Hyphen-SDK-Platform"] }
}

/// The handler of an operation that every app may call.
func forApp(_ operation: @escaping (RequestContext) throws -> Response) -> RequestHandler {
  { try operation(RequestContext($0, in: $1)) }
}

/// The handler of an operation for signed-in devices.
func forDevice(_ operation: @escaping (RequestContext, Session) throws -> Response) -> RequestHandler {
  { request, sandbox in
    let context = try RequestContext(request, in: sandbox)
    switch try Caller(of: context) {
    case .device(let session): return try operation(context, session)
    case .source: throw APIError(.invalidToken).because("an ephemeral token; expected an access token")
    case .nobody: throw APIError(.invalidToken).because("no bearer token")
    }
  }
}

/// The handler of an operation for the devices of a request for approval: the one that signs in, which has an
/// ephemeral token, and signed-in ones.
func forSource(_ operation: @escaping (RequestContext, Caller) throws -> Response) -> RequestHandler {
  { request, sandbox in
    let context = try RequestContext(request, in: sandbox)
    return try operation(context, Caller(of: context))
  }
}
