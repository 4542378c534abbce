import Crypto
import ProviderKit

/// The credential of an app for one verification, in the form of a JWT. It is derived from the verification,
/// so it is not stored. Source: contract 4.4 and 4.8.
struct MobileAppToken {
  let text: String

  init(of verification: Verification, in sandbox: Sandbox) {
    let claims = JSONWriter.object { json in
      json.member("sub", ReferenceID.text(.verification, verification.ordinal, in: sandbox))
      json.member("exp", (verification.createdAt + Self.lifetime).unixSeconds)
      // The customer selects the sandbox, as in other requests.
      if sandbox.name != Sandboxes.defaultName { json.member("iss", verification.claim.owner) }
    }
    let key = sandbox.tokenEntropy.identifier("mobile app token", verification.ordinal)
    text = JSONWebToken.sign(claims, key: key)
  }

  /// The verification of a token; nil for an unknown or expired token.
  static func verification(of text: String, in sandbox: Sandbox) throws -> Verification? {
    guard let reference = claim("sub", of: text),
      let found = try VerificationDetails.find(reference, in: sandbox)?.verification,
      constantTimeEqual(Self(of: found, in: sandbox).text, text),
      sandbox.clock.now < found.createdAt + lifetime
    else { return nil }
    return found
  }

  /// The customer of a token, not verified; nil in the default sandbox and for other texts.
  static func customer(of text: String) -> String? { claim("iss", of: text) }

  private static func claim(_ name: String, of text: String) -> String? {
    try? JSONWebToken.unverifiedClaims(of: text)?.optionalString(name)
  }

  /// Source: contract 15.
  private static let lifetime = Duration.seconds(300)
}
