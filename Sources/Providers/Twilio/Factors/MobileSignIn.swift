import ProviderKit

// How mobile apps sign in: HTTP Basic with the user name `token`. Source: contract 1.2 and 11.3.

/// The password of a mobile app; nil for servers.
struct MobilePassword {
  static let userName = "token"

  let text: String

  init?(_ request: Request) {
    // `Basic ` and `token:` in base64: servers, which are most callers, cost no decoding.
    guard let header = request.headers.bytes(of: "Authorization"),
      header.dropFirst(6).starts(with: "dG9rZW46".utf8), let basic = BasicAuthentication(request.headers)
    else { return nil }
    text = basic.password
  }

  /// The account that a password names, not verified; nil for other texts. It selects the sandbox.
  static func unverifiedAccount(of text: String) -> String? {
    guard let token = JSONWebToken(text, by: [.es256]) else { return AccessToken.unverifiedAccount(of: text) }
    return try? token.claims.optionalString("sub")
  }
}

/// The handler of a route that servers call, and mobile apps that have an access token.
func enrolmentOrServer(
  _ operation: @escaping (RequestContext, AccessToken?) throws -> Response
) -> RequestHandler {
  { request, sandbox in
    guard let password = MobilePassword(request) else {
      return try operation(RequestContext(request, in: sandbox, adoptsService: true), nil)
    }
    guard let token = try AccessToken.find(text: password.text, in: sandbox),
      token.service == request[parameter: "service"]
    else { throw APIError.unauthenticated.because("unknown access token, or it has expired") }
    return try operation(RequestContext(request, of: .mobile(token.account), in: sandbox), token)
  }
}

/// The handler of a route that servers call, and mobile apps that sign in with the key of their factor.
func deviceOrServer(_ operation: @escaping (RequestContext, Factor?) throws -> Response) -> RequestHandler {
  { request, sandbox in
    guard let password = MobilePassword(request) else {
      return try operation(RequestContext(request, in: sandbox, adoptsService: false), nil)
    }
    let factor = try authenticateDevice(password.text, of: request, in: sandbox)
    return try operation(RequestContext(request, of: .mobile(factor.account), in: sandbox), factor)
  }
}

extension Caller {
  /// It sees the Service of its factor, whose account may be another one in an open sandbox.
  fileprivate static func mobile(_ account: String) -> Caller { Caller(account: account, isUnknown: true) }
}

/// The push factor whose key signed the token. Source: contract 11.3.
private func authenticateDevice(
  _ text: String, of request: Request, in sandbox: Sandbox
) throws -> Factor {
  func refused(_ why: String) -> APIError { .unauthenticated.because("device token: \(why)") }
  guard let token = JSONWebToken(text, by: [.es256]) else {
    throw refused("expected a JWT with the algorithm ES256")
  }
  guard let id = try? token.header.optionalString("kid"),
    let factor = try Factor.find(credential: id, in: sandbox), let key = factor.push?.publicKey
  else { throw refused("kid: expected the credential_sid of a push factor") }
  guard token.isSigned(by: PublicKey(base64: key)), let claims = try? token.claims else {
    throw refused("expected a signature by the key of \(factor.sid)")
  }
  guard (try? claims.string("sub")) == factor.account else {
    throw refused("sub: expected \(factor.account)")
  }
  let (start, end): (Timestamp, Timestamp)
  do { (start, end) = (try claims.unixTime("nbf"), try claims.unixTime("exp")) } catch {
    throw refused("\(error)")
  }
  let now = sandbox.clock.now.wholeSeconds
  guard start <= now + .seconds(60) else { throw refused("nbf is in the future") }
  guard now <= end else { throw refused("it has expired") }
  let path = request.parameters
  guard factor.service == path.value("service"),
    path.value("identity").map({ $0.lowercased() == factor.identity.lowercased() }) ?? true,
    path.value("factor").map({ $0 == factor.sid }) ?? true
  else { throw refused("the path belongs to another factor than \(factor.sid)") }
  return factor
}
