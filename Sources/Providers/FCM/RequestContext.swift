import ProviderKit

/// What an operation works with: a request whose access token is valid.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// For the journal: what is wrong with an access token that was accepted anyway.
  private let warning: String?

  /// Fails with 401 or 403 for a bad access token.
  init(_ request: Request, in sandbox: Sandbox) throws {
    self.request = request
    self.sandbox = sandbox
    settings = try Settings.current(in: sandbox)
    warning = try Authentication.check(request, in: sandbox, settings)
  }

  /// The project of the path.
  var project: String { request[parameter: "project"] }

  /// Runs an operation and adds the warning to its response.
  func run(_ operation: (RequestContext) throws -> Response) throws -> Response {
    var response = try operation(self)
    response.why = warning ?? response.why
    return response
  }
}

/// The handler of a route whose operation needs an access token.
func authenticated(_ operation: @escaping (RequestContext) throws -> Response) -> RequestHandler {
  { try RequestContext($0, in: $1).run(operation) }
}

/// The same for the topic service, which has an error format of its own.
func topicService(_ operation: @escaping (RequestContext) throws -> Response) -> RequestHandler {
  { request, sandbox in
    do {
      return try RequestContext(request, in: sandbox).run(operation)
    } catch let error as APIError {
      throw error == .missingCredentials ? TopicError.missingCredentials : TopicError(error)
    }
  }
}
