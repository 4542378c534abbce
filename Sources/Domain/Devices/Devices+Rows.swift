import Database

extension Devices {
  /// The registered devices, oldest first.
  package var all: [Device] {
    get throws {
      try sandbox.database.all(
        """
        SELECT * FROM devices WHERE sandbox = ? AND ending IS NULL ORDER BY ordinal
        """, sandbox.id, read: Device.init(row:))
    }
  }

  /// The devices after an ordinal, also former ones, oldest first.
  func page(after ordinal: Int, limit: Int) throws -> [Device] {
    try sandbox.database.all(
      "SELECT * FROM devices WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?", sandbox.id, ordinal,
      limit, read: Device.init(row:))
  }

  /// The device that was registered last.
  package var latest: Device? {
    get throws {
      try sandbox.database.first(
        """
        SELECT * FROM devices WHERE sandbox = ? AND ending IS NULL ORDER BY ordinal DESC LIMIT 1
        """, sandbox.id, read: Device.init(row:))
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
      """
      SELECT * FROM devices INDEXED BY devices_by_holder
      WHERE sandbox = ? AND holder = ? AND ending IS NULL ORDER BY ordinal
      """, sandbox.id, holder, read: Device.init(row:))
  }

  /// The device of this holder with this reference, still registered or not.
  package func find(registeredBy reference: String, of holder: String, provider: String) throws -> Device? {
    try sandbox.database.first(
      """
      SELECT * FROM devices INDEXED BY devices_by_holder
      WHERE sandbox = ? AND holder = ? AND provider = ? AND reference = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, holder, provider, reference, read: Device.init(row:))
  }

  package func find(ordinal: Int) throws -> Device? {
    try sandbox.database.first(
      """
      SELECT * FROM devices WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Device.init(row:))
  }

  func insert(_ device: Device) throws {
    let draft = device.draft
    try sandbox.database.run(
      """
      INSERT INTO devices (sandbox, ordinal, provider, holder, app, reference, push_token, platform, public_key,
        private_key, registered_at, token_state, is_online, apns_token, state_since, behaviour,
        answer_after, condition, clock_offset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, device.ordinal, draft.provider, draft.holder, draft.app, draft.reference, draft.pushToken,
      draft.platform.rawValue, device.publicKey, device.privateKey, device.registeredAt.milliseconds,
      (draft.tokenState ?? .ok).text, draft.isOnline, draft.apnsToken, device.stateSince.milliseconds,
      draft.handset.behaviour?.rawValue, draft.handset.answerAfter?.milliseconds,
      draft.handset.condition?.rawValue, draft.handset.clockOffset)
  }

  /// Saves the changeable part of a registered device.
  func update(_ device: Device) throws {
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
      """
      SELECT * FROM devices INDEXED BY devices_by_apns_token
      WHERE sandbox = ? AND apns_token = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, apnsToken, read: Device.init(row:))
  }

  /// The device that registered a push token last, still registered or not.
  func find(token: String) throws -> Device? {
    try sandbox.database.first(
      """
      SELECT * FROM devices INDEXED BY devices_by_token
      WHERE sandbox = ? AND push_token = ? ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, token, read: Device.init(row:))
  }

  func update(_ device: Device, _ ending: Device.Ending, at time: Timestamp) throws {
    try sandbox.database.run(
      "UPDATE devices SET ending = ?, ended_at = ? WHERE sandbox = ? AND ordinal = ?", ending.rawValue,
      time.milliseconds, sandbox.id, device.ordinal)
  }
}

extension Device {
  /// Reads a row with all columns, in the order of the table.
  fileprivate init(row: Row) throws(DatabaseError) {
    let platform = try Platform(column: row.text(7), "a platform")
    var draft = Draft(provider: row.text(2), holder: row.text(3), app: row.text(4))
    draft.reference = row.text(5)
    draft.pushToken = row.optionalText(6)
    draft.platform = platform
    draft.publicKey = row.text(8)
    draft.tokenState = TokenState(row.text(13))
    draft.isOnline = row.int(14) != 0
    draft.apnsToken = row.optionalText(19)
    draft.handset.behaviour = row.optionalText(15).flatMap(PushReaction.init)
    draft.handset.answerAfter = row.optionalInt64(16).map { .milliseconds($0) }
    draft.handset.condition = row.optionalText(17).flatMap(HandsetState.Condition.init)
    draft.handset.clockOffset = row.optionalInt(18)
    self.init(
      ordinal: row.int(1), draft: draft, privateKey: row.optionalText(9),
      registeredAt: Timestamp(milliseconds: row.int64(10)),
      stateSince: Timestamp(milliseconds: row.optionalInt64(20) ?? row.int64(10)),
      ending: row.optionalText(11).flatMap(Ending.init),
      endedAt: row.optionalInt64(12).map { Timestamp(milliseconds: $0) })
  }
}
