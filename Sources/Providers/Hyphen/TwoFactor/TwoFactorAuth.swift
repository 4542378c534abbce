import Crypto
import Domain
import JSON
import ProviderKit

/// A request for an old device's approval of a new one. Source: contract 4.1, 4.2 and 6.
struct TwoFactorAuth: Equatable, Sendable {
  /// Source: contract 6.
  enum State: String, CaseIterable, Sendable {
    case pending, approved, denied, expired
    /// Approved, and the new device has signed in.
    case finished
  }

  enum Decision: String, CaseIterable, Sendable {
    case approved, denied
  }

  /// Names a request in tokens.
  struct Reference: Equatable {
    let id: String
    let account: String
  }

  var id = ""
  var account = ""
  var app = AppName()
  var chain = Chain.testnet
  var email = ""
  /// Of the source device.
  var address = ""
  var location = ""
  var message = ""
  /// The key that the account gets by an approval; it has the source device.
  var sourceKey = UserKey()
  var destination = UserDevice()
  var requestedAt = Timestamp.earliest
  var expiresAt = Timestamp.earliest
  var decision: Decision?
  var transaction: String?
  var isFinished = false
  /// True once a request came with its ephemeral token: one SDK sends it only once. Source: contract 1.
  var isTokenSeen = false

  static let lifetime = Duration.seconds(300)
  /// Of one account; older ones are unknown.
  private static let limitPerAccount = 1000

  private static let schema = Schema<TwoFactorAuth>(
    nil, "A stored request for approval.",
    [
      .required("id", \.id, .string, "The id."),
      .required("account", \.account, .string, "The account."),
      .required("app", \.app, .object(AppName.schema) { AppName() }, "The app that signs in."),
      .required("chain", \.chain, .word, "The network."),
      .required("email", \.email, .string, "The user."),
      .required("address", \.address, .string, "The address of the source device."),
      .required("location", \.location, .string, "Where that is."),
      .required("message", \.message, .string, "The message to sign."),
      .required("sourceKey", \.sourceKey, .object(UserKey.stored) { UserKey() }, "The new key."),
      .required(
        "destination", \.destination,
        .object(Schema(nil, "A device.", UserDevice.optionalFields)) { UserDevice() }, "The approving device."
      ),
      .required("requestedAt", \.requestedAt, .preciseTimestamp, "When it was created."),
      .required("expiresAt", \.expiresAt, .preciseTimestamp, "The end of its life."),
      .optional("decision", \.decision, .word, "The answer."),
      .optional("transaction", \.transaction, .string, "The id of the transaction that added the key."),
      .field("isFinished", \.isFinished, .boolean, default: false, "Whether the device has signed in."),
      .field("isTokenSeen", \.isTokenSeen, .boolean, default: false, "Whether its token was used."),
    ])

  private static let table = RecordTable("2fa", of: HyphenProvider.name, schema) { TwoFactorAuth() }
  /// From an account and a source key to the id of their newest request.
  private static let newestOfSource = RecordTable<String>(
    "2fa of source", of: HyphenProvider.name, decode: { try $0.string("id") },
    encode: { $1.member("id", $0) })

  static func find(_ id: String, in sandbox: Sandbox) throws -> TwoFactorAuth? {
    try table.find(id, in: sandbox)
  }

  /// The newest request of a source; nil if there is none.
  static func newest(of source: UserDevice, account: String, in sandbox: Sandbox) throws -> TwoFactorAuth? {
    try newestOfSource.find(place(source, account), in: sandbox).flatMap { try find($0, in: sandbox) }
  }

  /// Saves a new request under an id made from its number.
  mutating func insert(in sandbox: Sandbox) throws {
    try Self.table.makeRoom(in: account, maximum: Self.limitPerAccount, in: sandbox)
    let ordinal = sandbox.nextOrdinal()
    id = uuidOfVersion4(sandbox.entropy.identifier("hyphen 2fa", ordinal))
    try Self.table.save(self, as: id, group: account, ordinal: ordinal, in: sandbox)
    try Self.newestOfSource.save(id, as: Self.place(source, account), in: sandbox)
  }

  func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: id, group: account, in: sandbox)
  }

  private static func place(_ source: UserDevice, _ account: String) -> String {
    "\(account) \(source.publicKey.lowercased())"
  }

  /// The device that signs in.
  var source: UserDevice { sourceKey.device ?? UserDevice() }

  /// The end of its ephemeral token. Source: contract 1.
  var tokenExpiresAt: Timestamp { expiresAt + .seconds(60) }

  func state(at now: Timestamp) -> State {
    switch decision {
    case .approved: isFinished ? .finished : .approved
    case .denied: .denied
    case nil: now < expiresAt ? .pending : .expired
    }
  }

  /// `showsExpired`: SDKs read three words only, and get `pending` for an expired request. Source: contract
  /// 6.
  func write(to json: inout JSONWriter, at now: Timestamp, showsExpired: Bool = false) {
    let isExpired = showsExpired && state(at: now) == .expired
    json.member("id", id)
    json.member("accountId", account)
    json.member("status", isExpired ? State.expired.rawValue : decision?.rawValue ?? State.pending.rawValue)
    if let transaction { json.object("result") { $0.member("txId", transaction) } }
    json.member("expiresAt", expiresAt.iso8601Milliseconds)
    json.object("request") { json in
      json.member("id", id)
      json.object("app") { app.write(to: &$0) }
      json.object("userOpInfo") { json in
        json.member("type", "sign-in")
        json.object("signIn") {
          $0.member("email", email)
          $0.member("ip", address)
          $0.member("location", location)
        }
      }
      json.member("message", message)
      json.object("srcDevice") { source.write(to: &$0) }
      json.object("destDevice") { destination.write(to: &$0) }
      json.member("requestedAt", requestedAt.iso8601Milliseconds)
    }
  }
}

/// The transaction that adds a key to an account, as text. Source: contract 4.2.
enum AddKeyMessage {
  static func text(for publicKey: String, _ form: Settings.MessageForm) -> String {
    let script = """
      transaction {
        prepare(account: auth(AddKey) &Account) {
          let key = PublicKey(
            publicKey: "\(publicKey)".decodeHex(),
            signatureAlgorithm: SignatureAlgorithm.ECDSA_P256
          )
          account.keys.add(publicKey: key, hashAlgorithm: HashAlgorithm.SHA2_256, weight: 500.0)
        }
      }
      """
    switch form {
    case .cadence:
      return String(decoding: JSONWriter.object { $0.member("cadence", script) }, as: UTF8.self)
    case .hash: return Hex.encode(SHA256.hash(Array(script.utf8)))
    }
  }
}
