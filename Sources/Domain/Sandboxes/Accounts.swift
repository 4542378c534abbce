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

  /// Compares in memory, because `==` of slices takes four times as long: a thousand instructions per request.
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
    guard let entry = try sandbox.credentials.find(name, of: provider), entry.sandbox == sandbox.id else {
      return nil
    }
    return entry.credential
  }

  /// All credentials of a provider, sorted by name.
  package func all(of provider: String) throws -> [Credential] {
    try sandbox.credentials.all(of: provider, in: sandbox.id)
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
    guard let entry = try sandbox.credentials.find(name, of: provider) else { return false }
    return entry.sandbox != sandbox.id
  }

  /// Throws if a seed names a credential of another sandbox. The seeds that a sandbox loads when it is created may: many
  /// sandboxes load them, and their credentials belong to the first. The error does not show the name, which can be secret.
  package func refuseTaken(_ name: String, of provider: String, at path: String) throws {
    guard !sandbox.isLoadingOwnSeeds, try isTaken(name, of: provider) else { return }
    throw FieldError(
      path: path, expected: "a credential that no other sandbox has", found: "one of another sandbox")
  }

  /// Registers credentials. Returns false, and registers none, if another sandbox has one of them.
  package func register(_ credentials: Credential...) throws -> Bool {
    for credential in credentials where try isTaken(credential.name, of: credential.provider) { return false }
    sandbox.derived.lastSignIn = nil
    for credential in credentials { try sandbox.credentials.save(credential, for: sandbox.id) }
    return true
  }
}

/// The credentials of all sandboxes. Every request reads them, so they are cached in memory.
struct Credentials {
  /// A credential, and the id of its sandbox.
  typealias Entry = (sandbox: Int, credential: Credential)

  let database: Database
  let registry: SandboxRegistry

  func find(_ name: String, of provider: String) throws -> Entry? {
    try entries[name]?.first { $0.credential.provider == provider }
  }

  func all(of provider: String, in sandbox: Int) throws -> [Credential] {
    try entries.values.joined().filter { $0.sandbox == sandbox && $0.credential.provider == provider }
      .map(\.credential).sorted { $0.name < $1.name }
  }

  func save(_ credential: Credential, for sandbox: Int) throws {
    try database.run(
      """
      INSERT INTO credentials (provider, name, sandbox, secret, account) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (provider, name) DO UPDATE SET secret = excluded.secret, account = excluded.account
      """,
      credential.provider, credential.name, sandbox, credential.secret, credential.account)
    registry.derived.credentials?[credential.name, default: []].removeAll {
      $0.credential.provider == credential.provider
    }
    registry.derived.credentials?[credential.name, default: []].append((sandbox, credential))
  }

  /// By name. Few providers share one.
  private var entries: [String: [Entry]] {
    get throws {
      if let cached = registry.derived.credentials { return cached }
      let entries: [Entry] = try database.all(
        "SELECT provider, name, secret, account, sandbox FROM credentials"
      ) { row in
        let credential = Credential(
          provider: row.text(0), name: row.text(1), secret: row.text(2), account: row.text(3))
        return (sandbox: row.int(4), credential: credential)
      }
      let loaded = Dictionary(grouping: entries, by: \.credential.name)
      registry.derived.credentials = loaded
      return loaded
    }
  }
}
