import Crypto
import Domain
import JSON
import ProviderKit

/// The key on a device: one registration, and the number that is bound to it. Source: contract 5.8.
struct ProveKey: Equatable, Sendable {
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

  /// A key of any client, active or not.
  static func find(_ deviceID: String, in sandbox: Sandbox) throws -> ProveKey? {
    try table.find(deviceID, in: sandbox)
  }

  /// Places a new key on a session's device. It has no number yet.
  static func place(on session: Session, in sandbox: Sandbox) throws -> ProveKey {
    var key = ProveKey()
    key.deviceID = newUUID(.device, in: sandbox)
    key.secret = newToken("prove key", in: sandbox)
    key.clientID = session.clientID
    key.platform = session.device.platform
    key.createdAt = sandbox.clock.now
    key.lastUsedAt = sandbox.clock.now
    try key.save(in: sandbox)
    try deleteOldest(in: sandbox)
    return key
  }

  func save(in sandbox: Sandbox) throws { try Self.table.save(self, as: deviceID, in: sandbox) }

  /// Saves an authentication with the key, which becomes the newest in the list.
  mutating func saveUse(in sandbox: Sandbox) throws {
    lastUsedAt = sandbox.clock.now
    try Self.table.delete(deviceID, in: sandbox)
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

  /// Deletes up to two keys whose last use is older than the sandbox's history. Each new key calls this, so
  /// there are never many.
  private static func deleteOldest(in sandbox: Sandbox) throws {
    for (position, key) in try table.list(limit: 2, in: sandbox) where position < sandbox.firstKeptOrdinal {
      try table.delete(key.deviceID, in: sandbox)
    }
  }

  private static let table = RecordTable("key", of: ProveProvider.name, schema) { ProveKey() }
}

/// 128 bits that nobody guesses, in 22 characters that URLs may contain.
func newToken(_ label: StaticString, in sandbox: Sandbox) -> String {
  let digits = sandbox.tokenEntropy.identifier(label, sandbox.nextOrdinal())
  let bytes = Hex.decode(Array(digits.utf8)) ?? []
  return Base64.encodeForURL(bytes)
}
