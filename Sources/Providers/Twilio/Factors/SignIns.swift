import Crypto
package import ProviderKit

/// Sign-ins with TOTP and passkeys, for the console. Pushes have a message that tells of theirs.
extension TwilioProvider {
  package static let signInRoutes: Set<String> = [
    "createFactor", "createChallenge", "createPasskeysFactor", "createPasskeysChallenge",
  ]

  package static func signIn(_ ordinal: Int, in sandbox: Sandbox) throws -> SignIn? {
    for kind in Factor.Kind.allCases where kind != .push {
      if let challenge = try FactorChallenge.find(
        FactorChallenge.sid(kind, ordinal, in: sandbox), in: sandbox)
      {
        return challenge.signIn(ordinal, at: sandbox.clock.now)
      }
      if let factor = try Factor.find(Factor.sid(kind, ordinal, in: sandbox), in: sandbox) {
        return try factor.registration(ordinal, in: sandbox)
      }
    }
    return nil
  }
}

extension FactorChallenge {
  fileprivate func signIn(_ ordinal: Int, at now: Timestamp) -> SignIn {
    let state: Challenge.State =
      switch status(at: now) {
      case .pending: .pending
      case .approved: .approved
      case .denied: .denied
      case .expired: .expired
      }
    return SignIn(
      ordinal: ordinal, provider: TwilioProvider.name, id: sid,
      marks: [sid, passkeyMark(of: sid, in: "webauthn.get")],
      person: identity.isEmpty ? "anybody with a passkey" : identity, way: kind.way, createdAt: createdAt,
      expiresAt: expiresAt, state: state)
  }
}

extension Factor {
  fileprivate func registration(_ ordinal: Int, in sandbox: Sandbox) throws -> SignIn {
    SignIn(
      ordinal: ordinal, provider: TwilioProvider.name, id: sid,
      marks: ["/Factors/\(sid)", passkeyMark(of: sid, in: "webauthn.create")], person: identity,
      way: "new \(kind.way)", createdAt: createdAt, expiresAt: try overdueAt(in: sandbox),
      state: status == .verified ? .approved : .pending)
  }
}

extension Factor.Kind {
  fileprivate var way: String {
    switch self {
    case .push: "push"
    case .totp: "TOTP"
    case .passkeys: "passkey"
    }
  }
}

/// What a browser's answer begins with: its `clientDataJSON` in base64, which names the ceremony and its
/// challenge first. Source: Web Authentication 5.8.1.1.
private func passkeyMark(of sid: String, in ceremony: String) -> String {
  let challenge = Base64.encodeForURL(Array(sid.utf8))
  let start = Array(#"{"type":"\#(ceremony)","challenge":"\#(challenge)"#.utf8)
  return Base64.encodeForURL(Array(start.dropLast(start.count % 3)))
}
