import Database

/// Counts the revoked tokens of each sandbox name. The count stays when the sandbox is deleted, so a sandbox
/// that is created again under the name does not accept a revoked token.
struct RevokedTokens {
  let database: Database

  func count(of name: String) throws -> Int {
    try database.first("SELECT count FROM revoked_tokens WHERE name = ?", name) { $0.int(0) } ?? 0
  }

  func save(_ count: Int, of name: String) throws {
    guard count > 0 else { return }
    try database.run(
      """
      INSERT INTO revoked_tokens (name, count) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET count = max(count, excluded.count)
      """, name, count)
  }

  /// A configuration with all revocations of the name.
  func completing(_ configuration: Sandbox.Configuration, of name: String) throws -> Sandbox.Configuration {
    var complete = configuration
    complete.revokedTokens = max(configuration.revokedTokens, try count(of: name))
    return complete
  }
}
