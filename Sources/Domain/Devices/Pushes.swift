import Database

/// The pushes of a sandbox.
package struct Pushes {
  let sandbox: Sandbox

  /// The push of a message.
  package func find(_ ordinal: Int) throws -> Push? {
    try sandbox.database.first(
      """
      SELECT ordinal, device, token, payload, delivered_at, read_at FROM pushes WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Push.init(row:))
  }

  /// Hands a push to the carrier; nil for a device that gets none. What has not come by `end` is given up; where that
  /// is now, it comes at once or never.
  @discardableResult
  package func send(
    _ draft: MessageDraft, to device: Device, payload: String, until end: Timestamp? = nil
  ) throws -> Message? {
    guard let token = device.draft.pushToken else { return nil }
    let subscriber = try PhoneNumber(draft.destination).map { try sandbox.subscribers[$0] }
    let now = sandbox.clock.now
    var (draft, end) = (draft, end)
    if !device.draft.isOnline {
      draft.ending = Scenario(Behaviour.absent.name, after: end.map { $0 - now })
    } else if end == now {
      end = nil
    }
    let message = try sandbox.messages.submit(draft, to: subscriber, expiring: end)
    try sandbox.database.run(
      "INSERT INTO pushes (sandbox, ordinal, device, token, payload) VALUES (?, ?, ?, ?, ?)", sandbox.id,
      message.ordinal, device.ordinal, token, payload)
    return message
  }

  /// Delivers what is held for a device that has come online.
  func release(to device: Device) throws {
    for message in try sandbox.messages.held(device.draft.holder) where message.channel == .push {
      guard try find(message.ordinal)?.device == device.ordinal else { continue }
      try sandbox.messages.release(message)
    }
  }

  /// Whether the device that a message of the channel `push` goes to is offline by itself.
  func isWaitingForDevice(_ message: Message) throws -> Bool {
    guard let push = try find(message.ordinal), let device = try sandbox.devices.find(ordinal: push.device)
    else { return false }
    return !device.draft.isOnline
  }

  /// Forgets what was pushed to a token, or to all.
  package func clear(token: String?) throws {
    try sandbox.database.run(
      "DELETE FROM pushes WHERE sandbox = ?1 AND (?2 IS NULL OR token = ?2)", sandbox.id, token)
  }

  /// Writes down what an app tells of a push; one that was read was delivered. Says whether that was news.
  func note(_ mark: Push.Mark, on push: Push) throws -> Bool {
    var noted = push
    let now = sandbox.clock.now
    noted.deliveredAt = push.deliveredAt ?? now
    if mark == .read { noted.readAt = push.readAt ?? now }
    guard noted != push else { return false }
    try sandbox.database.run(
      "UPDATE pushes SET delivered_at = ?, read_at = ? WHERE sandbox = ? AND ordinal = ?",
      noted.deliveredAt?.milliseconds, noted.readAt?.milliseconds, sandbox.id, push.ordinal)
    return true
  }
}

extension Push {
  fileprivate init(row: Row) {
    self.init(
      ordinal: row.int(0), device: row.int(1), token: row.text(2), payload: row.text(3),
      deliveredAt: row.optionalInt64(4).map { Timestamp(milliseconds: $0) },
      readAt: row.optionalInt64(5).map { Timestamp(milliseconds: $0) })
  }
}
