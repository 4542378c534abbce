import Database

/// Who may call the providers of a sandbox.
package struct Accounts {
  /// A name and secret that a provider's client signs in with.
  package struct Credential: Equatable, Sendable {
    /// The provider.
    package let provider: String
    /// The user name: an account's or a key's id.
    package let name: String
    /// The password.
    package let secret: String
    /// The account it acts for.
    package let account: String

    /// A credential from its parts.
    package init(provider: String, name: String, secret: String, account: String) {
      self.provider = provider
      self.name = name
      self.secret = secret
      self.account = account
    }
  }

  let sandbox: Sandbox

  /// The credential of this name with a provider.
  package func find(_ name: String, of provider: String) throws -> Credential? {
    try sandbox.database.first(
      "SELECT name, secret, account FROM credentials WHERE provider = ? AND name = ? AND sandbox = ?",
      provider, name, sandbox.id
    ) { Credential(provider: provider, name: $0.text(0), secret: $0.text(1), account: $0.text(2)) }
  }

  /// All credentials with a provider, by name.
  package func all(of provider: String) throws -> [Credential] {
    try sandbox.database.all(
      "SELECT name, secret, account FROM credentials WHERE provider = ? AND sandbox = ? ORDER BY name",
      provider, sandbox.id
    ) { Credential(provider: provider, name: $0.text(0), secret: $0.text(1), account: $0.text(2)) }
  }

  /// Lets a credential in; says false when it belongs to another sandbox.
  package func admit(_ credential: Credential) throws -> Bool {
    try sandbox.database.run(
      """
      INSERT INTO credentials (provider, name, sandbox, secret, account) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (provider, name) DO UPDATE SET secret = excluded.secret, account = excluded.account
        WHERE sandbox = excluded.sandbox
      """,
      credential.provider, credential.name, sandbox.id, credential.secret, credential.account)
    return sandbox.database.changes > 0
  }
}
