import Crypto
import ProviderKit

/// A key of an account. Two of them sign together. Source: contract 4.4 and 4.6.
struct Key: StoredRecord, Equatable {
  enum Kind: String, CaseIterable, Sendable {
    case user = "user-key"
    case recovery = "recover-key"
    case server = "server-key"
  }

  var account = ""
  var publicKey = ""
  var kind = Kind.user
  var name = ""
  var index = 0
  /// For `Kind.user`.
  var userKey: UserKey?
  /// For `Kind.recovery`: the name of the cloud account that holds it.
  var cloudAccount: String?
  /// The app that added it; nil for keys of seeds.
  var app: AppName?
  var lastUsedAt = Timestamp.earliest
  var isRevoked = false
  /// True if requests for approval go to this device first.
  var isPreferred = false

  private static let schema = Schema<Key>([
    .required("account", \.account, .string),
    .required("publicKey", \.publicKey, .string),
    .required("kind", \.kind, .word),
    .required("name", \.name, .string),
    .required("index", \.index, .count),
    .optional("userKey", \.userKey, .object(UserKey.stored) { UserKey() }),
    .optional("cloudAccount", \.cloudAccount, .string),
    .optional("app", \.app, .object(AppName.schema) { AppName() }),
    .required("lastUsedAt", \.lastUsedAt, .preciseTimestamp),
    .field("isRevoked", \.isRevoked, .boolean, default: false),
    .field("isPreferred", \.isPreferred, .boolean, default: false),
  ])

  var key: String { Self.place(publicKey, account) }
  var group: String { account }
  static let table = RecordTable("key", of: HyphenProvider.name, schema) { Key() }

  /// Of one account, revoked ones included.
  static let limit = 100

  /// The key of an account, unless it was revoked. Letters of public keys have no case. Source: contract 4.6.
  static func find(_ publicKey: String, of account: String, in sandbox: Sandbox) throws -> Key? {
    guard let key = try table.find(place(publicKey, account), in: sandbox), !key.isRevoked else { return nil }
    return key
  }

  /// The keys of an account by index, revoked ones included.
  static func all(of account: String, in sandbox: Sandbox) throws -> [Key] {
    try table.list(group: account, in: sandbox).map(\.record).sorted { $0.index < $1.index }
  }

  /// The keys of all accounts that are not revoked.
  static func all(in sandbox: Sandbox) throws -> [Key] { try table.all(in: sandbox).filter { !$0.isRevoked } }

  private static func place(_ publicKey: String, _ account: String) -> String {
    "\(account) \(publicKey.lowercased())"
  }

  /// The device that has the key; nil for other keys.
  var device: UserDevice? { kind == .user && userKey?.kind == .device ? userKey?.device : nil }

  func write(to json: inout JSONWriter) {
    json.member("publicKey", publicKey)
    json.member("type", kind.rawValue)
    json.member("name", name)
    json.member("keyIndex", index)
    if let userKey { json.object("userKey") { userKey.write(to: &$0, of: app) } }
    if let cloudAccount {
      json.object("recoverKey") { json in
        json.member("type", Key.Kind.recovery.rawValue)
        json.object("cloudKey") { $0.member("accountName", cloudAccount) }
      }
    }
    json.member("lastUsedAt", lastUsedAt.iso8601Milliseconds)
    json.member("accountId", account)
    if let app { json.member("appId", app.id) }
  }
}

/// An app in a key.
struct AppName: Equatable, Sendable {
  var id = ""
  var name = ""

  init() {}

  init(_ app: App) { (id, name) = (app.id, app.name) }

  static let schema = Schema<AppName>([
    .required("appId", \.id, .string), .required("appName", \.name, .string),
  ])

  func write(to json: inout JSONWriter) { Self.schema.write(self, to: &json) }
}

extension Account {
  /// Adds a key with the next index; one that the account has already keeps its index. A device without an id
  /// gets one. Source: contract 6.
  @discardableResult
  func add(_ userKey: UserKey, of app: AppName?, in sandbox: Sandbox) throws -> Key {
    if let publicKey = userKey.publicKey, var known = try Key.find(publicKey, of: id, in: sandbox) {
      let id = known.device?.id ?? ""
      known.userKey = userKey
      if var device = userKey.device {
        device.id = id
        known.userKey?.device = try device.withID(in: self, sandbox)
      }
      known.name = userKey.name
      try known.save(in: sandbox)
      return known
    }
    var key = Key()
    key.publicKey = userKey.publicKey ?? ""
    key.userKey = userKey
    key.userKey?.device = try userKey.device.map { try $0.withID(in: self, sandbox) }
    key.name = userKey.name
    key.app = app
    return try add(key, in: sandbox)
  }

  /// Adds a recovery key, or the server's.
  @discardableResult
  func add(_ key: Key, in sandbox: Sandbox) throws -> Key {
    let keys = try Key.all(of: id, in: sandbox)
    guard keys.count < Key.limit else {
      throw FieldError(
        path: "keys", expected: "at most \(Key.limit) of an account", found: String(keys.count))
    }
    var key = key
    key.account = id
    key.index = (keys.last?.index ?? -1) + 1
    key.lastUsedAt = sandbox.clock.now
    try key.save(in: sandbox)
    return key
  }
}

extension UserDevice {
  /// The device with an id: its own, unless another device of the account has it, or a new one.
  func withID(in account: Account, _ sandbox: Sandbox) throws -> UserDevice {
    guard !id.isEmpty else {
      var device = self
      device.id = UUIDText.version4(sandbox.entropy.identifier("hyphen device", sandbox.nextOrdinal()))
      return device
    }
    let owner = try account.devices(in: sandbox).first { $0.device?.id == id }
    if let owner, owner.publicKey.lowercased() != publicKey.lowercased() {
      throw APIError.invalid("userKey.device.id", expected: "an id that no other device of the account has")
    }
    return self
  }
}

extension Account {
  /// The keys of its devices that were not revoked, by index.
  func devices(in sandbox: Sandbox) throws -> [Key] {
    try Key.all(of: id, in: sandbox).filter { !$0.isRevoked && $0.device != nil }
  }
}
