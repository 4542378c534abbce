/// An application that signs in with an id and a secret, as seeds have it. The secret is one of the sandbox's
/// credentials, the rest is a record.
package protocol SeededClient: Equatable, Sendable {
  static var provider: String { get }
  /// One of `clients` in seeds.
  static var schema: Schema<Self> { get }
  /// By id, without secrets.
  static var table: RecordTable<Self> { get }
  static func newID(_ label: String, in sandbox: Sandbox) -> String

  var id: String { get set }
  /// Only in seeds. Empty for a client that has none.
  var secret: String { get set }

  init()
}

extension SeededClient {
  package init(withID id: String) {
    self.init()
    self.id = id
  }

  package static func find(_ id: String, in sandbox: Sandbox) throws -> Self? {
    guard try sandbox.accounts.find(id, of: provider) != nil else { return nil }
    return try table.find(id, in: sandbox) ?? Self(withID: id)
  }

  /// By id.
  package static func all(in sandbox: Sandbox) throws -> [Self] {
    try sandbox.accounts.all(of: provider).compactMap { try find($0.name, in: sandbox) }
  }

  /// Returns false and keeps nothing if another sandbox has the id.
  package func save(in sandbox: Sandbox) throws -> Bool {
    let credential = Credential(provider: Self.provider, name: id, secret: secret, account: id)
    guard try sandbox.accounts.register(credential) else { return false }
    var record = self
    record.secret = ""
    // Most clients have no record, since their options are the defaults.
    if try Self.find(id, in: sandbox) != record { try Self.table.save(record, as: id, in: sandbox) }
    return true
  }

  /// Loads one of `clients`.
  private static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var client = Self()
    try schema.merge(fields, into: &client)
    try sandbox.accounts.refuseTaken(client.id, of: provider, at: "\(fields.path).clientId")
    if client.secret == maskedSecret {
      let known = try sandbox.accounts.find(client.id, of: provider)
      client.secret = known?.secret ?? newSecret(client.id, in: sandbox)
    }
    // One that another sandbox has is left out: `createDefault` makes one for this sandbox.
    _ = try client.save(in: sandbox)
  }

  /// Those of a sandbox in seeds. No other sandbox may have them.
  package static func seed(_ name: String, _ summary: String) -> SeedMember {
    .records(name, schema, summary, omitting: Self(), load: { try load($0, into: $1) }) { sandbox in
      try all(in: sandbox).map { client in
        var masked = client
        let hasSecret = try sandbox.accounts.find(client.id, of: provider)?.secret.isEmpty == false
        masked.secret = hasSecret ? maskedSecret : ""
        return masked
      }
    }
  }

  /// Gives a sandbox a client, unless seeds have.
  package static func createDefault(in sandbox: Sandbox) throws {
    guard try all(in: sandbox).isEmpty else { return }
    try generateUnique { suffix in
      var client = Self(withID: newID("client of \(sandbox.name)\(suffix)", in: sandbox))
      client.secret = newSecret(client.id, in: sandbox)
      return try client.save(in: sandbox)
    }
  }

  private static func newSecret(_ id: String, in sandbox: Sandbox) -> String {
    sandbox.entropy.secret("secret of \(id)", length: 32, of: .alphanumeric)
  }
}

extension Seeded {
  /// A sandbox's credentials by their names.
  package static func credentialsByName(of sandbox: Sandbox) throws -> [String: String] {
    Dictionary(try credentials(of: sandbox).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }
}

/// Generates credentials for a new sandbox, and generates others if a seed gave the same to another sandbox.
///
/// `register` generates them from its labels with this suffix. It returns false if another sandbox has them.
package func generateUnique(_ register: (_ suffix: String) throws -> Bool) rethrows {
  var suffix = ""
  while try !register(suffix) { suffix += " again" }
}
