import Domain
import JSON
import ProviderKit

/// A group of the provider's products. Source: contract 2.3.
enum Solution: String, CaseIterable {
  case unify
  case identity
  case verify
  case identityManager
}

/// Credentials of a back end, and what they may use. Source: contract 2.3.
struct Client: Equatable, Sendable {
  var id = ""
  /// Only in seeds; the sandbox stores it with its credentials.
  fileprivate var secret = ""
  var solutions = Solution.allCases
  var mobileAuth = true
  var phoneNumberChange = true
  var instantLinkMobile = true
  var deviceContext = true
  var preFill = true
  var kyc = false

  /// One of `clients` in seeds.
  static let schema = Schema<Client>(
    "ProveClient", "Credentials of a back end, and what they may use.",
    [
      .required("clientId", \.id, .string(1...200), "The id."),
      .required(
        "clientSecret", \.secret, .string(1...200),
        "The secret. A masked secret, as in exports, keeps the present one."),
    ] + options)

  /// What is stored apart from id and secret.
  private static let options: [Field<Client>] = [
    .field(
      "solutions", \.solutions, .distinctWords(minItems: 1), default: Solution.allCases,
      "The products whose test users it may use."),
    .field("mobileAuth", \.mobileAuth, .boolean, default: true, "Whether Mobile Auth is attempted."),
    .field(
      "phoneNumberChange", \.phoneNumberChange, .boolean, default: true,
      "Whether people may enter another number."),
    .field(
      "instantLinkMobile", \.instantLinkMobile, .boolean, default: true,
      "Whether apps on handsets may use Instant Link."),
    .field(
      "deviceContext", \.deviceContext, .boolean, default: true,
      "Whether a device that lost its key may recover it."),
    .field(
      "preFill", \.preFill, .boolean, default: true,
      "Whether start begins Pre-Fill. False: the Identity flow, which has no challenge."),
    .field("kyc", \.kyc, .boolean, default: false, "Whether results of Pre-Fill contain idv and kyc."),
  ]

  static func find(_ id: String, in sandbox: Sandbox) throws -> Client? {
    guard try sandbox.accounts.find(id, of: ProveProvider.name) != nil else { return nil }
    if let stored = try table.find(id, in: sandbox) { return stored }
    var client = Client()
    client.id = id
    return client
  }

  /// By id.
  static func all(in sandbox: Sandbox) throws -> [Client] {
    try sandbox.accounts.all(of: ProveProvider.name).compactMap { try find($0.name, in: sandbox) }
  }

  /// Returns false and keeps nothing if another sandbox has the id.
  func save(secret: String, in sandbox: Sandbox) throws -> Bool {
    let credential = Credential(provider: ProveProvider.name, name: id, secret: secret, account: id)
    guard try sandbox.accounts.register(credential) else { return false }
    // Most clients have no record, since their options are the defaults.
    if try Self.find(id, in: sandbox) != self { try Self.table.save(self, as: id, in: sandbox) }
    return true
  }

  private static let table = RecordTable(
    "client", of: ProveProvider.name,
    Schema<Client>([.required("clientId", \.id, .string)] + options)
  ) { Client() }
}

extension Client {
  /// Loads one of `clients`. A masked one of another sandbox, as in exports, is ignored: `createCredentials`
  /// makes one for this sandbox.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var client = Client()
    try schema.merge(fields, into: &client)
    var secret = client.secret
    client.secret = ""
    if secret == maskedSecret {
      let known = try sandbox.accounts.find(client.id, of: ProveProvider.name)
      secret = known?.secret ?? newSecret(client.id, in: sandbox)
    } else {
      try sandbox.accounts.refuseTaken(client.id, of: ProveProvider.name, at: "\(fields.path).clientId")
    }
    _ = try client.save(secret: secret, in: sandbox)
  }

  /// The client as in seeds, its secret masked.
  var seed: JSON {
    get throws {
      var masked = self
      masked.secret = maskedSecret
      return try JSON(
        parsing: JSONWriter.object { Self.schema.writeDifferences(masked, from: Client(), to: &$0) })
    }
  }

  /// Gives a sandbox a client, unless seeds have.
  static func createDefault(in sandbox: Sandbox) throws {
    guard try all(in: sandbox).isEmpty else { return }
    try generateUnique { suffix in
      var client = Client()
      client.id = sandbox.credentialName("client of \(sandbox.name)\(suffix)", length: 24, of: .alphanumeric)
      return try client.save(secret: newSecret(client.id, in: sandbox), in: sandbox)
    }
  }

  private static func newSecret(_ id: String, in sandbox: Sandbox) -> String {
    sandbox.entropy.secret("secret of \(id)", length: 32, of: .alphanumeric)
  }
}
