import Database
import JSON

/// The credentials of all sandboxes. Every request reads them, so they are cached in memory.
package struct CredentialStore {
  let database: Database
  let registry: SandboxRegistry

  /// The id of the sandbox that clients reach with a credential. Those of hidden sandboxes do not count.
  package func owner(of name: String, provider: String) throws -> Int? {
    try cache.entries(name).first {
      $0.credential.provider == provider && registry.members.byID[$0.sandbox] != nil
    }?.sandbox
  }

  func find(_ name: String, of provider: String, in sandbox: Int) throws -> Credential? {
    try cache.entries(name).first { $0.sandbox == sandbox && $0.credential.provider == provider }?.credential
  }

  func all(of provider: String, in sandbox: Int) throws -> [Credential] {
    try cache.credentials(of: sandbox).filter { $0.provider == provider }.sorted { $0.name < $1.name }
  }

  /// Throws if another sandbox has a credential of this one.
  func requireFree(_ sandbox: Int) throws {
    for credential in try cache.credentials(of: sandbox) {
      guard let owner = try owner(of: credential.name, provider: credential.provider), owner != sandbox else {
        continue
      }
      throw FieldError(
        path: "credentials", expected: "credentials that no other sandbox has",
        found: "\(credential.provider) \(credential.name)")
    }
  }

  func save(_ credential: Credential, for sandbox: Int) throws {
    try database.run(
      """
      INSERT INTO credentials (sandbox, provider, name, secret, account) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (sandbox, provider, name) DO UPDATE SET secret = excluded.secret, account = excluded.account
      """,
      sandbox, credential.provider, credential.name, credential.secret, credential.account)
    registry.change { $0.credentials?.save(credential, for: sandbox) }
  }

  /// Drops those of a sandbox that was hidden.
  func forget(_ sandbox: Int) { registry.change { $0.credentials?.removeAll(of: sandbox) } }

  /// Call this after rows were written without `save`.
  package func readAgain() { registry.change { $0.credentials = nil } }

  private var cache: CredentialCache {
    get throws {
      if let cached = registry.derived.credentials { return cached }
      var loaded = CredentialCache()
      let rows = try database.all(
        """
        SELECT c.provider, c.name, secret, account, sandbox FROM credentials AS c JOIN sandboxes AS s ON s.id = sandbox
        WHERE s.name < '~' OR sandbox IN (SELECT value FROM json_each(?))
        """, "[\(registry.buildingIDs.map(String.init).joined(separator: ","))]"
      ) { row in
        (
          row.int(4),
          Credential(provider: row.text(0), name: row.text(1), secret: row.text(2), account: row.text(3))
        )
      }
      for (sandbox, credential) in rows { loaded.save(credential, for: sandbox) }
      registry.derived.credentials = loaded
      return loaded
    }
  }
}

/// Credentials by name, and the names by sandbox.
struct CredentialCache {
  private var byName: [String: [(sandbox: Int, credential: Credential)]] = [:]
  private var names: [Int: Set<String>] = [:]

  /// Few providers share a name.
  func entries(_ name: String) -> [(sandbox: Int, credential: Credential)] { byName[name] ?? [] }

  func credentials(of sandbox: Int) -> [Credential] {
    (names[sandbox] ?? []).flatMap { name in
      entries(name).filter { $0.sandbox == sandbox }.map(\.credential)
    }
  }

  mutating func save(_ credential: Credential, for sandbox: Int) {
    byName[credential.name, default: []].removeAll {
      $0.sandbox == sandbox && $0.credential.provider == credential.provider
    }
    byName[credential.name, default: []].append((sandbox, credential))
    names[sandbox, default: []].insert(credential.name)
  }

  mutating func removeAll(of sandbox: Int) {
    for name in names.removeValue(forKey: sandbox) ?? [] {
      byName[name]?.removeAll { $0.sandbox == sandbox }
      if byName[name]?.isEmpty == true { byName[name] = nil }
    }
  }
}
