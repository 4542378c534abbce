package import ProviderKit

extension ProveProvider {
  /// The client that asks for a token, or the one that a token was issued to.
  package static func credential(in request: Request) -> String? {
    if request.target.path.hasSuffix("/token") { return try? request.form["client_id"] }
    guard let text = token(in: request), let claims = JSONWebToken.unverifiedClaims(of: text) else {
      return nil
    }
    return (try? claims.optionalString("azp")) ?? (try? claims.optionalString("sub"))
  }

  /// Opening requests of WebSockets have it in their query.
  private static func token(in request: Request) -> String? {
    switch BearerToken(request.headers) {
    case .token(let text): text
    case .absent: try? request.query["access_token"]
    case .malformed: nil
    }
  }
}

enum Authentication {
  /// The client of a request's access token. An open sandbox accepts tokens that it did not issue.
  /// Source: contract 2.2.
  static func client(of request: Request, in sandbox: Sandbox) throws -> Client {
    guard case .token(let text) = BearerToken(request.headers) else {
      throw APIError(.unauthorized).because("no bearer token")
    }
    guard let token = AccessToken.read(text, in: sandbox) else {
      guard sandbox.acceptsUnknownAccounts, JSONWebToken.unverifiedClaims(of: text) == nil else {
        throw APIError(.unauthorized).because("not an access token of sandbox \(sandbox.name)")
      }
      return Client()
    }
    guard token.expiresAt > sandbox.clock.now else {
      throw APIError(.unauthorized).because("the access token expired at \(token.expiresAt.iso8601)")
    }
    if let client = try Client.find(token.clientID, in: sandbox) { return client }
    guard sandbox.acceptsUnknownAccounts else {
      throw APIError(.unauthorized).because("no client \(token.clientID) in sandbox \(sandbox.name)")
    }
    return Client()
  }
}

/// The token that back ends send with each call. Its text holds client and times, so tokens are not stored.
/// Source: contract 2.1.
struct AccessToken: Equatable {
  let clientID: String
  let issuedAt: Timestamp
  let expiresAt: Timestamp

  init(for clientID: String, lifetime: Duration, in sandbox: Sandbox) {
    self.clientID = clientID
    issuedAt = sandbox.clock.now
    expiresAt = issuedAt + lifetime
  }

  /// Reads a token of this sandbox; nil for any other text. Most clients send the same one with every call,
  /// so the last one need not be verified again.
  static func read(_ text: String, in sandbox: Sandbox) -> AccessToken? {
    let bytes = Array(text.utf8)[...]
    if let token: AccessToken = sandbox.accounts.lastCaller(signedInWith: bytes, of: ProveProvider.name) {
      return token
    }
    guard let token = AccessToken(text, in: sandbox) else { return nil }
    sandbox.accounts.remember(token, signedInWith: bytes, of: ProveProvider.name)
    return token
  }

  private init?(_ text: String, in sandbox: Sandbox) {
    guard let claims = JSONWebToken.claims(of: text, key: Self.key(in: sandbox)),
      let clientID = try? claims.string("sub"), let issuedAt = try? claims.int("iat"),
      let expiresAt = try? claims.int("exp")
    else { return nil }
    self.clientID = clientID
    self.issuedAt = Timestamp(unixSeconds: issuedAt)
    self.expiresAt = Timestamp(unixSeconds: expiresAt)
  }

  /// `id` distinguishes tokens of one second.
  func text(id: String, in sandbox: Sandbox) -> String {
    let claims = JSONWriter.object { json in
      json.member("sub", clientID)
      json.member("jti", id)
      json.member("iat", issuedAt.unixSeconds)
      json.member("exp", expiresAt.unixSeconds)
    }
    return JSONWebToken.sign(claims, key: Self.key(in: sandbox))
  }

  private static func key(in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("prove access token", 0)
  }
}
