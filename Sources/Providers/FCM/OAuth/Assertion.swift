import Crypto
import Domain
import JSON
import ProviderKit

/// What a service account signs to get an access token: a JSON Web Token. Source: contract 1.4; RFC 7523.
struct Assertion {
  /// The account: `iss`.
  let issuer: String
  /// What the token is to be good for, in words.
  let scopes: [Substring]
  /// When it was signed and when it ends, in seconds since 1970.
  let (issuedAt, expiresAt): (Int, Int)
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// The most bytes that are looked at.
  private static let limit = 16 << 10
  /// Seconds since 1970 that may be meant: some ten thousand years.
  private static let times = 0...1 << 38
  /// How far the clocks of both sides may be apart, in seconds.
  private static let leeway = 300
  /// How long an assertion may be worth something, in seconds.
  private static let longest = 3600

  /// Reads an assertion; whether the signature is right is not looked at.
  init(_ text: String) throws(OAuthProblem) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.limit, parts.count == 3 else {
      throw .malformedAssertion("an assertion has three parts with points between them")
    }
    do {
      guard let head = Base64.decodeFromURL(parts[0]), let claims = Base64.decodeFromURL(parts[1]),
        let signature = Base64.decodeFromURL(parts[2])
      else { throw OAuthProblem.malformedAssertion("its parts are base64 in the alphabet of URLs") }
      guard try Fields(head).string("alg") == "RS256" else {
        throw OAuthProblem.malformedAssertion("it is to be signed by RS256")
      }
      let fields = try Fields(claims)
      issuer = try fields.string("iss")
      scopes = try (fields.optionalString("scope") ?? "").split(separator: " ")
      (issuedAt, expiresAt) = (try fields.int("iat"), try fields.int("exp"))
      guard Self.times.contains(issuedAt), Self.times.contains(expiresAt) else {
        throw OAuthProblem.malformedAssertion("iat and exp are seconds since 1970")
      }
      self.signature = signature
    } catch let problem as OAuthProblem {
      throw problem
    } catch {
      throw .malformedAssertion("\(error)")
    }
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// Whether a key has signed it.
  func isSigned(by key: String) -> Bool {
    RSAPublicKey(pem: key)?.accepts(pkcs1Signature: signature, of: signed) ?? false
  }

  /// Judges its times. Clients take them from the machine's clock: where the sandbox's is another one, the time that
  /// they span is all there is to judge. Source: `Docs/Decisions/0029-fcm-and-host-bound-routes.md`
  func judgeTimes(by clock: SandboxClock) throws(OAuthProblem) {
    guard expiresAt > issuedAt, expiresAt - issuedAt <= Self.longest else {
      throw .wrongTime(
        "it is good from \(issuedAt) to \(expiresAt): more than an hour, or less than nothing")
    }
    guard case .real = clock.mode else { return }
    let now = Int(clock.now.milliseconds / 1000)
    guard issuedAt <= now + Self.leeway, expiresAt >= now - Self.leeway else {
      throw .wrongTime("it is good from \(issuedAt) to \(expiresAt), and now is \(now)")
    }
  }
}
