package import Basics
import Database
package import Numbers

/// The messages of a sandbox.
package struct Messages {
  /// Selects messages; nil matches all.
  package struct Filter: Sendable {
    package var destination: String?
    package var channel: Channel?
    package var provider: String?
    /// Only messages with a code.
    package var hasCode = false
    /// Only messages after this ordinal; on handsets, after this place in the order of arrival.
    package var after = 0
    /// Likewise, only messages before it.
    package var before = Int.max
    /// On the handset of one number: whose messages.
    package var holder = HolderChoice.present

    package init() {}
  }

  let sandbox: Sandbox

  /// How many texts of a length in bytes are submitted in a few milliseconds, for work in pieces.
  package static func countPerPiece(ofLength length: Int) -> Int { min(20, max(4, 10_000 / max(1, length))) }

  /// Submits a message to the carrier, which decides its outcome at once.
  ///
  /// `time` delays the submission; the message expires at `end`.
  @discardableResult
  package func submit(
    _ draft: MessageDraft, to subscriber: Subscriber?, at time: Timestamp? = nil,
    expiring end: Timestamp? = nil
  ) throws -> Message {
    let now = time ?? sandbox.clock.now
    guard draft.code == nil, draft.channel.hasWrittenCodes else {
      return try carry(draft, to: subscriber, at: now, expiring: end)
    }
    let isRepeated = try isRepeated(draft, at: now)
    var draft = draft
    if let (code, source) = try ownCode(in: draft) { (draft.code, draft.codeSource) = (code, source) }
    let message = try carry(draft, to: subscriber, at: now, expiring: end)
    if isRepeated { sandbox.repeatedMessage = message.ordinal }
    return message
  }

  private func carry(
    _ draft: MessageDraft, to subscriber: Subscriber?, at now: Timestamp, expiring end: Timestamp?
  ) throws -> Message {
    var (plan, note) = try sandbox.scenarios.plan(for: draft, to: subscriber)
    if let end { plan = plan.limited(to: end - now) }
    let ordinal = sandbox.nextOrdinal()
    let call = plan.call.map {
      Call($0, of: draft, ordinal: ordinal, settledAfter: plan.receipts.last?.after ?? .zero)
    }
    if let note { sandbox.deliveryNotes.add(note, about: ordinal) }
    let isShown = call?.isHeard ?? true
    let shown = isShown ? try content(of: draft, plan.damage) : (text: "", code: nil)
    let arrivesAt = plan.arrivesAfter.map { now + $0 }
    let isAhead = arrivesAt.map { $0 > sandbox.clock.now } ?? false
    let message = Message(
      ordinal: ordinal, provider: draft.provider, reference: draft.reference,
      channel: draft.channel, destination: draft.destination, sender: draft.sender, text: shown.text,
      code: shown.code, submittedAt: now, arrivesAt: arrivesAt, receipts: plan.receipts,
      codeSource: draft.codeSource,
      arrival: isAhead ? (plan.arrivesAfterNext ? .afterNext : .later) : .atOnce)
    try insert(message)
    if let call { try sandbox.calls.insert(call) }
    for _ in 1..<plan.copies { try insert(message.copy(ordinal: sandbox.nextOrdinal())) }
    if let arrivesAt, isAhead {
      try sandbox.agenda.schedule(.deliverMessage, on: message.ordinal, at: arrivesAt)
    } else if arrivesAt != nil {
      try deliverOvertaken(by: message, at: now)
    }
    let hangUp = draft.reportsHangUp && call?.result == .hungUp ? call.map { now + $0.endsAfter } : nil
    if let end = hangUp ?? (draft.reportsLoss ? message.failure : nil) {
      try sandbox.agenda.schedule(.reportLoss, on: message.ordinal, at: end)
    }
    return message
  }

  /// True if the newest message to its receiver is the same, not 10 s old. Source: `senders.md` 1.
  private func isRepeated(_ draft: MessageDraft, at time: Timestamp) throws -> Bool {
    var filter = Filter()
    filter.destination = draft.destination
    guard let newest = try newestSubmitted(filter, limit: 1).first else { return false }
    return newest.provider == draft.provider && newest.text == draft.text && !draft.text.isEmpty
      && newest.submittedAt > time - .seconds(10)
  }

  /// The text and the code as the handset shows them.
  private func content(
    of draft: MessageDraft, _ damage: TextDamage?
  ) throws -> (text: String, code: String?) {
    guard let damage else { return (draft.text, draft.code) }
    return try damage.applied(to: draft) { try oldCode(before: draft) }
  }

  /// The code of an earlier message to the same destination; if there is none, one that was never sent.
  private func oldCode(before draft: MessageDraft) throws -> String {
    let earlier = try sandbox.newest(Message.self, to: draft.destination) {
      $0.provider == draft.provider && $0.code != nil && $0.code != draft.code
    }
    if let code = earlier?.code { return code }
    let length = draft.code?.count ?? 0
    let codes = (1...2).map {
      sandbox.entropy.code(length: length, for: draft.destination, provider: "old code", series: $0)
    }
    return codes.first { $0 != draft.code } ?? ""
  }

  func insert(_ message: Message) throws {
    if message.arrival == .afterNext { sandbox.derived.hasLateMessages = true }
    sandbox.quota?.countMessage()
    sandbox.countEvent()
    try sandbox.database.insert(message, of: sandbox.id)
    try sandbox.destinations.add(.message, message.ordinal, of: message.destination)
  }

  /// The ordinals of the duplicates of a message that was submitted right now.
  func copies(of message: Message) throws -> [Int] {
    guard sandbox.newestOrdinal > message.ordinal else { return [] }
    return try sandbox.database.all(
      "SELECT ordinal FROM messages WHERE key > ? AND key < ? ORDER BY key", sandbox.key(message.ordinal),
      sandbox.key(.max)
    ) { $0.int(0) }
  }

  /// Notifies a provider that the delivery has failed, unless the message was released meanwhile, or that the
  /// person has hung up.
  func reportLoss(_ item: Agenda.Item) throws {
    guard let message = try find(item.subject) else { return }
    let call = message.channel == .call ? try sandbox.calls.find(message.ordinal) : nil
    guard call?.result == .hungUp || message.failure == item.dueAt else { return }
    try sandbox.report(.lost(message), to: message.provider)
  }

  /// Delivers the messages that the carrier holds for a number. Source: `carrier.md` 4.3.
  ///
  /// They arrive now and are acknowledged now; their providers are notified.
  package func release(to number: PhoneNumber, over channels: Set<Channel>) throws {
    for message in try held(number.description) where channels.contains(message.channel) {
      if message.channel == .push, try sandbox.pushes.isKeptBack(message) { continue }
      if message.channel == .sms, try sandbox.scenarios.isInOutage(message) { continue }
      try release(message)
    }
  }

  /// Delivers one message that is held, unless it has expired.
  func release(_ message: Message) throws {
    let now = sandbox.clock.now
    guard let end = message.receipts.last, end.state == .expired, message.submittedAt <= now,
      message.submittedAt + end.after > now
    else { return }
    let elapsed = now - message.submittedAt
    let receipts = DeliveryReceipts(
      message.receipts.all.filter { $0.after <= elapsed } + [DeliveryReceipt(.delivered, after: elapsed)])
    try sandbox.events.append(
      .messageArrived, provider: message.provider, subject: message.ordinal,
      destination: message.destination, at: now)
    let released = try amend(
      message, arrivesAt: now, arrival: .at(sandbox.newestOrdinal), receipts: receipts)
    if message.channel == .push {
      if let push = try sandbox.pushes.find(message.ordinal) { try sandbox.pushes.signal(push) }
      try sandbox.challenges.pushArrived(message, at: now)
    }
    try sandbox.report(.released(released), to: message.provider)
  }

  /// Takes back a message before its submission. Later, the carrier has it, and nothing happens.
  package func withdraw(_ ordinal: Int) throws {
    try sandbox.database.run(
      "DELETE FROM messages WHERE key = ? AND submitted_at > ?", sandbox.key(ordinal),
      sandbox.clock.now.milliseconds)
  }

  /// Takes back a message that the carrier holds, so that it never arrives. False if it holds it no more.
  package func revoke(_ message: Message) throws -> Bool {
    let elapsed = sandbox.clock.now - message.submittedAt
    guard message.arrivesAt == nil, let end = message.receipts.last, end.state == .expired,
      end.after > elapsed
    else { return false }
    let receipts = DeliveryReceipts(
      message.receipts.all.filter { $0.after <= elapsed } + [DeliveryReceipt(.undeliverable, after: elapsed)])
    try sandbox.database.run(
      "UPDATE messages SET receipts = ? WHERE key = ?", receipts.column, sandbox.key(message.ordinal))
    return true
  }

  /// Sets the text of a call as far as it was said, and finds the code in it.
  func rewrite(_ text: String, of message: Message) throws {
    let code = try ownCode(in: text, isSpoken: true, parties: [message.destination, message.sender])
    try sandbox.database.run(
      "UPDATE messages SET text = ?, code = ?, code_source = ? WHERE key = ?", text, code,
      code.map { _ in CodeSource.speech.rawValue }, sandbox.key(message.ordinal))
  }

  /// Sets the text and code of a call once they have been heard.
  func reveal(_ text: String, code: String?, in message: Message) throws -> Message {
    try sandbox.database.run(
      "UPDATE messages SET text = ?, code = ? WHERE key = ?", text, code, sandbox.key(message.ordinal))
    return try find(message.ordinal) ?? message
  }
}
