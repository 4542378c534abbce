import Domain
import HTTP
import JSON
import ProviderKit

/// What a client shows to an API, and what the sandbox knows about it. Source: contract 3.8.
///
/// The client sees 32 hex digits, a dot and its own id, which tells the sandbox of the request.
struct AccessToken: Equatable, Sendable {
  /// The 32 hex digits.
  var id = ""
  var clientID = ""
  var scopes: [String] = []
  /// With its prefix `dpv:`.
  var purpose: String?
  /// The subscriber; nil for a token with two legs, which names nobody.
  var number: PhoneNumber?
  /// True if the network or the SIM card has proved the number.
  var isFromNetwork = false
  var issuedAt = Timestamp.earliest
  var expiresAt = Timestamp.earliest

  private static let schema = Schema<AccessToken>([
    .required("id", \.id, .string),
    .required("client", \.clientID, .string),
    .required("scopes", \.scopes, .array(of: .string)),
    .optional("purpose", \.purpose, .string),
    .optional("number", \.number, .phoneNumber),
    .required("fromNetwork", \.isFromNetwork, .boolean),
    .required("issuedAt", \.issuedAt, .timestamp),
    .required("expiresAt", \.expiresAt, .timestamp),
  ])

  private static let table = RecordTable("access token", of: CAMARAProvider.name, schema) { AccessToken() }

  /// Older ones are deleted.
  private static let limitPerClient = 10_000

  var isThreeLegged: Bool { number != nil }

  /// What the client sends.
  var text: String { "\(id).\(clientID)" }

  /// The client in a token's text; nil for other texts.
  static func client(in text: String) -> String? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == 32 ? String(parts[1]) : nil
  }

  /// True if the token has a scope, or one that covers it: `sim-swap` covers `sim-swap:check`.
  func covers(_ scope: String) -> Bool {
    scopes.contains { $0 == scope || !$0.contains(":") && scope.hasPrefix("\($0):") }
  }

  /// Gives the token its id and times, and keeps it.
  mutating func issue(for lifetime: Duration, in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    id = sandbox.tokenEntropy.identifier("access token", ordinal)
    issuedAt = sandbox.clock.now
    expiresAt = issuedAt + lifetime
    try Self.table.add(
      self, as: id, group: clientID, ordinal: ordinal, keeping: Self.limitPerClient, in: sandbox)
  }

  /// Nil for a text that is no token of this sandbox, or one that has expired.
  static func find(_ text: String, in sandbox: Sandbox) throws -> AccessToken? {
    guard let token = try table.find(String(text.prefix(32)), in: sandbox), token.text == text,
      sandbox.clock.now < token.expiresAt
    else { return nil }
    return token
  }

  /// The token of a request to an API. Source: contract 2.3.
  static func authenticate(_ request: Request, in sandbox: Sandbox) throws -> AccessToken {
    guard case .token(let text) = BearerToken(request.headers) else {
      throw APIError(.unauthenticated).because("expected an Authorization header with a Bearer token")
    }
    guard let token = try find(text, in: sandbox) else {
      throw APIError(.unauthenticated)
        .because("not an access token of sandbox \(sandbox.name), or one that has expired")
    }
    return token
  }
}
