import ProviderKit

/// The JSON Web Token by which a back end signs in. Source: contract 2
struct ProviderToken {
  let keyID: String
  private let token: JSONWebToken

  /// Nil for a text that is not a token signed with ES256 that names its key.
  init?(_ text: String) {
    guard let token = JSONWebToken(text, by: [.es256]), let keyID = try? token.header.string("kid") else {
      return nil
    }
    (self.keyID, self.token) = (keyID, token)
  }

  init?(of request: Request) {
    guard case .token(let text) = BearerToken(request.headers) else { return nil }
    self.init(text)
  }

  /// Seconds that a token is valid after `iat`.
  private static let lifetime = 3600
  /// The most seconds by which `iat` may be after the sandbox's time.
  private static let leeway = 300

  /// Checks signature, team and age; returns the key and `iat`. An open sandbox accepts keys that it does not
  /// know.
  func verify(in sandbox: Sandbox, _ settings: Settings) throws -> (key: Key, issuedAt: Timestamp) {
    let (team, issuedAt): (String, Timestamp)
    do throws(FieldError) {
      let claims = try token.claims
      // Apple reads digits in a string, too.
      (team, issuedAt) = (
        try claims.string("iss"), try claims.unixTime("iat", acceptsDigits: true)
      )
    } catch {
      throw APIError(.invalidProviderToken, because: "\(error)")
    }
    let key = try knownKey(of: team, in: sandbox)
    try validate(issuedAt: issuedAt, sandbox.clock, settings)
    return (key, issuedAt)
  }

  private func knownKey(of team: String, in sandbox: Sandbox) throws -> Key {
    guard let key = try Key.find(keyID, in: sandbox) else {
      guard sandbox.acceptsUnknownAccounts else {
        throw APIError(.invalidProviderToken, because: "kid: this sandbox has no key \(keyID)")
      }
      var unknown = Key()
      (unknown.teamID, unknown.keyID) = (team, keyID)
      return unknown
    }
    guard key.teamID == team else {
      throw APIError(.invalidProviderToken, because: "iss: the key is of team \(key.teamID), not of \(team)")
    }
    guard token.isSigned(by: PublicKey(base64: try key.publicBase64(in: sandbox))) else {
      throw APIError(.invalidProviderToken, because: "the signature is not that of the key \(keyID)")
    }
    return key
  }

  /// A clock that does not run in real time may be behind the client's.
  /// Source: decision 0043
  private func validate(issuedAt: Timestamp, _ clock: SandboxClock, _ settings: Settings) throws {
    guard settings.checksTokenAge else { return }
    let age = (clock.now - issuedAt).wholeSeconds
    guard age <= Self.lifetime else {
      throw APIError(
        .expiredProviderToken,
        because: "iat: \(age) s before the sandbox's time; at most \(Self.lifetime) s are valid")
    }
    guard case .real = clock.mode, age < -Self.leeway else { return }
    throw APIError(.invalidProviderToken, because: "iat: \(-age) s after the sandbox's time")
  }
}
