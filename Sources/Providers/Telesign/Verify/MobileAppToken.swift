import Crypto
import Domain
import JSON
import ProviderKit

/// What an app signs in with to act for one verification: three parts like those of a JWT. Source: contract
/// 4.4 and 4.8. It follows from the verification, so no row holds it.
struct MobileAppToken {
  /// The token.
  let text: String
  private let verification: Verification

  /// The token of a verification.
  init(of verification: Verification, in sandbox: Sandbox) {
    self.verification = verification
    let head = JSONWriter.object { json in
      json.member("alg", "HS256")
      json.member("typ", "JWT")
    }
    let claims = JSONWriter.object { json in
      json.member("sub", referenceID(.verification, verification.ordinal, in: sandbox))
      json.member("exp", (verification.createdAt + Self.lifetime).milliseconds / 1000)
    }
    // Of identifiers, which stay when another number is put behind secrets to come.
    let seal = (0...1).map { part in
      sandbox.entropy.identifier("mobile app token", verification.ordinal, part)
    }.joined().prefix(43)
    text = "\(Base64.encodeForURL(head)).\(Base64.encodeForURL(claims)).\(seal)".filter { $0 != "=" }
  }

  /// The verification that a token acts for at this time; nil for a token that nobody gave out, or that is too
  /// old.
  static func verification(of text: String, in sandbox: Sandbox) throws -> Verification? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let reference = subject(of: parts[1]),
      let found = try findVerification(reference, in: sandbox)?.verification,
      constantTimeEqual(Self(of: found, in: sandbox).text, text),
      sandbox.clock.now < found.createdAt + lifetime
    else { return nil }
    return found
  }

  private static func subject(of claims: Substring) -> String? {
    let padded = String(claims) + String(repeating: "=", count: (4 - claims.utf8.count % 4) % 4)
    let standard = padded.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    guard let bytes = Base64.decode(String(standard)), let fields = try? Fields(bytes) else { return nil }
    return try? fields.optionalString("sub")
  }

  /// Source: contract 15.
  private static let lifetime = Duration.seconds(300)
}
