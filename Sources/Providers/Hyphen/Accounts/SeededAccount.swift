import Crypto
import ProviderKit

/// An account of a seed. It waits until its user signs in: nothing may be numbered while a sandbox is
/// created. Source: contract 8.
struct SeededAccount: Equatable, Sendable {
  var id: String?
  var email = ""
  /// On the chain; a new one by default.
  var address: String?
  var chains = [Chain.testnet]
  var createdAt: Timestamp?
  var devices: [SeededDevice] = []
  var otherKeys: [SeededKey] = []

  /// One of `accounts` in seeds.
  static let schema = Schema<SeededAccount>(
    "HyphenAccount", "A user with an account.",
    [
      .optional("id", \.id, .string(1...100), "The id; a new one by default."),
      .required("email", \.email, .emailAddress, "The user, as Firebase knows them."),
      .optional(
        "address", \.address,
        .text(.string(pattern: "^[0-9A-Za-z]{1,100}$"), expected: "1 to 100 letters and digits") {
          (1...100).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isAlphanumeric)
        },
        "The address on the chain, such as 0x01cf0e2f2f715450; a new one by default."),
      .field(
        "chains", \.chains, .distinctWords(minItems: 1), default: [.testnet], "Where the account exists."),
      .optional("createdAt", \.createdAt, .timestamp, "When; the user's first sign-in by default."),
      .field(
        "devices", \.devices, .objects(SeededDevice.schema, maxItems: Key.limit) { SeededDevice() },
        default: [], "The devices whose keys the account has."),
      .field(
        "otherKeys", \.otherKeys, .objects(SeededKey.schema, maxItems: Key.limit) { SeededKey() },
        default: [], "Keys that no device has."),
    ])

  private static let table = RecordTable("account of seed", of: HyphenProvider.name, schema) {
    SeededAccount()
  }

  /// Loads one of `accounts`. A user whose account exists already keeps it.
  static func load(_ fields: Fields, into sandbox: Sandbox) throws {
    if let known = fields.made as? Shared<RecordTable<SeededAccount>.Written> {
      return try table.save(known.value, in: sandbox)
    }
    var account = SeededAccount()
    try schema.merge(fields, into: &account)
    account.email = account.email.lowercased()
    for index in account.devices.indices { account.devices[index].device.nameByDefault() }
    let written = table.written(account, as: account.email, group: account.email, ordinal: 0)
    fields.made = Shared(written)
    try table.save(written, in: sandbox)
  }

  static func find(_ email: String, in sandbox: Sandbox) throws -> SeededAccount? {
    try table.find(email, in: sandbox)
  }

  /// The accounts that wait, then those that exist, as seeds.
  static func all(in sandbox: Sandbox) throws -> [SeededAccount] {
    let existing = try Account.all(in: sandbox)
    let emails = Set(existing.map(\.email))
    let waiting = try table.all(in: sandbox).filter { !emails.contains($0.email) }.sorted {
      $0.email < $1.email
    }
    return waiting + (try existing.map { try SeededAccount($0, in: sandbox) })
  }

  /// The account with its keys. The server's key has the index 1, after that of the first device.
  func create(in sandbox: Sandbox) throws -> Account {
    let account = try Account.create(
      email, id: id, address: address, on: chains, at: createdAt ?? sandbox.clock.now, in: sandbox)
    for (position, device) in devices.enumerated() {
      try device.add(to: account, in: sandbox)
      if position == 0 { try account.addServerKey(in: sandbox) }
    }
    if devices.isEmpty { try account.addServerKey(in: sandbox) }
    for key in otherKeys { try key.add(to: account, in: sandbox) }
    return account
  }

  private init(_ account: Account, in sandbox: Sandbox) throws {
    id = account.id
    email = account.email
    address = account.address
    chains = account.chains
    createdAt = account.createdAt
    let keys = try Key.all(of: account.id, in: sandbox).filter { !$0.isRevoked }
    devices = try keys.compactMap { try SeededDevice($0, in: sandbox) }
    otherKeys = keys.compactMap { SeededKey($0) }
  }

  init() {}
}

/// A device of a seed.
struct SeededDevice: Equatable, Sendable {
  var device = UserDevice()
  var isPreferred = false
  var lastUsedAt: Timestamp?
  /// What the person does on a virtual handset.
  var behaviour: PushReaction?
  var answerAfter: Duration?

  static let schema = Schema<SeededDevice>(
    "HyphenSeededDevice",
    "A device whose key the account has. Without publicKey, the sandbox generates a key pair, and a virtual handset has it, with a push token.",
    UserDevice.optionalFields.map { $0.lifted(\.device) } + [
      .field(
        "preferred", \.isPreferred, .boolean, default: false,
        "Whether requests for approval go to it first, instead of to the device that was used last."),
      .optional(
        "lastUsedAt", \.lastUsedAt, .timestamp,
        "When its key was used last; when the account is created by default."),
      .optional(
        "behaviour", \.behaviour, .word,
        "The person's automatic answer to requests for approval, on a virtual handset; manual by default."),
      .optional(
        "answerAfterMs", \.answerAfter, .milliseconds, "How long the person needs for it; 0 by default."),
    ]
  ) { fields, seeded throws(FieldError) in
    guard seeded.behaviour == nil || seeded.device.publicKey.isEmpty else {
      throw fields.mismatch("behaviour", expected: "nothing, because the key is not in the sandbox")
    }
  }

  init() {}

  /// Nil for keys that no device has. A key pair of the sandbox is left out: another sandbox generates its
  /// own.
  fileprivate init?(_ key: Key, in sandbox: Sandbox) throws {
    guard let device = key.device else { return nil }
    self.device = device
    isPreferred = key.isPreferred
    lastUsedAt = key.lastUsedAt
    guard let handset = try device.device(in: sandbox), handset.privateKey != nil else { return }
    self.device.publicKey = ""
    (behaviour, answerAfter) = (handset.draft.handset.behaviour, handset.draft.handset.answerAfter)
  }

  fileprivate func add(to account: Account, in sandbox: Sandbox) throws {
    var device = device
    if device.publicKey.isEmpty {
      if device.pushToken.isEmpty { device.pushToken = sandbox.devices.freshToken() }
      device.publicKey = try handset(of: device, in: sandbox).point
    }
    var userKey = UserKey()
    userKey.publicKey = device.publicKey
    userKey.device = device
    var key = try account.add(userKey, of: nil, in: sandbox)
    key.isPreferred = isPreferred
    key.lastUsedAt = lastUsedAt ?? key.lastUsedAt
    try key.save(in: sandbox)
    try key.device?.linkPushToken(of: App(), in: sandbox)
  }

  /// The virtual handset with the push token of a device, which has a key pair of the sandbox.
  private func handset(of device: UserDevice, in sandbox: Sandbox) throws -> Device {
    if let known = try device.device(in: sandbox) { return known }
    var draft = Device.Draft(
      provider: HyphenProvider.name, holder: device.pushToken, app: "com.example.app:1.0.0")
    draft.pushToken = device.pushToken
    draft.platform = device.platform
    (draft.handset.behaviour, draft.handset.answerAfter) = (behaviour, answerAfter)
    return try sandbox.devices.register(draft)
  }
}

extension Device {
  /// The public key as the provider has it: 128 hex digits.
  var point: String {
    Base64.decode(publicKey).flatMap { P256PublicKey(der: $0) }?.hex ?? publicKey
  }
}

/// A key of a seed that no device has.
struct SeededKey: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case passkey, wallet, recovery
  }

  var kind = Kind.recovery
  var publicKey = ""
  var cloudAccount: String?
  var wallet: UserKey.Wallet?

  static let schema = Schema<SeededKey>(
    "HyphenSeededKey", "A key that no device has.",
    [
      .required("type", \.kind, .word, "The kind of key."),
      .required("publicKey", \.publicKey, .publicKey, "The public key."),
      .optional(
        "accountName", \.cloudAccount, .string(1...255), "The cloud account that holds a recovery key."),
      .optional(
        "wallet", \.wallet, .object(UserKey.Wallet.schema) { UserKey.Wallet() }, "The wallet that holds it."),
    ]
  ) { fields, key throws(FieldError) in
    guard key.kind != .wallet || key.wallet != nil else {
      throw fields.mismatch("wallet", expected: "an object, because type is wallet")
    }
  }

  init() {}

  /// Nil for keys of devices and of the server.
  fileprivate init?(_ key: Key) {
    publicKey = key.publicKey
    switch (key.kind, key.userKey?.kind) {
    case (.recovery, _): (kind, cloudAccount) = (.recovery, key.cloudAccount)
    case (.user, .passkey): kind = .passkey
    case (.user, .wallet): (kind, wallet) = (.wallet, key.userKey?.wallet)
    default: return nil
    }
  }

  fileprivate func add(to account: Account, in sandbox: Sandbox) throws {
    guard kind != .recovery else {
      var key = Key()
      key.kind = .recovery
      key.publicKey = publicKey
      key.cloudAccount = cloudAccount ?? account.email
      key.name = key.cloudAccount ?? ""
      try account.add(key, in: sandbox)
      return
    }
    var userKey = UserKey()
    userKey.kind = kind == .passkey ? .passkey : .wallet
    userKey.publicKey = publicKey
    userKey.wallet = wallet
    try account.add(userKey, of: nil, in: sandbox)
  }
}
