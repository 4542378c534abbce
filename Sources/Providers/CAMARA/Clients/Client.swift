import Domain
import JSON
import ProviderKit

/// How a client gets tokens. Source: contract 3.1.
enum Grant: String, CaseIterable, Sendable {
  case authorizationCode = "authorization_code"
  case refreshToken = "refresh_token"
  case clientCredentials = "client_credentials"
  case ciba = "urn:openid:params:grant-type:ciba"
  case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
}

/// An application that is registered at the operator. Source: contract 3.2.
struct Client: Equatable, Sendable {
  var id = ""
  /// Only in seeds; the sandbox stores it with its credentials.
  fileprivate var secret: String?
  /// Nil: the key `keys.accounts` of the sandbox.
  var keys: ClientKeys?
  var redirectURIs = Self.usualRedirectURIs
  var grants = Grant.allCases
  /// Nil: all.
  var scopes: [String]?
  /// Nil: all that the settings permit.
  var purposes: [String]?

  /// Those of a client that names none.
  private static let usualRedirectURIs = ["http://127.0.0.1/callback", "https://app.example.com/callback"]

  /// One of `clients` in seeds.
  static let schema = Schema<Client>(
    "CAMARAClient", "An application that is registered at the operator.",
    [
      .required("clientId", \.id, .clientID, "The id."),
      .nullable(
        "clientSecret", \.secret, .string(1...200),
        "The secret, for clients that cannot sign. A masked one, as in exports, keeps the present one."),
    ] + options)

  /// What is stored apart from id and secret.
  private static let options: [Field<Client>] = [
    .nullable(
      "keys", \.keys, .clientKeys,
      "The public keys with which it signs: one in PEM, or a JWK Set; null: the key keys.accounts of the "
        + "sandbox."),
    .field(
      "redirectUris", \.redirectURIs, .array(of: .string(1...2000), maxItems: SandboxLimits.items),
      default: usualRedirectURIs,
      "Where the authorization server may send browsers. One on 127.0.0.1 matches every port."),
    .field(
      "grants", \.grants, .distinctWords(minItems: 1), default: Grant.allCases, "How it may get tokens."),
    .nullable(
      "scopes", \.scopes, .array(of: .string(1...200), maxItems: SandboxLimits.items),
      "The scopes that it may ask for; null: all."),
    .nullable(
      "purposes", \.purposes, .array(of: .purposeName, maxItems: SandboxLimits.items),
      "The purposes that it may name, such as FraudPreventionAndDetection; null: all."),
  ]

  static func find(_ id: String, in sandbox: Sandbox) throws -> Client? {
    guard try sandbox.accounts.find(id, of: CAMARAProvider.name) != nil else { return nil }
    return try table.find(id, in: sandbox) ?? Client(withID: id)
  }

  /// By id.
  static func all(in sandbox: Sandbox) throws -> [Client] {
    try sandbox.accounts.all(of: CAMARAProvider.name).compactMap { try find($0.name, in: sandbox) }
  }

  static func isID(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isAlphanumeric || "._~-".utf8.contains($0) }
  }

  init() {}

  init(withID id: String) { self.id = id }

  /// Returns false and keeps nothing if another sandbox has the id.
  fileprivate func save(secret: String, in sandbox: Sandbox) throws -> Bool {
    let credential = Credential(provider: CAMARAProvider.name, name: id, secret: secret, account: id)
    guard try sandbox.accounts.register(credential) else { return false }
    // Most clients have no record, since their options are the defaults.
    if try Self.find(id, in: sandbox) != self { try Self.table.save(self, as: id, in: sandbox) }
    return true
  }

  private static let table = RecordTable(
    "client", of: CAMARAProvider.name,
    Schema<Client>([.required("clientId", \.id, .string)] + options)
  ) { Client() }
}

extension Client {
  /// Loads one of `clients`. A masked one of another sandbox, as in exports, is ignored: `createCredentials`
  /// makes one for this sandbox.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var client = Client()
    try schema.merge(fields, into: &client)
    var secret = client.secret ?? ""
    client.secret = nil
    if secret == maskedSecret {
      let known = try sandbox.accounts.find(client.id, of: CAMARAProvider.name)
      secret = known?.secret ?? newSecret(client.id, in: sandbox)
    } else {
      try sandbox.accounts.refuseTaken(client.id, of: CAMARAProvider.name, at: "\(fields.path).clientId")
    }
    _ = try client.save(secret: secret, in: sandbox)
  }

  /// The client as in seeds, its secret masked.
  func seed(in sandbox: Sandbox) throws -> JSON {
    var masked = self
    let hasSecret = try sandbox.accounts.find(id, of: CAMARAProvider.name)?.secret.isEmpty == false
    masked.secret = hasSecret ? maskedSecret : nil
    return try JSON(
      parsing: JSONWriter.object { Self.schema.writeDifferences(masked, from: Client(), to: &$0) })
  }

  /// Gives a sandbox a client, unless seeds have.
  static func createDefault(in sandbox: Sandbox) throws {
    guard try all(in: sandbox).isEmpty else { return }
    try generateUnique { suffix in
      let label = "client of \(sandbox.name)\(suffix)"
      let client = Client(
        withID: "app-" + sandbox.credentialName(label, length: 16, of: .hex))
      return try client.save(secret: newSecret(client.id, in: sandbox), in: sandbox)
    }
  }

  private static func newSecret(_ id: String, in sandbox: Sandbox) -> String {
    sandbox.entropy.secret("secret of \(id)", length: 32, of: .alphanumeric)
  }
}

extension FieldType where Value == String {
  fileprivate static var clientID: FieldType {
    .text(
      .string(pattern: "^[A-Za-z0-9._~-]{1,100}$"), expected: "up to 100 letters, digits and ._~-"
    ) { Client.isID($0) }
  }

  /// A purpose without its prefix `dpv:`. Source: contract 3.3.
  static var purposeName: FieldType {
    .text(
      .string(pattern: "^[A-Za-z0-9]{1,100}$"), expected: "a purpose such as FraudPreventionAndDetection",
      Purpose.isName)
  }
}
