import Database
import JSON

/// What a provider's client authenticates with.
package struct Credential: Equatable, Sendable {
  package let provider: String
  /// The id of an account or of a key.
  package let name: String
  package let secret: String
  /// The id of the account.
  package let account: String

  package init(provider: String, name: String, secret: String, account: String) {
    self.provider = provider
    self.name = name
    self.secret = secret
    self.account = account
  }
}

/// A verified caller, and the credential bytes of the request.
struct SignIn {
  let provider: String
  let bytes: [UInt8]
  let caller: AnyObject

  /// Compares in memory, because `==` of slices takes four times as long: a thousand instructions per
  /// request.
  func hasBytes(_ other: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      other.withUnsafeBufferPointer { other in
        guard bytes.count == other.count else { return false }
        for index in 0..<bytes.count where bytes[index] != other[index] { return false }
        return true
      }
    }
  }
}

/// The credentials of a sandbox.
@usableFromInline
package struct Accounts {
  let sandbox: Sandbox

  package func find(_ name: String, of provider: String) throws -> Credential? {
    try sandbox.shared.credentials.find(name, of: provider, in: sandbox.id)
  }

  /// All credentials of a provider, sorted by name.
  package func all(of provider: String) throws -> [Credential] {
    try sandbox.shared.credentials.all(of: provider, in: sandbox.id)
  }

  /// The caller verified last, if the request has the same credential bytes: most clients repeat them.
  @inlinable
  package func lastCaller<Caller>(signedInWith bytes: ArraySlice<UInt8>, of provider: String) -> Caller? {
    (cachedCaller(bytes, of: provider) as? Shared<Caller>)?.value
  }

  /// Caches the caller for these credential bytes until credentials change.
  @inlinable
  package func remember<Caller>(
    _ caller: Caller, signedInWith bytes: ArraySlice<UInt8>, of provider: String
  ) {
    cacheCaller(Shared(caller), bytes, of: provider)
  }

  @usableFromInline
  func cachedCaller(_ bytes: ArraySlice<UInt8>, of provider: String) -> AnyObject? {
    guard let last = sandbox.derived.lastSignIn, last.provider == provider, last.hasBytes(bytes) else {
      return nil
    }
    return last.caller
  }

  @usableFromInline
  func cacheCaller(_ caller: AnyObject, _ bytes: ArraySlice<UInt8>, of provider: String) {
    sandbox.derived.lastSignIn = SignIn(provider: provider, bytes: Array(bytes), caller: caller)
  }

  /// True if another sandbox has the credential.
  package func isTaken(_ name: String, of provider: String) throws -> Bool {
    guard let owner = try sandbox.shared.credentials.owner(of: name, provider: provider) else { return false }
    return owner != sandbox.id && owner != sandbox.replacedID
  }

  /// Throws if a seed names a credential of another sandbox. The seeds that a sandbox loads when it is
  /// created may: many sandboxes load them, and their credentials belong to the first. The error does not
  /// show the name, which can be secret.
  package func refuseTaken(_ name: String, of provider: String, at path: String) throws {
    guard !sandbox.isLoadingOwnSeeds, try isTaken(name, of: provider) else { return }
    throw FieldError(
      path: path, expected: "a credential that no other sandbox has", found: "one of another sandbox")
  }

  /// Registers credentials. Returns false, and registers none, if another sandbox has one of them.
  package func register(_ credentials: Credential...) throws -> Bool {
    for credential in credentials where try isTaken(credential.name, of: credential.provider) { return false }
    sandbox.derived.lastSignIn = nil
    for credential in credentials { try sandbox.shared.credentials.save(credential, for: sandbox.id) }
    return true
  }
}

/// The credentials of all sandboxes. Every request reads them, so they are cached in memory.
struct Credentials {
  let database: Database
  let registry: SandboxRegistry

  /// The id of the sandbox that clients reach with a credential. Those of hidden sandboxes do not count.
  func owner(of name: String, provider: String) throws -> Int? {
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
    registry.derived.credentials?.save(credential, for: sandbox)
  }

  /// Drops those of a sandbox that was hidden.
  func forget(_ sandbox: Int) { registry.derived.credentials?.removeAll(of: sandbox) }

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
