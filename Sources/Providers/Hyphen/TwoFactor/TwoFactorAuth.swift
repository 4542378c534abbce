import Crypto
import ProviderKit

/// A request for an old device's approval of a new one. Source: contract 4.1, 4.2 and 6.
struct TwoFactorAuth: StoredRecord, Equatable {
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

  private static let schema = Schema<TwoFactorAuth>([
    .required("id", \.id, .string),
    .required("account", \.account, .string),
    .required("app", \.app, .object(AppName.schema) { AppName() }),
    .required("chain", \.chain, .word),
    .required("email", \.email, .string),
    .required("address", \.address, .string),
    .required("location", \.location, .string),
    .required("message", \.message, .string),
    .required("sourceKey", \.sourceKey, .object(UserKey.stored) { UserKey() }),
    .required("destination", \.destination, .object(Schema(UserDevice.optionalFields)) { UserDevice() }),
    .required("requestedAt", \.requestedAt, .preciseTimestamp),
    .required("expiresAt", \.expiresAt, .preciseTimestamp),
    .optional("decision", \.decision, .word),
    .optional("transaction", \.transaction, .string),
    .field("isFinished", \.isFinished, .boolean, default: false),
    .field("isTokenSeen", \.isTokenSeen, .boolean, default: false),
  ])

  var key: String { id }
  var group: String { account }
  static let table = RecordTable("2fa", of: HyphenProvider.name, schema) { TwoFactorAuth() }
  /// From an account and a source key to the id of their newest request.
  private static let newestOfSource = RecordTable(
    texts: "2fa of source", of: HyphenProvider.name, member: "id")

  /// The request with an id, if the caller is its source or a device of its account.
  ///
  /// One SDK sends the ephemeral token with one request only, so a request without a token comes from the
  /// source if the token was seen before. Source: contract 1.
  static func find(
    _ id: String, for caller: Caller, of app: App, in sandbox: Sandbox
  ) throws -> TwoFactorAuth {
    func unknown(_ why: String) -> APIError { APIError(.twoFactorAuthNotFound).because(why) }
    guard var found = try find(id, in: sandbox) else { throw unknown("no request \(id)") }
    switch caller {
    case .device(let session):
      guard found.account == session.account.id else {
        throw unknown("\(id) belongs to another account than \(session.account.email)'s")
      }
    case .source(let reference):
      guard reference.id == id else { throw unknown("the ephemeral token belongs to \(reference.id)") }
      guard sandbox.clock.now < found.tokenExpiresAt else {
        throw APIError(.tokenExpired).because("it expired at \(found.tokenExpiresAt.iso8601)")
      }
      if !found.isTokenSeen {
        found.isTokenSeen = true
        try found.save(in: sandbox)
      }
    case .nobody:
      guard found.isTokenSeen, found.app.id == app.id else {
        throw APIError(.invalidToken).because("no bearer token, and none came before for \(id)")
      }
    }
    return found
  }

  /// The newest request of a source; nil if there is none.
  static func newest(of source: UserDevice, account: String, in sandbox: Sandbox) throws -> TwoFactorAuth? {
    try newestOfSource.find(place(source, account), in: sandbox).flatMap { try find($0, in: sandbox) }
  }

  /// Saves a new request under an id made from its number.
  mutating func insert(in sandbox: Sandbox) throws {
    let ordinal = sandbox.nextOrdinal()
    id = UUIDText.version4(sandbox.entropy.identifier("hyphen 2fa", ordinal))
    try Self.table.add(
      self, as: id, group: account, ordinal: ordinal, keeping: Self.limitPerAccount, in: sandbox)
    try Self.newestOfSource.save(id, as: Self.place(source, account), in: sandbox)
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

  var expiredError: APIError {
    APIError(.twoFactorAuthExpired).because(
      "\(id) expired at \(expiresAt.iso8601Milliseconds)",
      change: "Ask for a new approval, and answer it within \(Self.lifetime.wholeSeconds) s.")
  }

  /// Fails with 409 for an answered request, 400 for an expired one.
  func requirePending(at now: Timestamp) throws(APIError) {
    switch state(at: now) {
    case .pending: return
    case .expired: throw expiredError
    case .approved, .denied, .finished:
      throw APIError(.twoFactorAuthAlreadyResolved).because(
        "\(id) is \(state(at: now).rawValue)", change: "Ask for a new approval: one is answered once.")
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

extension TwoFactorAuth {
  /// A success with the request.
  func response(to context: RequestContext) -> Response {
    .json(200) { json in
      json.object("twoFactorAuth") {
        write(to: &$0, at: context.now, showsExpired: context.platform == nil)
      }
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
      return JSONWriter.text { $0.member("cadence", script) }
    case .hash: return Hex.encode(SHA256.hash(Array(script.utf8)))
    }
  }
}
