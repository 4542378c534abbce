import Crypto
import ProviderKit

/// Who has signed in, for the client (OpenID Connect Core, 2). Source: contract 3.8.
struct IDToken {
  private let authorization: Authorization
  private let issuer: String
  private let now: Timestamp

  init(of authorization: Authorization, _ context: OAuthContext) {
    (self.authorization, issuer, now) = (authorization, context.issuer, context.now)
  }

  private static let lifetime = 3600
  /// All that it may have.
  static let claims = ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "amr"]

  /// Signed with the key of the sandbox.
  func text(in sandbox: Sandbox) throws -> String {
    guard let key = try sandbox.keys[.webhooks] else {
      throw OAuthError(.serverError, "The sandbox has no key to sign with.")
        .because("no seed has keys.webhooks")
    }
    let subject = try authorization.number.map {
      try Self.subject($0, of: authorization.clientID, in: sandbox)
    }
    let claims = JSONWriter.object { json in
      json.member("iss", issuer)
      if let subject { json.member("sub", subject) }
      json.member("aud", authorization.clientID)
      json.member("exp", now.unixSeconds + Self.lifetime)
      json.member("iat", now.unixSeconds)
      json.member("auth_time", authorization.createdAt.unixSeconds)
      if let nonce = authorization.nonce { json.member("nonce", nonce) }
      if let method = authorization.method.reference { json.member("amr", [method]) }
    }
    let header = JSONWriter.object { json in
      json.member("alg", "RS256")
      json.member("typ", "JWT")
      json.member("kid", SigningKeyID.text(of: key))
    }
    return try JSONWebToken.sign(claims, header: header, rs256Key: key, in: sandbox)
  }

  /// The name of a subscriber for one client. It does not reveal the number, and is another one for the next
  /// holder of the number.
  static func subject(_ number: PhoneNumber, of clientID: String, in sandbox: Sandbox) throws -> String {
    let holder = try sandbox.subscribers[number].subscriberPeriods.count
    let key = sandbox.tokenEntropy.secret("subjects", length: 32, of: .alphanumeric)
    return Base64.encodeForURL(
      HMAC.authenticate(Array("\(clientID) \(number) \(holder)".utf8), key: Array(key.utf8)))
  }
}

/// The id of a key in the server's set.
enum SigningKeyID {
  static func text(of key: SigningKey) -> String {
    String(Hex.encode(SHA256.hash(Array(key.publicPEM.utf8))).prefix(16))
  }
}

extension Authorization.Method {
  /// The value of `amr`; nil if nothing was proved.
  fileprivate var reference: String? {
    switch self {
    case .network: "nbauth"
    case .sim: "sim"
    case .number: nil
    }
  }
}
