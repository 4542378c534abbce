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
    try cache.credentials(of: sandbox, provider: provider)
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

/// Credentials by name, and by sandbox and provider.
struct CredentialCache {
  private var byName: [String: [(sandbox: Int, credential: Credential)]] = [:]
  /// Sorted by name.
  private var bySandbox: [Int: [String: [Credential]]] = [:]

  /// Few providers share a name.
  func entries(_ name: String) -> [(sandbox: Int, credential: Credential)] { byName[name] ?? [] }

  func credentials(of sandbox: Int) -> [Credential] {
    bySandbox[sandbox, default: [:]].values.flatMap(\.self)
  }

  func credentials(of sandbox: Int, provider: String) -> [Credential] { bySandbox[sandbox]?[provider] ?? [] }

  mutating func save(_ credential: Credential, for sandbox: Int) {
    byName[credential.name, default: []].removeAll {
      $0.sandbox == sandbox && $0.credential.provider == credential.provider
    }
    byName[credential.name, default: []].append((sandbox, credential))
    bySandbox[sandbox, default: [:]][credential.provider, default: []].save(credential)
  }

  mutating func removeAll(of sandbox: Int) {
    for credential in credentials(of: sandbox) {
      byName[credential.name]?.removeAll { $0.sandbox == sandbox }
      if byName[credential.name]?.isEmpty == true { byName[credential.name] = nil }
    }
    bySandbox[sandbox] = nil
  }
}

extension [Credential] {
  /// Inserts a credential in the order of names, or replaces the one of its name.
  fileprivate mutating func save(_ credential: Credential) {
    var (start, end) = (0, count)
    while start < end {
      let middle = (start + end) / 2
      if self[middle].name < credential.name { start = middle + 1 } else { end = middle }
    }
    let isKnown = start < count && self[start].name == credential.name
    replaceSubrange(start..<(isKnown ? start + 1 : start), with: CollectionOfOne(credential))
  }
}
