package import Basics
package import Database
package import JSON
import Numbers

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
  /// Which earlier pushes it replaces.
  package let slot: PushSlot
  /// When the app confirmed the delivery.
  package internal(set) var deliveredAt: Timestamp?
  /// When the app confirmed that the notification was opened.
  package internal(set) var readAt: Timestamp?
  /// The ordinal of the newer push that took its place.
  package internal(set) var replacedBy: Int?

  /// The latest receipt.
  package var mark: Mark? { readAt != nil ? .read : deliveredAt != nil ? .delivered : nil }

  /// The payload. In one through a gateway, which has the message as `raw`, the data are followed by the JSON
  /// that their texts hold. Very deep JSON is left out, because readers of the payload would fail.
  package var content: JSON {
    get throws {
      let content = try JSON(parsing: Array(payload.utf8))
      guard content["raw"] != nil, case .object(var members) = content,
        let place = members.firstIndex(where: { $0.name == "data" }),
        case .object(let data) = members[place].value
      else { return content }
      let decoded = data.compactMap { member -> JSON.Member? in
        guard case .string(let text) = member.value, text.hasPrefix("{") || text.hasPrefix("["),
          let value = try? JSON(parsing: Array(text.utf8), limits: .init(depth: 32))
        else { return nil }
        return JSON.Member(name: member.name, value: value)
      }
      members.insert(JSON.Member(name: "decoded", value: .object(decoded)), at: place + 1)
      return .object(members)
    }
  }
}

/// Which earlier pushes to a device a new one replaces. Nil: none.
package struct PushSlot: Equatable, Sendable {
  /// Of the pushes that are stored for an offline device, the newest of each group is kept.
  package var storageGroup: String?
  /// A push replaces one with the same id, whether it was shown or not.
  package var collapseID: String?

  package init(storageGroup: String? = nil, collapseID: String? = nil) {
    self.storageGroup = storageGroup
    self.collapseID = collapseID
  }
}

package struct Pushes {
  let sandbox: Sandbox

  /// The push of a message; nil for other channels.
  package func find(_ ordinal: Int) throws -> Push? {
    try sandbox.database.first(Push.self, "WHERE sandbox = ? AND ordinal = ?", sandbox.id, ordinal)
  }

  /// The pushes after an ordinal, oldest first.
  package func page(after ordinal: Int, limit: Int) throws -> [Push] {
    try sandbox.database.all(
      Push.self, "WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?", sandbox.id, ordinal, limit)
  }

  /// The newest push, to any device or to one with this token: the one that the sender named, or the device's
  /// other one.
  package func latest(token: String?) throws -> Push? {
    let device = try token.flatMap { try sandbox.devices.find(anyToken: $0) }
    return try sandbox.database.first(
      Push.self,
      """
      WHERE sandbox = ?1 AND (?2 IS NULL OR token = ?2 OR device = ?3) ORDER BY ordinal DESC LIMIT 1
      """, sandbox.id, token, device?.ordinal)
  }

  /// Submits a push to the carrier; nil for a device without a token. A push that is held expires at `end`;
  /// if that is now, it is delivered at once or never. `token` is the one that the sender named; nil: the
  /// push token.
  @discardableResult
  package func send(
    _ draft: MessageDraft, to device: Device, payload: String, addressing token: String? = nil,
    until end: Timestamp? = nil, slot: PushSlot = PushSlot()
  ) throws -> Message? {
    guard let token = token ?? device.draft.pushToken else { return nil }
    let subscriber = try PhoneNumber(draft.destination).map { try sandbox.subscribers[$0] }
    let now = sandbox.clock.now
    var (draft, end) = (draft, end)
    if !device.receivesPushes {
      draft.ending = Scenario(Behaviour.absent.name, after: end.map { $0 - now })
    } else if end == now {
      end = nil
    }
    let message = try sandbox.messages.submit(draft, to: subscriber, expiring: end)
    let push = Push(
      ordinal: message.ordinal, device: device.ordinal, token: token, payload: payload, slot: slot)
    try sandbox.database.insert(push, of: sandbox.id)
    for copy in try sandbox.messages.copies(of: message) {
      let shownAgain = Push(
        ordinal: copy, device: device.ordinal, token: token, payload: payload, slot: slot)
      try sandbox.database.insert(shownAgain, of: sandbox.id)
    }
    try signal(push)
    if let id = slot.collapseID { try replaceEarlier(than: message, to: device, collapseID: id) }
    if let group = slot.storageGroup, !device.receivesPushes, end != now {
      try replaceStored(before: message, for: device, group)
    }
    return message
  }

  /// Those before the newest are replaced already. One that was not delivered stays undelivered.
  private func replaceEarlier(than message: Message, to device: Device, collapseID: String) throws {
    try sandbox.database.run(
      """
      UPDATE pushes SET replaced_by = ?1 WHERE sandbox = ?2 AND replaced_by IS NULL AND ordinal = (
        SELECT max(ordinal) FROM pushes INDEXED BY pushes_by_collapse_id
        WHERE sandbox = ?2 AND device = ?3 AND collapse_id = ?4 AND ordinal < ?1)
      """, message.ordinal, sandbox.id, device.ordinal, collapseID)
  }

  /// Those before the newest are replaced already, or were delivered.
  private func replaceStored(before message: Message, for device: Device, _ group: String) throws {
    try sandbox.database.run(
      """
      UPDATE pushes SET replaced_by = ?1 WHERE sandbox = ?2 AND replaced_by IS NULL AND ordinal = (
        SELECT max(ordinal) FROM pushes INDEXED BY pushes_by_storage_group
        WHERE sandbox = ?2 AND device = ?3 AND storage_group = ?4 AND ordinal < ?1)
        AND (SELECT arrives_at IS NULL FROM messages WHERE key = ?5 + pushes.ordinal)
      """, message.ordinal, sandbox.id, device.ordinal, group, sandbox.key(0))
  }

  /// Delivers the pushes that are held for a device.
  func release(to device: Device) throws {
    for message in try sandbox.messages.held(device.draft.holder) where message.channel == .push {
      guard let push = try find(message.ordinal), push.device == device.ordinal, push.replacedBy == nil
      else { continue }
      try sandbox.messages.release(message)
    }
  }

  /// True if the device of a push is offline, whatever the state of the handset, or if a newer push took its
  /// place.
  func isKeptBack(_ message: Message) throws -> Bool {
    guard let push = try find(message.ordinal), let device = try sandbox.devices.find(ordinal: push.device)
    else { return false }
    return !device.receivesPushes || push.replacedBy != nil
  }

  /// Deletes the pushes to a device with this token, or all.
  package func clear(token: String?) throws {
    guard let token else { return try clearAll(after: 0, upTo: sandbox.newestOrdinal, at: sandbox.clock.now) }
    let device = try sandbox.devices.find(anyToken: token)
    try sandbox.database.run(
      "DELETE FROM pushes WHERE sandbox = ? AND (token = ? OR device = ?)", sandbox.id, token, device?.ordinal
    )
  }

  /// Deletes a part, and leaves the rest as work that is due at once: see `Messages.clear`.
  func clearAll(after ordinal: Int, upTo end: Int, at time: Timestamp) throws {
    let first = try sandbox.database.first(
      "SELECT ordinal FROM pushes WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT 1", sandbox.id,
      ordinal
    ) { $0.int(0) }
    guard let first, first <= end else { return }
    let last = min(first + Self.ordinalsPerPart, end)
    try sandbox.database.run(
      "DELETE FROM pushes WHERE sandbox = ? AND ordinal >= ? AND ordinal <= ?", sandbox.id, first, last)
    if last < end { try sandbox.agenda.schedule(.clearPushes, on: end, detail: last, at: time) }
  }

  private static let ordinalsPerPart = 2_000

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

extension Push: TableRow {
  package static let table: StaticString = "pushes"
  package static let columns: StaticString = """
    ordinal, device, token, payload, storage_group, collapse_id, delivered_at, read_at, replaced_by
    """

  package init(from row: inout ColumnReader) {
    self.init(
      ordinal: row.int(), device: row.int(), token: row.text(), payload: row.text(),
      slot: PushSlot(storageGroup: row.optionalText(), collapseID: row.optionalText()),
      deliveredAt: row.optionalTime(), readAt: row.optionalTime(), replacedBy: row.optionalInt())
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(device)
    row.write(token)
    row.write(payload)
    row.write(slot.storageGroup)
    row.write(slot.collapseID)
    row.write(deliveredAt?.milliseconds)
    row.write(readAt?.milliseconds)
    row.write(replacedBy)
  }
}
