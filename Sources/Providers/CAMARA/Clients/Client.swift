import Basics
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
struct Client: SeededClient {
  static let provider = CAMARAProvider.name

  var id = ""
  /// Empty for a client that signs.
  var secret = ""
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
      .computed(
        "clientSecret", .string(1...200), .nullable,
        "The secret, for clients that cannot sign. A masked one, as in exports, keeps the present one.",
        get: { $0.secret.isEmpty ? nil : $0.secret }, set: { $0.secret = $1 ?? "" }),
    ] + options)

  static let table = RecordTable(
    "client", of: provider, Schema<Client>([.required("clientId", \.id, .string)] + options)
  ) { Client() }

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

  static func newID(_ label: String, in sandbox: Sandbox) -> String {
    "app-" + sandbox.credentialName(label, length: 16, of: .hex)
  }

  /// A client, or an application of a provider that resells these APIs. Source: contract 15.
  static func known(_ id: String, in sandbox: Sandbox) throws -> Client? {
    if let client = try find(id, in: sandbox) { return client }
    guard let application = try sandbox.networkClient(id) else { return nil }
    var client = Client(withID: application.id)
    client.keys = application.publicKey.map { .pem($0) }
    client.redirectURIs = application.redirectURIs ?? client.redirectURIs
    return client
  }

  /// An open sandbox accepts unknown clients.
  static func unknown(_ id: String, in sandbox: Sandbox) throws -> Client {
    guard sandbox.acceptsUnknownAccounts, isID(id) else {
      throw OAuthError(.invalidClient, "Unknown client.").because(
        "no client \(id) in sandbox \(sandbox.name)")
    }
    return Client(withID: id)
  }

  func require(_ grant: Grant) throws(OAuthError) {
    guard grants.contains(grant) else {
      throw OAuthError(.unauthorizedClient, "The client may not use this grant.")
        .because("client \(id) has no grant \(grant.rawValue)")
    }
  }

  static func isID(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isAlphanumeric || "._~-".utf8.contains($0) }
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
      .string(pattern: "^[A-Za-z0-9]{1,100}$"), expected: "a purpose such as FraudPreventionAndDetection"
    ) { Consent.isPurposeName($0) }
  }
}
