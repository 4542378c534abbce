import Basics
import Domain
import JSON
import ProviderKit

/// A JSON Web Token that a client has signed (RFC 7519): a client assertion, a request object, or an
/// assertion about a subscriber. Source: contract 3.2, 3.4 and 3.6.
struct ClientToken {
  static let algorithms = [JSONWebToken.Algorithm.rs256, .es256, .ps256]

  let claims: Fields
  let issuer: String?
  private let token: JSONWebToken

  /// The longest validity, in seconds.
  static let maxLifetime = 300

  /// Nil for other texts, and for algorithms without a public key.
  init?(_ text: String) {
    guard let token = JSONWebToken(text, by: Self.algorithms), let claims = try? token.claims else {
      return nil
    }
    (self.token, self.claims) = (token, claims)
    issuer = try? claims.optionalString("iss")
  }

  /// The application of a token that one aggregator's clients make.
  var application: String? { try? claims.optionalString("application_id") }

  /// True if one of a client's keys has signed the token.
  func isSigned(by client: Client, in sandbox: Sandbox) throws -> Bool {
    let accounts = try sandbox.keys[.accounts]?.publicPEM
    let keys = client.keys?.keys(in: sandbox) ?? accounts.flatMap(sandbox.publicKey(pem:)).map { [$0] } ?? []
    let id = try? token.header.optionalString("kid")
    let named = keys.filter { $0.id != nil && $0.id == id }
    return (named.isEmpty ? keys : named).contains { token.isSigned(by: $0) }
  }

  /// Empty without the claim `aud`.
  var audience: [String] { claims.audiences ?? [] }

  /// What is wrong with the times in the claims; nil if nothing is.
  ///
  /// Clients use the machine's clock, which differs from the sandbox's once a test has moved that. So a time
  /// that fits one of them is right.
  func timeProblem(_ clock: SandboxClock, needsIssue: Bool = false) -> String? {
    let (expiry, issue, start): (Timestamp, Timestamp?, Timestamp?)
    do throws(FieldError) {
      expiry = try claims.unixTime("exp")
      issue = needsIssue ? try claims.unixTime("iat") : try claims.optionalUnixTime("iat")
      start = try claims.optionalUnixTime("nbf")
    } catch {
      return "\(error)"
    }
    let longest = Duration.seconds(Self.maxLifetime)
    if let issue, expiry - issue > longest { return "valid for more than \(Self.maxLifetime) s" }
    let fits = [clock.now, clock.machineTime].contains { now in
      let begins = [needsIssue ? issue : nil, start].compactMap { $0 }
      return expiry > now && expiry - now <= longest && begins.allSatisfy { $0 <= now + .seconds(1) }
    }
    guard !fits else { return nil }
    let span = "\(start.map { "from \($0.unixSeconds) " } ?? "")until \(expiry.unixSeconds)"
    return "valid \(span); now is \(clock.now.unixSeconds)"
  }

  /// What is wrong with the end of the token; nil if it is to come by the machine's clock or the sandbox's.
  func expiryProblem(_ clock: SandboxClock) -> String? {
    do throws(FieldError) {
      let expiry = try claims.unixTime("exp")
      return expiry > min(clock.now, clock.machineTime) ? nil : "it expired at \(expiry.iso8601)"
    } catch {
      return "\(error)"
    }
  }

  /// The claim `jti`; nil if it is missing, empty or too long.
  private var number: String? {
    guard let text = try? claims.optionalString("jti"), (1...256).contains(text.utf8.count) else {
      return nil
    }
    return text
  }

  /// Notes the claim `jti`. Returns what is wrong with it; nil if it is new.
  func spend(of client: Client, in sandbox: Sandbox) throws -> String? {
    guard let number else { return "jti: expected a text of 1 to 256 bytes" }
    let key = "\(client.id) \(number)"
    guard try Self.spent.find(key, in: sandbox) == nil else { return "jti: it was used before" }
    try Self.spent.add(
      true, as: key, group: client.id, ordinal: sandbox.nextOrdinal(), keeping: Self.spentLimit, in: sandbox)
    return nil
  }

  /// The numbers of tokens that were used. They are kept for longer than tokens are valid.
  private static let spent = RecordTable<Bool>(
    "token number", of: CAMARAProvider.name, decode: { try $0.bool("spent") },
    encode: { $1.member("spent", $0) })

  private static let spentLimit = 10_000
}
