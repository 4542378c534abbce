import JSON

/// A key that a user holds. Source: contract 4.4.
struct UserKey: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case device, passkey, wallet
  }

  struct Wallet: Equatable, Sendable {
    var name = ""
    var kind = ""

    static let schema = Schema<Wallet>(
      nil, "A wallet.",
      [
        .required("name", \.name, .string(1...255), "The name."),
        .required("kind", \.kind, .string(1...255), "The kind."),
      ])
  }

  var kind = Kind.device
  /// In requests: that of the device by default.
  var publicKey: String?
  var device: UserDevice?
  var wallet: Wallet?

  /// In requests.
  static let schema = Schema<UserKey>([
    .required("type", \.kind, .word),
    .optional("publicKey", \.publicKey, .publicKey),
    .optional("device", \.device, .object(UserDevice.schema) { UserDevice() }),
    .optional("wallet", \.wallet, .object(Wallet.schema) { Wallet() }),
  ]) { fields, key throws(FieldError) in
    switch key.kind {
    case .device:
      guard let device = key.device else {
        throw fields.mismatch("device", expected: "an object, because type is device")
      }
      let publicKey = key.publicKey ?? device.publicKey
      guard publicKey.lowercased() == device.publicKey.lowercased() else {
        throw fields.mismatch("publicKey", expected: "the publicKey of device")
      }
      key.publicKey = publicKey
    case .passkey, .wallet:
      guard key.publicKey != nil else {
        throw fields.mismatch("publicKey", expected: "a public key, because type is \(key.kind.rawValue)")
      }
      guard key.kind == .passkey || key.wallet != nil else {
        throw fields.mismatch("wallet", expected: "an object, because type is wallet")
      }
    }
  }

  private static let fieldType = FieldType.object(schema) { UserKey() }

  /// In records.
  static let stored = Schema<UserKey>([
    .required("type", \.kind, .word),
    .optional("publicKey", \.publicKey, .string),
    .optional("device", \.device, .object(Schema(UserDevice.optionalFields)) { UserDevice() }),
    .optional("wallet", \.wallet, .object(Wallet.schema) { Wallet() }),
  ])

  /// Reads the member `name`.
  init(_ name: String, in body: Fields) throws {
    self = try body.value(name, Self.fieldType)
  }

  init() {}

  var name: String {
    switch kind {
    case .device: device?.name ?? ""
    case .passkey: "Passkey"
    case .wallet: wallet?.name ?? ""
    }
  }

  func write(to json: inout JSONWriter, of app: AppName?) {
    json.member("type", kind.rawValue)
    if let publicKey { json.member("publicKey", publicKey) }
    if let device { json.object("device") { device.write(to: &$0) } }
    if let wallet { json.object("wallet") { Wallet.schema.write(wallet, to: &$0) } }
    if let app { json.object("app") { app.write(to: &$0) } }
  }
}
