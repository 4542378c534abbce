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

/// A sign-in that was proven: by which bytes of a request, and who it was.
struct SignIn {
  let provider: String
  let bytes: [UInt8]
  let caller: AnyObject
}

/// Who may call the providers of a sandbox.
@usableFromInline
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

  /// Who was proven to sign in with these very bytes last; clients send the same ones with every request.
  @inlinable
  package func lastCaller<Caller>(signedInWith bytes: ArraySlice<UInt8>, of provider: String) -> Caller? {
    (recall(bytes, of: provider) as? Shared<Caller>)?.value
  }

  /// Remembers who signs in with these bytes, until credentials change.
  @inlinable
  package func remember<Caller>(
    _ caller: Caller, signedInWith bytes: ArraySlice<UInt8>, of provider: String
  ) {
    note(Shared(caller), bytes, of: provider)
  }

  @usableFromInline
  func recall(_ bytes: ArraySlice<UInt8>, of provider: String) -> AnyObject? {
    guard let last = sandbox.derived.lastSignIn, last.bytes[...] == bytes, last.provider == provider else {
      return nil
    }
    return last.caller
  }

  @usableFromInline
  func note(_ caller: AnyObject, _ bytes: ArraySlice<UInt8>, of provider: String) {
    sandbox.derived.lastSignIn = SignIn(provider: provider, bytes: Array(bytes), caller: caller)
  }

  /// Lets credentials in that belong together; says false, and lets none in, when another sandbox has one of them.
  package func admit(_ credentials: Credential...) throws -> Bool {
    let areFree = try credentials.allSatisfy { credential in
      let known = try sandbox.credentials.find(credential.name, of: credential.provider)
      return known == nil || known?.sandbox == sandbox.id
    }
    guard areFree else { return false }
    sandbox.derived.lastSignIn = nil
    for credential in credentials { try sandbox.credentials.admit(credential, to: sandbox.id) }
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

  func admit(_ credential: Credential, to sandbox: Int) throws {
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
