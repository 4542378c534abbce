import Basics
package import Database

extension Devices {
  /// The registered devices, oldest first.
  package var all: [Device] {
    get throws {
      try sandbox.database.all(
        Device.self, "WHERE sandbox = ? AND ending IS NULL ORDER BY ordinal", sandbox.id)
    }
  }

  /// The devices after an ordinal, also former ones, oldest first.
  package func page(after ordinal: Int, limit: Int) throws -> [Device] {
    try sandbox.database.all(
      Device.self, "WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?", sandbox.id, ordinal, limit)
  }

  /// The device that was registered last.
  package var latest: Device? {
    get throws {
      try sandbox.database.first(
        Device.self, "WHERE sandbox = ? AND ending IS NULL ORDER BY ordinal DESC LIMIT 1", sandbox.id)
    }
  }

  /// Numbers with a record and holders of devices, also of former ones, in order.
  package func possibleHolders(after holder: String, limit: Int) throws -> [String] {
    try sandbox.database.all(
      """
      SELECT * FROM (SELECT number FROM subscribers WHERE sandbox = ?1 AND number > ?2 ORDER BY number LIMIT ?3)
      UNION SELECT * FROM (
        SELECT DISTINCT holder FROM devices INDEXED BY devices_by_holder
        WHERE sandbox = ?1 AND holder > ?2 ORDER BY holder LIMIT ?3)
      ORDER BY 1 LIMIT ?3
      """, sandbox.id, holder, limit
    ) { $0.text(0) }
  }

  /// The registered devices of a holder with a provider, oldest first.
  package func all(of holder: String, provider: String) throws -> [Device] {
    try all(of: holder).filter { $0.draft.provider == provider }
  }

  /// The registered devices of a holder, oldest first.
  package func all(of holder: String) throws -> [Device] {
    try sandbox.database.all(
      Device.self,
      """
      INDEXED BY devices_by_holder
      WHERE sandbox = ? AND holder = ? AND ending IS NULL ORDER BY ordinal
      """, sandbox.id, holder)
  }

  /// The device of this holder with this reference, still registered or not.
  package func find(registeredBy reference: String, of holder: String, provider: String) throws -> Device? {
    try sandbox.database.first(
      Device.self,
      """
      INDEXED BY devices_by_holder
      WHERE sandbox = ? AND holder = ? AND provider = ? AND reference = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, holder, provider, reference)
  }

  package func find(ordinal: Int) throws -> Device? {
    if let known = sandbox.derived.devices.byOrdinal[ordinal] { return known.value }
    let found = try sandbox.database.first(
      Device.self, "WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal)
    if let found { sandbox.derived.devices.insert(found) }
    return found
  }

  func insert(_ device: Device) throws {
    sandbox.derived.devices = DeviceCache()
    try sandbox.database.insert(device, of: sandbox.id)
  }

  /// Saves the changeable part of a registered device.
  func update(_ device: Device) throws {
    sandbox.derived.devices = DeviceCache()
    try sandbox.database.run(
      """
      UPDATE devices SET reference = ?, push_token = ?, apns_token = ?, token_state = ?, state_since = ?,
        is_online = ?, behaviour = ?, answer_after = ?, condition = ?, clock_offset = ?
      WHERE sandbox = ? AND ordinal = ?
      """,
      device.draft.reference, device.draft.pushToken, device.draft.apnsToken,
      (device.draft.tokenState ?? .ok).text,
      device.stateSince.milliseconds, device.draft.isOnline, device.draft.handset.behaviour?.rawValue,
      device.draft.handset.answerAfter?.milliseconds, device.draft.handset.condition?.rawValue,
      device.draft.handset.clockOffset, sandbox.id, device.ordinal)
  }

  func retire(_ token: String, at time: Timestamp) throws {
    try sandbox.database.run(
      "INSERT OR IGNORE INTO retired_tokens (sandbox, token, retired_at) VALUES (?, ?, ?)", sandbox.id, token,
      time.milliseconds)
  }

  /// When a token was replaced by another; nil if it was not. Of older versions, the sandbox's start.
  func retirement(of token: String) throws -> Timestamp? {
    try sandbox.database.first(
      "SELECT retired_at FROM retired_tokens WHERE sandbox = ? AND token = ?", sandbox.id, token
    ) { $0.optionalInt64(0).map { Timestamp(milliseconds: $0) } ?? sandbox.startedAt }
  }

  /// The device that registered a token of Apple's gateway last, still registered or not.
  func find(apnsToken: String) throws -> Device? {
    try sandbox.database.first(
      Device.self,
      """
      INDEXED BY devices_by_apns_token
      WHERE sandbox = ? AND apns_token = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, apnsToken)
  }

  /// The device that registered a push token last, still registered or not.
  func find(token: String) throws -> Device? {
    if let known = sandbox.derived.devices.byToken[token] { return known.value }
    let found = try sandbox.database.first(
      Device.self,
      """
      INDEXED BY devices_by_token
      WHERE sandbox = ? AND push_token = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, token)
    if let found { sandbox.derived.devices.insert(found, of: token) }
    return found
  }

  func update(_ device: Device, _ ending: Device.Ending, at time: Timestamp) throws {
    sandbox.derived.devices = DeviceCache()
    try sandbox.database.run(
      "UPDATE devices SET ending = ?, ended_at = ? WHERE sandbox = ? AND ordinal = ?", ending.rawValue,
      time.milliseconds, sandbox.id, device.ordinal)
  }
}

/// Devices as their rows have them: a push asks several times for the one that it goes to. Emptied before any
/// device changes.
struct DeviceCache {
  private static let limit = 64
  private(set) var byOrdinal: [Int: Shared<Device>] = [:]
  private(set) var byToken: [String: Shared<Device>] = [:]

  mutating func insert(_ device: Device, of token: String? = nil) {
    if byOrdinal.count == Self.limit { self = DeviceCache() }
    let device = byOrdinal[device.ordinal] ?? Shared(device)
    byOrdinal[device.value.ordinal] = device
    if let token { byToken[token] = device }
  }
}

extension Device: TableRow {
  package static let table: StaticString = "devices"
  package static let columns: StaticString = """
    ordinal, provider, holder, app, reference, push_token, apns_token, platform, public_key, private_key,
    registered_at, token_state, state_since, is_online, behaviour, answer_after, condition, clock_offset,
    ending, ended_at
    """

  package init(from row: inout ColumnReader) throws(DatabaseError) {
    let ordinal = row.int()
    var draft = Draft(provider: row.text(), holder: row.text(), app: row.text())
    draft.reference = row.text()
    draft.pushToken = row.optionalText()
    draft.apnsToken = row.optionalText()
    draft.platform = try Platform(column: row.text(), "a platform")
    draft.publicKey = row.text()
    let (privateKey, registeredAt) = (row.optionalText(), row.time())
    draft.tokenState = TokenState(row.text())
    let stateSince = row.optionalTime() ?? registeredAt
    draft.isOnline = row.bool()
    draft.handset.behaviour = row.optionalText().flatMap(PushReaction.init)
    draft.handset.answerAfter = row.optionalInt64().map { .milliseconds($0) }
    draft.handset.condition = row.optionalText().flatMap(HandsetState.Condition.init)
    draft.handset.clockOffset = row.optionalInt()
    self.init(
      ordinal: ordinal, draft: draft, privateKey: privateKey, registeredAt: registeredAt,
      stateSince: stateSince, ending: row.optionalText().flatMap(Ending.init), endedAt: row.optionalTime())
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(draft.provider)
    row.write(draft.holder)
    row.write(draft.app)
    row.write(draft.reference)
    row.write(draft.pushToken)
    row.write(draft.apnsToken)
    row.write(draft.platform.rawValue)
    row.write(publicKey)
    row.write(privateKey)
    row.write(registeredAt.milliseconds)
    row.write((draft.tokenState ?? .ok).text)
    row.write(stateSince.milliseconds)
    row.write(draft.isOnline)
    row.write(draft.handset.behaviour?.rawValue)
    row.write(draft.handset.answerAfter?.milliseconds)
    row.write(draft.handset.condition?.rawValue)
    row.write(draft.handset.clockOffset)
    row.write(ending?.rawValue)
    row.write(endedAt?.milliseconds)
  }
}
