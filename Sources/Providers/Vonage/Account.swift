import Crypto
import ProviderKit

/// The account's key with its secrets. A sandbox has one account. Source: contract 1 and 7.
struct AccountSecrets: Equatable {
  var key: String
  /// For requests.
  var api: String
  /// Signs webhooks.
  var signature: String

  init(key: String, api: String, signature: String) {
    self.key = key
    self.api = api
    self.signature = signature
  }

  /// With secrets that follow from a label.
  static func new(_ key: String, _ label: String, in sandbox: Sandbox) -> AccountSecrets {
    AccountSecrets(
      key: key, api: sandbox.entropy.secret("API secret, \(label)", length: 16, of: .alphanumeric),
      signature: sandbox.entropy.secret("signature secret, \(label)", length: 32, of: .alphanumeric))
  }

  /// The secrets are kept in one text, separated by a space.
  init(_ credential: Credential) {
    let secret = credential.secret.utf8
    let end = secret.firstIndex(of: UInt8(ascii: " ")) ?? secret.endIndex
    self.init(
      key: credential.name, api: String(Substring(secret[..<end])),
      signature: String(Substring(secret[end...].dropFirst())))
  }

  static func current(in sandbox: Sandbox) throws -> AccountSecrets? {
    try sandbox.accounts.all(of: VonageProvider.name).first { $0.name == $0.account }.map(AccountSecrets.init)
  }

  /// False if another sandbox has the key.
  func register(in sandbox: Sandbox) throws -> Bool {
    try sandbox.accounts.register(
      Credential(provider: VonageProvider.name, name: key, secret: "\(api) \(signature)", account: key))
  }
}

/// An application of the account: it signs requests, and its status URL gets webhooks. Source: contract 1.
struct Application: Equatable, Sendable {
  /// A UUID.
  var id = ""
  /// In PEM; nil for the sandbox's own key.
  var publicKey: String?
  var statusURL: String?
  var inboundURL: String?
  /// Where the front end of Network APIs may send browsers; nil: the usual ones of the operator's clients.
  var redirectURIs: [String]?

  static let schema = Schema<Application>(
    "VonageApplication", "An application of the account. One with a known id is changed.",
    [
      .required("id", \.id, .uuid, "The application's id: a UUID."),
      .optional(
        "publicKey", \.publicKey,
        .text(.string(), expected: "a public RSA key in PEM") { RSAPublicKey(pem: $0) != nil },
        "The public RSA key of its tokens, in PEM; null: the key keys.accounts of the sandbox."),
      .optional(
        "statusUrl", \.statusURL,
        url, "Where the webhooks of its verifications and messages are sent; null: nowhere."),
      .optional(
        "inboundUrl", \.inboundURL, url,
        "Where texts go that people send to the senders of its messages; null: nowhere."),
      .optional(
        "redirectUris", \.redirectURIs, .array(of: .string(1...2000), maxItems: SandboxLimits.items),
        "Where Number Verification may send browsers; null: http://127.0.0.1/callback with any port, and "
          + "https://app.example.com/callback."),
    ])

  private static let url = FieldType<String>.text(
    .string(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]"), expected: "an http or https URL"
  ) { AbsoluteURL($0) != nil }

  private static let table = RecordTable("application", of: VonageProvider.name, schema) { Application() }

  static func find(_ id: String, in sandbox: Sandbox) throws -> Application? {
    try table.find(id.lowercased(), in: sandbox)
  }

  static func all(in sandbox: Sandbox) throws -> [Application] { try table.all(in: sandbox) }

  /// Loads one of `applications`. One that another sandbox has is left out: `createCredentials` makes one for
  /// this sandbox.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    let id = try fields.value("id", .uuid)
    try sandbox.accounts.refuseTaken(id.lowercased(), of: VonageProvider.name, at: "\(fields.path).id")
    var application = try find(id, in: sandbox) ?? Application()
    try schema.merge(fields, into: &application)
    _ = try application.save(in: sandbox)
  }

  /// False if another sandbox has the application.
  func save(in sandbox: Sandbox) throws -> Bool {
    let key = id.lowercased()
    guard
      try sandbox.accounts.register(
        Credential(provider: VonageProvider.name, name: key, secret: "", account: "application"))
    else { return false }
    if try Self.find(key, in: sandbox) == nil { try Self.table.requireRoom(in: sandbox) }
    // Seeds use no ordinals of the sandbox, so that the ids of what follows do not depend on them.
    let position = try Self.all(in: sandbox).count + 1
    try Self.table.save(self, as: key, ordinal: position, in: sandbox)
    return true
  }
}
