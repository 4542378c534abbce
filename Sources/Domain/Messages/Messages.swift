import Database

/// The messages of a sandbox: submitted to the carrier, and read from handsets' inboxes.
package struct Messages {
  /// Which messages are asked for.
  package struct Filter: Sendable {
    /// Only to this destination.
    package var destination: String?
    /// Only of this channel.
    package var channel: Channel?
    /// Only from this provider.
    package var provider: String?
    /// Only with a code in them.
    package var hasCode = false
    /// Only those behind this ordinal.
    package var after = 0

    /// No restriction.
    package init() {}
  }

  let sandbox: Sandbox

  /// Hands a message to the carrier, which decides at once what becomes of it.
  ///
  /// The provider may put it off to a time, and say when it is worth nothing any more.
  @discardableResult
  package func submit(
    _ draft: MessageDraft, to subscriber: Subscriber?, at time: Timestamp? = nil,
    expiring end: Timestamp? = nil
  ) throws -> Message {
    let now = time ?? sandbox.clock.now
    var plan = try sandbox.scenarios.plan(for: draft, to: subscriber)
    if let end { plan = plan.limited(to: end - now) }
    let ordinal = sandbox.nextOrdinal()
    let call = plan.call.map {
      Call($0, of: draft, ordinal: ordinal, settledAfter: plan.receipts.all.last?.after ?? .zero)
    }
    let isShown = call?.isHeard ?? true
    let message = Message(
      ordinal: ordinal, provider: draft.provider, reference: draft.reference,
      channel: draft.channel, destination: draft.destination, sender: draft.sender,
      text: isShown ? draft.text : "", code: isShown ? draft.code : nil, submittedAt: now,
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

  /// Tells a provider that the carrier has given up its message, where it was not released meanwhile.
  func reportLoss(_ item: Agenda.Item) throws {
    guard let message = try find(item.subject), message.failure == item.dueAt else { return }
    try sandbox.report(.lost(message), to: message.provider)
  }

  /// Delivers what the carrier holds for a number: its handset can be reached again. Source: `carrier.md` 4.3.
  ///
  /// What was decided at submission is amended: on the handset now, and acknowledged now. Its provider takes
  /// notice.
  package func release(to number: PhoneNumber, over channels: Set<Channel>) throws {
    for message in try held(number.description) where channels.contains(message.channel) {
      if message.channel == .push, try sandbox.pushes.isWaitingForDevice(message) { continue }
      try release(message)
    }
  }

  /// Delivers one message that is held, where it is not too late.
  func release(_ message: Message) throws {
    let now = sandbox.clock.now
    guard let end = message.receipts.all.last, end.state == .expired, message.submittedAt <= now,
      message.submittedAt + end.after > now
    else { return }
    let elapsed = now - message.submittedAt
    let receipts = DeliveryReceipts(
      message.receipts.all.filter { $0.after <= elapsed } + [DeliveryReceipt(.delivered, after: elapsed)])
    let released = try amend(message, arrivesAt: now, receipts: receipts)
    try sandbox.events.append(
      .messageArrived, provider: message.provider, subject: message.ordinal,
      destination: message.destination, at: now)
    if message.channel == .push { try sandbox.challenges.noteArrival(of: message, at: now) }
    try sandbox.report(.released(released), to: message.provider)
  }

  /// Empties the inbox of a destination, or of all: what is on handsets, and what was on its way to them or held
  /// for them is put off to the end of time. The carrier keeps what it knows of the messages, the log its events.
  package func clear(destination: String?) throws {
    if let destination {
      try sandbox.database.run(
        """
        UPDATE messages INDEXED BY messages_by_destination SET arrives_at = ?
        WHERE sandbox = ? AND destination = ?
        """, Timestamp.latest.milliseconds, sandbox.id, destination)
    } else {
      try sandbox.database.run(
        "UPDATE messages SET arrives_at = ? WHERE sandbox = ?", Timestamp.latest.milliseconds, sandbox.id)
    }
  }

  /// Lets a message show what nobody had heard so far.
  func reveal(_ text: String, code: String?, in message: Message) throws -> Message {
    try sandbox.database.run(
      "UPDATE messages SET text = ?, code = ? WHERE sandbox = ? AND ordinal = ?", text, code, sandbox.id,
      message.ordinal)
    return try find(message.ordinal) ?? message
  }
}
