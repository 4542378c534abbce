import Crypto
import ProviderKit

/// A key of a team, which signs provider tokens. Source: contract 2;
/// https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns
struct Key: Equatable {
  var teamID = ""
  var keyID = ""
  /// In PEM; nil for a key that the sandbox generates.
  var publicKey: String?
  /// The bundle ids to which it may push; nil for all of the team.
  var topics: [String]?
  /// Nil: both.
  var environment: Environment?

  /// One of `keys` in seeds.
  static let schema = Schema<Key>(
    "APNsKey", "A key that signs provider tokens.",
    [
      .required("teamId", \.teamID, .appleID, "The team: iss of provider tokens."),
      .required("keyId", \.keyID, .appleID, "The key's id: kid of provider tokens."),
      .nullable(
        "publicKey", \.publicKey, .p256PublicKey,
        "The public key in PEM; null: the sandbox generates a pair, and credentials have the private key."),
      .nullable(
        "topics", \.topics, .array(of: .topic, minItems: 1, maxItems: 100),
        "The bundle ids to which the key may push; null: all of its team."),
      .nullable(
        "environment", \.environment, .word, "The environment that the key is limited to; null: both."),
    ])

  /// Names in the control API.
  static let (teamCredential, idCredential, fileCredential) = ("teamId", "keyId", "authKey")
}

/// Storage: a credential by the key's id, with the rest in its secret.
extension Key {
  private struct Stored {
    var key = Key()
    /// The number of the private key, 32 bytes in hex, if the sandbox has generated the pair. Only its users
    /// wait for OpenSSL to compute the rest, not each start.
    var privateNumber: String?

    static let schema = Schema<Stored>([
      .nested("key", \.key, Key.schema),
      .nullable("privateNumber", \.privateNumber, .string),
    ])

    var privateKey: P256PrivateKey? {
      privateNumber.flatMap { Hex.decode($0.utf8) }.flatMap(P256PrivateKey.init(number:))
    }

    init() {}

    init(_ credential: Credential) throws {
      try Self.schema.merge(Fields(Array(credential.secret.utf8)), into: &self)
    }
  }

  static func find(_ id: String, in sandbox: Sandbox) throws -> Key? { try stored(id, in: sandbox)?.key }

  /// All keys of a sandbox, by id.
  static func all(in sandbox: Sandbox) throws -> [Key] {
    try credentials(in: sandbox).map { try Stored($0).key }
  }

  /// The first key that the sandbox has generated, and its private key: PKCS #8 in PEM.
  static func own(in sandbox: Sandbox) throws -> (key: Key, privateKey: String)? {
    for credential in try credentials(in: sandbox) {
      let stored = try Stored(credential)
      if let privateKey = stored.privateKey { return (stored.key, privateKey.privatePEM) }
    }
    return nil
  }

  /// Loads one of `keys`. One that another sandbox has is left out: `createCredentials` makes one for this
  /// sandbox.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    var key = Key()
    try schema.merge(fields, into: &key)
    try sandbox.accounts.refuseTaken(key.keyID, of: APNsProvider.name, at: "\(fields.path).keyId")
    _ = try key.keep(in: sandbox)
  }

  private static func credentials(in sandbox: Sandbox) throws -> [Credential] {
    try sandbox.accounts.all(of: APNsProvider.name).filter { !PushCertificate.isName($0.name) }
  }

  /// Returns false and keeps nothing if another sandbox has the key: requests find their sandbox by its id.
  func keep(in sandbox: Sandbox) throws -> Bool {
    var stored = Stored()
    stored.key = self
    if publicKey == nil {
      let known = try Self.stored(keyID, in: sandbox)?.privateNumber
      stored.privateNumber = known ?? Self.number(of: keyID, in: sandbox)
    }
    return try sandbox.accounts.register(
      Credential(
        provider: APNsProvider.name, name: keyID,
        secret: String(decoding: Stored.schema.encode(stored), as: UTF8.self), account: teamID))
  }

  /// SubjectPublicKeyInfo in base64.
  func publicBase64(in sandbox: Sandbox) throws -> String {
    try Self.base64(ofPEM: publicKey ?? Self.stored(keyID, in: sandbox)?.privateKey?.publicPEM ?? "")
  }

  fileprivate static func base64(ofPEM pem: String) -> String {
    pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
  }

  private static func stored(_ id: String, in sandbox: Sandbox) throws -> Stored? {
    try sandbox.accounts.find(id, of: APNsProvider.name).map(Stored.init)
  }

  /// The private number of a key: always the same one. It is between 1 and the order of the curve, because
  /// its first byte is 0 and its last one is 1.
  private static func number(of keyID: String, in sandbox: Sandbox) -> String {
    "00\(sandbox.entropy.secret("APNs key \(keyID)", length: 60, of: .hex))01"
  }
}

extension FieldType where Value == String {
  /// Ten characters. Source: contract 2
  fileprivate static var appleID: FieldType {
    .text(
      .string(pattern: "^[A-Z0-9]{10}$"), expected: "10 upper-case letters and digits"
    ) { text in
      text.utf8.count == 10 && text.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
    }
  }

  fileprivate static var topic: FieldType {
    .text(.string(pattern: "^[A-Za-z0-9.-]{1,255}$"), expected: "a bundle id", Topic.isValid)
  }

  fileprivate static var p256PublicKey: FieldType {
    .text(.string(), expected: "a public key of P-256 in PEM") { text in
      Base64.decode(Key.base64(ofPEM: text)).flatMap { P256PublicKey(der: $0) } != nil
    }
  }
}
