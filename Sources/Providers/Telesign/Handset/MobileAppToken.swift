import Crypto
import Domain
import JSON
import ProviderKit

/// The credential of an app for one verification, in the form of a JWT. It is derived from the verification,
/// so it is not stored. Source: contract 4.4 and 4.8.
struct MobileAppToken {
  let text: String

  init(of verification: Verification, in sandbox: Sandbox) {
    let head = JSONWriter.object { json in
      json.member("alg", "HS256")
      json.member("typ", "JWT")
    }
    let claims = JSONWriter.object { json in
      json.member("sub", referenceID(.verification, verification.ordinal, in: sandbox))
      json.member("exp", (verification.createdAt + Self.lifetime).milliseconds / 1000)
      // The customer selects the sandbox, as in other requests.
      if sandbox.name != Sandboxes.defaultName { json.member("iss", verification.claim.owner) }
    }
    // Identifiers, unlike secrets, stay the same when the random seed is changed.
    let signature = (0...1).map { part in
      sandbox.tokenEntropy.identifier("mobile app token", verification.ordinal, part)
    }.joined().prefix(43)
    text = "\(Base64.encodeForURL(head)).\(Base64.encodeForURL(claims)).\(signature)"
  }

  /// The verification of a token; nil for an unknown or expired token.
  static func verification(of text: String, in sandbox: Sandbox) throws -> Verification? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let reference = claim("sub", of: parts[1]),
      let found = try findVerification(reference, in: sandbox)?.verification,
      constantTimeEqual(Self(of: found, in: sandbox).text, text),
      sandbox.clock.now < found.createdAt + lifetime
    else { return nil }
    return found
  }

  /// The customer of a token, not verified; nil in the default sandbox and for other texts.
  static func customer(of text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 ? claim("iss", of: parts[1]) : nil
  }

  private static func claim(_ name: String, of claims: Substring) -> String? {
    let fields = Base64.decodeFromURL(claims).flatMap { try? Fields($0) }
    return try? fields?.optionalString(name)
  }

  /// Source: contract 15.
  private static let lifetime = Duration.seconds(300)
}
