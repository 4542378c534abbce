import Crypto
import ProviderKit

/// The key on a device: one registration, and the number that is bound to it. Source: contract 5.8.
struct ProveKey: StoredRecord, Equatable {
  var deviceID = ""
  /// The secret that the device presents.
  var secret = ""
  var clientID = ""
  /// False after a revocation. An inactive key counts as absent.
  var isActive = true
  /// In the notation of the client; nil for a key without a number.
  var number: String?
  var proveID: String?
  var clientCustomerID: String?
  var clientHumanID: String?
  var platform = SessionDevice.Platform.web
  var createdAt = Timestamp.earliest
  /// The last authentication.
  var lastUsedAt = Timestamp.earliest

  static let schema = Schema<ProveKey>([
    .required("deviceId", \.deviceID, .string),
    .required("secret", \.secret, .string),
    .required("clientId", \.clientID, .string),
    .required("active", \.isActive, .boolean),
    .optional("number", \.number, .string),
    .optional("proveId", \.proveID, .string),
    .optional("clientCustomerId", \.clientCustomerID, .string),
    .optional("clientHumanId", \.clientHumanID, .string),
    .required("platform", \.platform, .word),
    .required("createdAt", \.createdAt, .timestamp),
    .required("lastUsedAt", \.lastUsedAt, .timestamp),
  ])

  /// A client's key, active or not.
  static func find(_ deviceID: String, of client: Client, in sandbox: Sandbox) throws -> ProveKey? {
    guard let key = try table.find(deviceID, in: sandbox), key.clientID == client.id else { return nil }
    return key
  }

  /// Places a new key on a session's device. It has no number yet.
  static func place(on session: Session, in sandbox: Sandbox) throws -> ProveKey {
    var key = ProveKey()
    key.deviceID = IdentifierKind.device.new(in: sandbox)
    key.secret = newSecret("prove key", in: sandbox)
    key.clientID = session.clientID
    key.platform = session.device.platform
    key.createdAt = sandbox.clock.now
    key.lastUsedAt = sandbox.clock.now
    try key.save(in: sandbox)
    try table.deleteOldest(in: sandbox)
    return key
  }

  /// Saves an authentication with the key, which becomes the newest in the list.
  mutating func saveUse(in sandbox: Sandbox) throws {
    lastUsedAt = sandbox.clock.now
    try delete(in: sandbox)
    try save(in: sandbox)
  }

  /// False after a revocation, and after a long time without an authentication.
  func isUsable(at time: Timestamp, _ settings: Settings) -> Bool {
    isActive && time < lastUsedAt + .seconds(settings.keyInactivityDays * 86_400)
  }

  /// True if this number, in any notation, is bound to the key.
  func isBound(to number: MobileNumber) -> Bool {
    self.number.flatMap { MobileNumber($0) }?.number == number.number
  }

  var key: String { deviceID }
  static let table = RecordTable("key", of: ProveProvider.name, schema) { ProveKey() }

  /// 128 bits that nobody guesses, in 22 characters that URLs may contain.
  static func newSecret(_ label: StaticString, in sandbox: Sandbox) -> String {
    let digits = sandbox.tokenEntropy.identifier(label, sandbox.nextOrdinal())
    let bytes = Hex.decode(Array(digits.utf8)) ?? []
    return Base64.encodeForURL(bytes)
  }
}
