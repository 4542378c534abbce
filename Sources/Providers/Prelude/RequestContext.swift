import ProviderKit

/// An authenticated request of a server.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// Sent in the body and in `X-Request-Id`. Source: contract 2.3.
  let requestID: String

  /// Unique in the sandbox: a UUID, as on the provider's error page. Source: contract, additions.
  static func newID(in sandbox: Sandbox) -> String { UUIDText.version4(sandbox.requestIdentifier("req")) }

  /// 200 with an object that `write` fills and that ends with `request_id`.
  func response(_ write: (inout JSONWriter) -> Void) -> Response {
    .json(200) { json in
      write(&json)
      json.member("request_id", requestID)
    }
  }
}

/// Longer bodies are rejected. Source: contract 11.2.
let maxBodyBytes = 1 << 20

/// The handler of an operation for servers: authenticates the request, and adds its id to responses and
/// errors.
func authenticated(_ operation: @escaping (RequestContext) throws -> Response) -> RequestHandler {
  { request, sandbox in
    let requestID = RequestContext.newID(in: sandbox)
    do {
      try Authentication.require(request, in: sandbox)
      guard request.body.count <= maxBodyBytes else { throw APIError.bodyTooLarge }
      let settings = try Settings.current(in: sandbox)
      let context = RequestContext(
        request: request, sandbox: sandbox, settings: settings, requestID: requestID)
      var response = try operation(context)
      response.headers.add("X-Request-Id", requestID)
      return response
    } catch let error as APIError {
      throw error.stamped(at: sandbox.clock.now, requestID: requestID)
    }
  }
}

/// A route of the server API that takes a body. Bodies beyond `maxBodyBytes` are still read to some extent,
/// so that they can be rejected in JSON. Source: contract 11.2.
func withBody(
  _ method: HTTP.Method, _ pattern: Pattern, as name: String,
  _ operation: @escaping (RequestContext) throws -> Response
) -> Route<Sandbox> {
  .on(method, pattern, as: name, bodyLimit: 8 * maxBodyBytes, authenticated(operation))
}
