import Crypto
import ProviderKit

/// A request of a device in a session. Source: contract 6.2, which defines the sandbox's own device API.
struct DeviceContext {
  let request: Request
  let sandbox: Sandbox
  let body: Body
  var possession: Possession

  /// A request that the auth token of an unused session signs.
  fileprivate init(authenticating request: Request, in sandbox: Sandbox, _ settings: Settings) throws {
    guard let token = try Self.token(of: request, in: sandbox),
      let session = try Session.find(authID: token.authID, in: sandbox)
    else { throw APIError(.unauthorized).because("no auth token of sandbox \(sandbox.name)") }
    guard !session.isExpired(at: sandbox.clock.now) else {
      throw APIError(.unauthorized).because("the auth token expired at \(session.expiresAt.iso8601)")
    }
    guard session.step == .created else {
      throw APIError(.unauthorized).because("the auth token was used already")
    }
    try self.init(request, session, in: sandbox, settings)
  }

  /// A request whose path names the session. A token is not needed, but must not belong to another session.
  init(_ request: Request, in sandbox: Sandbox, _ settings: Settings) throws {
    let authID = request[parameter: "authId"]
    if let token = try Self.token(of: request, in: sandbox), token.authID != authID {
      throw APIError(.unauthorized).because("the auth token belongs to another session")
    }
    guard let session = try Session.find(authID: authID, in: sandbox) else {
      throw APIError(.identityNotFound, "unknown authId").because("no session with authId \(authID)")
    }
    try self.init(request, session, in: sandbox, settings)
  }

  private init(_ request: Request, _ session: Session, in sandbox: Sandbox, _ settings: Settings) throws {
    guard request.body.count <= maxBodyBytes else { throw APIError.bodyTooLarge(maxBodyBytes) }
    self.request = request
    self.sandbox = sandbox
    body = Body(try request.json)
    possession = try Possession(session, settings, in: sandbox)
  }

  /// Nil if the request has no token. Scripts in browsers cannot add headers to a WebSocket's request, so its
  /// query may have the token.
  private static func token(of request: Request, in sandbox: Sandbox) throws -> AuthToken? {
    switch BearerToken(request.headers) {
    case .absent:
      return try request.query["access_token"].map { try token($0, in: sandbox) }
    case .malformed:
      throw APIError(.unauthorized).because("expected Authorization: Bearer with an auth token")
    case .token(let text): return try token(text, in: sandbox)
    }
  }

  private static func token(_ text: String, in sandbox: Sandbox) throws -> AuthToken {
    guard let token = AuthToken(text, in: sandbox) else {
      throw APIError(.unauthorized).because("not an auth token of sandbox \(sandbox.name)")
    }
    return token
  }

  /// Throws if a live session is at another step. False if it has expired: then there is nothing to do.
  func isLive(at step: Session.Step) throws -> Bool {
    if possession.session.isExpired(at: sandbox.clock.now) { return false }
    guard possession.session.step == step else {
      throw APIError(.stepNotAllowed).because(
        "the session is at \(possession.session.step.rawValue), not at \(step.rawValue)")
    }
    return true
  }
}

/// The handler of a device's first request.
func authenticatingDevice(_ operation: @escaping (inout DeviceContext) throws -> Void) -> RequestHandler {
  numbered { request, sandbox, settings in
    var context = try DeviceContext(authenticating: request, in: sandbox, settings)
    try operation(&context)
    return try context.possession.stepResponse
  }
}

/// The handler of a device's later requests. All of them answer with the next step. Even a GET may save the
/// session: the one that finds a wait for a link to be over.
func device(_ operation: @escaping (inout DeviceContext) throws -> Void) -> RequestHandler {
  numbered { request, sandbox, settings in
    var context = try DeviceContext(request, in: sandbox, settings)
    try context.possession.endWait()
    try operation(&context)
    return try context.possession.stepResponse
  }
}

/// `OPTIONS`: a browser's preflight.
func answerPreflight(_ request: Request, in sandbox: Sandbox) -> Response { Response(204) }
