import Database

/// A notification to an app on a handset: the payload of a message of the channel `push`.
package struct Push: Equatable, Sendable {
  /// A receipt from the app.
  package enum Mark: String, CaseIterable, Sendable {
    case delivered
    /// The person has opened the notification.
    case read
  }

  /// The ordinal of its message.
  package let ordinal: Int
  /// The ordinal of the device.
  package let device: Int
  package let token: String
  /// A JSON object for the app.
  package let payload: String
  /// When the app confirmed the delivery.
  package internal(set) var deliveredAt: Timestamp?
  /// When the app confirmed that the notification was opened.
  package internal(set) var readAt: Timestamp?

  /// The latest receipt.
  package var mark: Mark? { readAt != nil ? .read : deliveredAt != nil ? .delivered : nil }
}

package struct Pushes {
  let sandbox: Sandbox

  /// The push of a message; nil for other channels.
  package func find(_ ordinal: Int) throws -> Push? {
    try sandbox.database.first(
      """
      SELECT ordinal, device, token, payload, delivered_at, read_at FROM pushes WHERE sandbox = ? AND ordinal = ?
      """, sandbox.id, ordinal, read: Push.init(row:))
  }

  /// The newest push, to a token or any.
  package func latest(token: String?) throws -> Push? {
    try sandbox.database.first(
      """
      SELECT ordinal, device, token, payload, delivered_at, read_at FROM pushes
      WHERE sandbox = ?1 AND (?2 IS NULL OR token = ?2) ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, token, read: Push.init(row:))
  }

  /// Submits a push to the carrier; nil for a device without a token. A push that is held expires at `end`; if that is
  /// now, it is delivered at once or never.
  @discardableResult
  package func send(
    _ draft: MessageDraft, to device: Device, payload: String, until end: Timestamp? = nil
  ) throws -> Message? {
    guard let token = device.draft.pushToken else { return nil }
    let subscriber = try PhoneNumber(draft.destination).map { try sandbox.subscribers[$0] }
    let now = sandbox.clock.now
    var (draft, end) = (draft, end)
    if !device.receivesPushes {
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

  /// Delivers the pushes that are held for a device.
  func release(to device: Device) throws {
    for message in try sandbox.messages.held(device.draft.holder) where message.channel == .push {
      guard try find(message.ordinal)?.device == device.ordinal else { continue }
      try sandbox.messages.release(message)
    }
  }

  /// True if the device of a push is offline, whatever the state of the handset.
  func isWaitingForDevice(_ message: Message) throws -> Bool {
    guard let push = try find(message.ordinal), let device = try sandbox.devices.find(ordinal: push.device)
    else { return false }
    return !device.receivesPushes
  }

  /// Deletes the pushes to a token, or all.
  package func clear(token: String?) throws {
    try sandbox.database.run(
      "DELETE FROM pushes WHERE sandbox = ?1 AND (?2 IS NULL OR token = ?2)", sandbox.id, token)
  }

  /// Records an app's receipt; a push that was read was delivered. False if the receipt was known.
  func record(_ mark: Push.Mark, of push: Push) throws -> Bool {
    var updated = push
    let now = sandbox.clock.now
    updated.deliveredAt = push.deliveredAt ?? now
    if mark == .read { updated.readAt = push.readAt ?? now }
    guard updated != push else { return false }
    try sandbox.database.run(
      "UPDATE pushes SET delivered_at = ?, read_at = ? WHERE sandbox = ? AND ordinal = ?",
      updated.deliveredAt?.milliseconds, updated.readAt?.milliseconds, sandbox.id, push.ordinal)
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
