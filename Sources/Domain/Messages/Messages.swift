import Database

/// The messages of a sandbox.
package struct Messages {
  /// Selects messages; nil matches all.
  package struct Filter: Sendable {
    package var destination: String?
    package var channel: Channel?
    package var provider: String?
    /// Only messages with a code.
    package var hasCode = false
    /// Only messages with a higher ordinal.
    package var after = 0
    /// Only messages with a lower ordinal.
    package var before = Int.max

    package init() {}
  }

  let sandbox: Sandbox

  /// Submits a message to the carrier, which decides its outcome at once.
  ///
  /// `time` delays the submission; the message expires at `end`.
  @discardableResult
  package func submit(
    _ draft: MessageDraft, to subscriber: Subscriber?, at time: Timestamp? = nil,
    expiring end: Timestamp? = nil
  ) throws -> Message {
    let now = time ?? sandbox.clock.now
    var (plan, note) = try sandbox.scenarios.plan(for: draft, to: subscriber)
    if let end { plan = plan.limited(to: end - now) }
    let ordinal = sandbox.nextOrdinal()
    let call = plan.call.map {
      Call($0, of: draft, ordinal: ordinal, settledAfter: plan.receipts.last?.after ?? .zero)
    }
    if let note { sandbox.deliveryNotes.add(note, about: ordinal) }
    let isShown = call?.isHeard ?? true
    let message = Message(
      ordinal: ordinal, provider: draft.provider, reference: draft.reference,
      channel: draft.channel, destination: draft.destination, sender: draft.sender,
      text: isShown ? plan.text(of: draft) : "", code: isShown && !plan.isGarbled ? draft.code : nil,
      submittedAt: now,
      arrivesAt: plan.arrivesAfter.map { now + $0 }, receipts: plan.receipts)
    try insert(message)
    if let call { try sandbox.calls.insert(call) }
    for _ in 1..<plan.copies { try insert(message.copy(ordinal: sandbox.nextOrdinal())) }
    if let arrival = message.arrivesAt, arrival > sandbox.clock.now {
      try sandbox.agenda.schedule(.deliverMessage, on: message.ordinal, at: arrival)
    }
    if draft.reportsLoss, let end = message.failure {
      try sandbox.agenda.schedule(.reportLoss, on: message.ordinal, at: end)
    }
    return message
  }

  func insert(_ message: Message) throws {
    sandbox.quota?.countMessage()
    sandbox.countEvent()
    try sandbox.database.insert(message, of: sandbox.id)
    try sandbox.destinations.add(.message, message.ordinal, of: message.destination)
  }

  /// Notifies a provider that the delivery has failed, unless the message was released meanwhile.
  func reportLoss(_ item: Agenda.Item) throws {
    guard let message = try find(item.subject), message.failure == item.dueAt else { return }
    try sandbox.report(.lost(message), to: message.provider)
  }

  /// Delivers the messages that the carrier holds for a number. Source: `carrier.md` 4.3.
  ///
  /// They arrive now and are acknowledged now; their providers are notified.
  package func release(to number: PhoneNumber, over channels: Set<Channel>) throws {
    for message in try held(number.description) where channels.contains(message.channel) {
      if message.channel == .push, try sandbox.pushes.isKeptBack(message) { continue }
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
    let released = try amend(message, arrivesAt: now, receipts: receipts)
    try sandbox.events.append(
      .messageArrived, provider: message.provider, subject: message.ordinal,
      destination: message.destination, at: now)
    if message.channel == .push {
      if let push = try sandbox.pushes.find(message.ordinal) { try sandbox.pushes.signal(push) }
      try sandbox.challenges.pushArrived(message, at: now)
    }
    try sandbox.report(.released(released), to: message.provider)
  }

  /// Takes back a message before its submission. Later, the carrier has it, and nothing happens.
  package func withdraw(_ ordinal: Int) throws {
    try sandbox.database.run(
      "DELETE FROM messages WHERE sandbox = ? AND ordinal = ? AND submitted_at > ?", sandbox.id, ordinal,
      sandbox.clock.now.milliseconds)
  }

  /// Empties the inbox of a destination, or all inboxes. All their messages, also those on the
  /// way, get an arrival time that never comes. The messages and events stay in the database.
  package func clear(destination: String?) throws {
    if let destination {
      try sandbox.destinations.newestFirst(.message, of: destination) { ordinal in
        try sandbox.database.run(
          "UPDATE messages SET arrives_at = ? WHERE sandbox = ? AND ordinal = ? AND destination = ?",
          Timestamp.latest.milliseconds, sandbox.id, ordinal, destination)
        return true
      }
    } else {
      try sandbox.database.run(
        "UPDATE messages SET arrives_at = ? WHERE sandbox = ?", Timestamp.latest.milliseconds, sandbox.id)
    }
  }

  /// Sets the text and code of a call once they have been heard.
  func reveal(_ text: String, code: String?, in message: Message) throws -> Message {
    try sandbox.database.run(
      "UPDATE messages SET text = ?, code = ? WHERE sandbox = ? AND ordinal = ?", text, code, sandbox.id,
      message.ordinal)
    return try find(message.ordinal) ?? message
  }
}

extension DeliveryPlan {
  /// The plan of a message that expires after `validity`: later receipts are replaced by one of the expiry.
  /// Source: `carrier.md` 4.3.
  func limited(to validity: Duration) -> DeliveryPlan {
    let inTime = receipts.all.filter { $0.after < validity }
    let isLate = inTime.count < receipts.all.count || (arrivesAfter.map { $0 >= validity } ?? false)
    guard isLate else { return self }
    var limited = DeliveryPlan(
      arrivesAfter: arrivesAfter.flatMap { $0 < validity ? $0 : nil },
      receipts: inTime + [DeliveryReceipt(.expired, after: validity, error: 60)])
    limited.copies = copies
    limited.isGarbled = isGarbled
    limited.call = call
    return limited
  }
}
