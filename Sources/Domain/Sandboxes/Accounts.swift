import Database

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

/// Who may call the providers of a sandbox.
package struct Accounts {
  let sandbox: Sandbox

  /// The credential of this name with a provider.
  package func find(_ name: String, of provider: String) throws -> Credential? {
    guard let entry = try sandbox.credentials.find(name, of: provider), entry.sandbox == sandbox.id else {
      return nil
    }
    return entry.credential
  }

  /// All credentials with a provider, by name.
  package func all(of provider: String) throws -> [Credential] {
    try sandbox.credentials.all(of: provider, in: sandbox.id)
  }

  /// Lets a credential in; says false when it belongs to another sandbox.
  package func admit(_ credential: Credential) throws -> Bool {
    try sandbox.credentials.admit(credential, to: sandbox.id)
  }
}

/// The credentials of all sandboxes: rows, with a copy in memory that every request looks into.
///
/// A class because all sandboxes share the one copy.
final class Credentials {
  private struct Key: Hashable {
    let provider: String
    let name: String
  }

  private let database: Connection
  private var copy: [Key: (sandbox: Int, credential: Credential)]?

  init(in database: Connection) {
    self.database = database
  }

  func find(_ name: String, of provider: String) throws -> (sandbox: Int, credential: Credential)? {
    try entries[Key(provider: provider, name: name)]
  }

  func all(of provider: String, in sandbox: Int) throws -> [Credential] {
    try entries.values.filter { $0.sandbox == sandbox && $0.credential.provider == provider }
      .map(\.credential).sorted { $0.name < $1.name }
  }

  func admit(_ credential: Credential, to sandbox: Int) throws -> Bool {
    let key = Key(provider: credential.provider, name: credential.name)
    if let known = try entries[key], known.sandbox != sandbox { return false }
    try database.run(
      """
      INSERT INTO credentials (provider, name, sandbox, secret, account) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (provider, name) DO UPDATE SET secret = excluded.secret, account = excluded.account
      """,
      credential.provider, credential.name, sandbox, credential.secret, credential.account)
    copy?[key] = (sandbox, credential)
    return true
  }

  /// Forgets those of a sandbox that has been removed.
  func forget(_ sandbox: Int) {
    copy = copy?.filter { $0.value.sandbox != sandbox }
  }

  /// Lets go of the copy in memory: the rows may have changed under it.
  func forgetCopy() {
    copy = nil
  }

  private var entries: [Key: (sandbox: Int, credential: Credential)] {
    get throws {
      if let copy { return copy }
      let rows = try database.all("SELECT provider, name, secret, account, sandbox FROM credentials") { row in
        let credential = Credential(
          provider: row.text(0), name: row.text(1), secret: row.text(2), account: row.text(3))
        return (Key(provider: row.text(0), name: row.text(1)), (sandbox: row.int(4), credential: credential))
      }
      let loaded = Dictionary(uniqueKeysWithValues: rows)
      copy = loaded
      return loaded
    }
  }
}
