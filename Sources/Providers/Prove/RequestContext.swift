import ProviderKit

/// What an operation works with: a request whose access token is valid.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let client: Client

  var now: Timestamp { sandbox.clock.now }

  /// The members of the body; none if it is empty.
  var body: Body {
    get throws { Body(try request.json) }
  }
}

/// Longer bodies are rejected, except those of batches. Source: contract 3.2.
let maxBodyBytes = 4 << 10

/// The handler of an operation for back ends.
func authenticated(
  maxBytes: Int = maxBodyBytes, _ operation: @escaping (RequestContext) throws -> Response
) -> RequestHandler {
  numbered { request, sandbox, settings in
    let client = try Authentication.client(of: request, in: sandbox)
    let limit = settings.rateLimit
    guard try RequestCount.add(client.id, of: ProveProvider.name, limit: limit, in: sandbox) else {
      throw APIError.tooManyRequests(retryAfter: 1)
        .because("more than \(limit) requests of client \(client.id) in a second (setting rateLimit)")
    }
    guard request.body.count <= maxBytes else { throw APIError.bodyTooLarge(maxBytes) }
    return try operation(
      RequestContext(request: request, sandbox: sandbox, settings: settings, client: client))
  }
}

/// A handler whose errors have the numbers of the setting `errorCodes`.
func numbered<Result>(
  _ operation: @escaping (Request, Sandbox, Settings) throws -> Result
) -> (Request, Sandbox) throws -> Result {
  { request, sandbox in
    let settings = try Settings.current(in: sandbox)
    do {
      return try operation(request, sandbox, settings)
    } catch let error as APIError {
      throw error.numbered(by: settings.errorCodes)
    }
  }
}
