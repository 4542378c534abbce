import Domain
import HTTP
import JSON
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

  /// The address of the client.
  var address: String {
    let peer = request.peer
    guard let colon = peer.lastIndex(of: ":") else { return peer.isEmpty ? "127.0.0.1" : peer }
    return String(peer[..<colon].filter { $0 != "[" && $0 != "]" })
  }

  /// The network that a request without `chainName` means. Source: contract 5.1.
  var defaultChain: Chain { request.host.hasPrefix("api.hyphen.at") ? .mainnet : .testnet }

  /// A success with an object that `write` fills.
  func response(_ status: Status = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    .json(status, JSONWriter.object(write))
  }

  /// A success without content. The SDK for iOS parses JSON from every answer. Source: contract 5.2.
  var noContent: Response { platform == "iOS" ? response { _ in } : Response(204) }
}

/// The handler of an operation that every app may call.
func forApp(
  _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { try operation(RequestContext($0, in: $1)) }
}

/// The handler of an operation for signed-in devices.
func forDevice(
  _ operation: @escaping (RequestContext, Session) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let context = try RequestContext(request, in: sandbox)
    switch try context.caller() {
    case .device(let session): return try operation(context, session)
    case .source: throw APIError(.invalidToken).because("an ephemeral token; expected an access token")
    case .nobody: throw APIError(.invalidToken).because("no bearer token")
    }
  }
}

/// The handler of an operation for the devices of a request for approval: the one that signs in, which has an
/// ephemeral token, and signed-in ones.
func forSource(
  _ operation: @escaping (RequestContext, Caller) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let context = try RequestContext(request, in: sandbox)
    return try operation(context, context.caller())
  }
}

/// Who calls. Source: contract 1.
enum Caller {
  /// A signed-in device.
  case device(Session)
  /// A device that signs in by the request for approval with this id.
  case source(TwoFactorAuth.Reference)
  /// A request without a token.
  case nobody
}

/// A signed-in device: its account, and the key that signed in.
struct Session {
  let account: Account
  var key: Key
}

extension RequestContext {
  /// Fails with 401 for a token that is not valid.
  fileprivate func caller() throws -> Caller {
    let text: String
    switch BearerToken(request.headers) {
    case .absent: return .nobody
    case .malformed: throw APIError(.invalidToken).because("Authorization: expected Bearer and one token")
    case .token(let token): text = token
    }
    let token = try Token(text, for: app, in: sandbox)
    switch token.kind {
    case .refresh: throw APIError(.invalidToken).because("a refresh token; expected an access token")
    case .ephemeral: return .source(.init(id: token.subject, account: token.account))
    case .access: return .device(try session(of: token))
    }
  }

  /// The device of an access or refresh token, whose key may have been revoked.
  func session(of token: Token) throws -> Session {
    guard let account = try Account.find(token.account, in: sandbox),
      let key = try Key.find(token.subject, of: account.id, in: sandbox)
    else { throw APIError(.invalidToken).because("the token's key was revoked, or its account is gone") }
    return Session(account: account, key: key)
  }
}
