import Crypto
import ProviderKit

/// The provider tokens of a key that one of Apple's services has accepted lately. Source: contract 2;
/// https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns
struct TokenUpdates {
  /// SHA-256 of each token in hex, the newest last.
  private var tokens: [String] = []
  /// Of the newest token, in milliseconds since 1970.
  private var issuedAt = 0
  private var acceptedAt = 0

  /// The least time between two tokens.
  private static let interval = Duration.seconds(1200)
  /// As many as can be valid at once: the servers of a fleet may have tokens of different ages.
  private static let tokenLimit = 4
  /// Keys that are remembered. An open sandbox accepts any key.
  private static let keyLimit = 1000

  private static let table = RecordTable(
    "token updates", of: APNsProvider.name,
    Schema<TokenUpdates>([
      .field("tokens", \.tokens, .array(of: .string), default: []),
      .field("issuedAt", \.issuedAt, .integer, default: 0),
      .field("acceptedAt", \.acceptedAt, .integer, default: 0),
    ])
  ) { TokenUpdates() }

  /// Fails for a new token less than 20 minutes after the last one, both by `iat` and by the sandbox's clock:
  /// a test may move either.
  static func require(
    _ token: String, issuedAt: Timestamp, of key: Key, at environment: Environment?, in sandbox: Sandbox
  ) throws {
    let name = "\(key.teamID) \(key.keyID) \(environment?.rawValue ?? "")"
    let hash = Hex.encode(SHA256.hash(Array(token.utf8)))
    let now = sandbox.clock.now
    let known = try table.find(name, in: sandbox)
    var updates = known ?? TokenUpdates()
    guard !updates.tokens.contains(hash) else { return }
    if known != nil {
      let age = issuedAt - Timestamp(milliseconds: Int64(updates.issuedAt))
      let pause = now - Timestamp(milliseconds: Int64(updates.acceptedAt))
      guard max(age, pause) >= interval else { throw refusal(of: key, age) }
    }
    updates.tokens = (updates.tokens + [hash]).suffix(tokenLimit)
    (updates.issuedAt, updates.acceptedAt) = (Int(issuedAt.milliseconds), Int(now.milliseconds))
    guard known == nil else { return try table.save(updates, as: name, in: sandbox) }
    // Not the sandbox's next ordinal: the numbers of pushes do not depend on their tokens.
    let newest = try table.list(from: .before(.max), limit: 1, in: sandbox).last?.position ?? 0
    try table.add(updates, as: name, group: "", ordinal: newest + 1, keeping: keyLimit, in: sandbox)
  }

  private static func refusal(of key: Key, _ age: Duration) -> APIError {
    APIError(
      .tooManyProviderTokenUpdates,
      because:
        "a new token of key \(key.keyID), issued \(age.wholeSeconds) s after the last one; expected the "
        + "same, or one \(interval.wholeSeconds) s newer. Usual cause: a library or client that signs a token "
        + "for each push. The setting limitsTokenUpdates switches the rule off")
  }
}
