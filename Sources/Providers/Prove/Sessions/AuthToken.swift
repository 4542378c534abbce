import ProviderKit

/// The credential of one device for one session. Source: contract 4.2.
struct AuthToken: Equatable {
  let authID: String

  init(of session: Session) { authID = session.authID }

  /// Reads a token of this sandbox; nil for any other text. The session decides whether it has expired.
  init?(_ text: String, in sandbox: Sandbox) {
    guard let claims = JSONWebToken.claims(of: text, key: Self.key(in: sandbox)),
      let authID = try? claims.string("sub")
    else { return nil }
    self.authID = authID
  }

  /// The text for a client that sent this request. `azp` selects the sandbox of later requests.
  static func text(of session: Session, for request: Request, in sandbox: Sandbox) -> String {
    let claims = JSONWriter.object { json in
      json.member("iss", request.base)
      json.member("aud", "prove-device")
      json.member("azp", session.clientID)
      json.member("sub", session.authID)
      json.member("jti", IdentifierKind.token.new(in: sandbox))
      json.member("iat", session.createdAt.unixSeconds)
      json.member("exp", session.expiresAt.unixSeconds)
      json.member("possessionType", session.possession.rawValue)
      // Phones may reach the sandbox by another URL than back ends.
      json.member("deviceUrl", sandbox.baseURL(requestOrigin: request.origin) + devicePath)
    }
    return JSONWebToken.sign(claims, key: key(in: sandbox))
  }

  private static func key(in sandbox: Sandbox) -> String {
    sandbox.tokenEntropy.identifier("prove auth token", 0)
  }
}

/// The path of the device API. Source: contract 6.2.
let devicePath = "/handset/prove/v1"
