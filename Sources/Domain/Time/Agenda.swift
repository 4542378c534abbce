package import Basics
import Database

/// Scheduled work of one sandbox. The items are rows, so that they survive restarts and frozen clocks.
package struct Agenda {
  /// The kinds of work, and what `subject` and `detail` of an item mean.
  package enum Work: String, Sendable {
    /// Expire the verification `subject`. `detail` is its lifetime in milliseconds, or 0 if its expiry has
    /// moved.
    case expireVerification
    /// End step number `detail` of the verification `subject` if it timed out or its message was not
    /// delivered.
    case fallBack
    /// Deliver the message `subject` to its handset.
    case deliverMessage
    /// Report to the provider that the message `subject` could not be delivered.
    case reportLoss
    /// Send the webhook `subject`.
    case sendWebhook
    /// Report to the provider that the call `subject` continues. `detail` is the provider's.
    case continueCall
    /// Answer the challenge `subject` as the person usually does.
    case answerChallenge
    /// Delete old history.
    case sweepHistory
    /// Empty all inboxes, up to the message `subject`. Those up to `detail` are empty.
    case clearInboxes
    /// Empty the inbox of the message `subject`. That message and later ones are removed.
    case clearInbox
    /// Leave the messages of a number with `holder`: those before the message `subject`. `detail`: 1 for
    /// those on the SIM card only.
    case leaveMessages
    /// Delete all pushes, up to the push `subject`. Those up to `detail` are deleted.
    case clearPushes
    /// Let the provider that owns `subject` begin its work on it, or go on with it after `detail` pieces.
    case goOn
  }

  package struct Item: Sendable {
    package let dueAt: Timestamp
    package let work: Work
    /// The ordinal of what the work is done to.
    package let subject: Int
    package let detail: Int
    /// The trace of the request that has scheduled it.
    let trace: TraceContext?
    /// Only of `leaveMessages`.
    let holder: Holder?
    fileprivate let ordinal: Int
  }

  unowned let sandbox: Sandbox

  package func schedule(
    _ work: Work, on subject: Int, detail: Int = 0, holder: Holder? = nil, at time: Timestamp
  ) throws {
    try sandbox.database.run(
      """
      INSERT INTO agenda (sandbox, due_at, ordinal, kind, subject, detail, trace, holder)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, time.milliseconds, sandbox.nextOrdinal(), work.rawValue, subject, detail,
      sandbox.trace?.column, holder?.column)
    sandbox.derived.nextDue = min(sandbox.nextDue ?? time, time)
  }

  /// Removes and returns the first item, if it is due by `time`.
  func removeFirst(dueBy time: Timestamp) throws -> Item? {
    guard let item = try first, item.dueAt <= time else { return nil }
    try sandbox.database.run(
      "DELETE FROM agenda WHERE sandbox = ? AND due_at = ? AND ordinal = ?",
      sandbox.id, item.dueAt.milliseconds, item.ordinal)
    return item
  }

  /// The details and due times of all items of one kind.
  func details(of work: Work) throws -> [(detail: Int, dueAt: Timestamp)] {
    try sandbox.database.all(
      "SELECT detail, due_at FROM agenda WHERE sandbox = ? AND kind = ?", sandbox.id, work.rawValue
    ) { (detail: $0.int(0), dueAt: Timestamp(milliseconds: $0.int64(1))) }
  }

  /// Throws if an item is of an unknown kind, or has a damaged trace or holder.
  package func check() throws {
    _ = try sandbox.database.all(
      "SELECT DISTINCT trace FROM agenda WHERE sandbox = ? AND trace IS NOT NULL", sandbox.id
    ) { try TraceContext(optionalColumn: $0.optionalText(0)) }
    _ = try sandbox.database.all(
      "SELECT DISTINCT holder FROM agenda WHERE sandbox = ? AND holder IS NOT NULL", sandbox.id
    ) { try Holder(column: $0.text(0)) }
    _ = try sandbox.database.all("SELECT DISTINCT kind FROM agenda WHERE sandbox = ?", sandbox.id) {
      try Work(column: $0.text(0), "a kind of due work")
    }
  }

  /// The item that is due first.
  package var first: Item? {
    get throws {
      try sandbox.database.first(
        """
        SELECT due_at, kind, subject, detail, ordinal, trace, holder FROM agenda
        WHERE sandbox = ? ORDER BY due_at, ordinal LIMIT 1
        """, sandbox.id
      ) { row in
        let work = try Work(column: row.text(1), "a kind of due work")
        return Item(
          dueAt: Timestamp(milliseconds: row.int64(0)), work: work, subject: row.int(2),
          detail: row.int(3), trace: try TraceContext(optionalColumn: row.optionalText(5)),
          holder: try row.optionalText(6).map(Holder.init), ordinal: row.int(4))
      }
    }
  }
}

extension Agenda {
  /// Runs one agenda item. `time` is the time to which the clock is moving.
  func run(_ item: Item, until time: Timestamp) throws {
    switch item.work {
    case .expireVerification:
      try sandbox.verifications.expire(item)
    case .fallBack:
      try sandbox.fallbacks.runDueItem(item)
    case .answerChallenge:
      try sandbox.challenges.react(item)
    case .deliverMessage:
      try sandbox.messages.deliver(item)
    case .reportLoss:
      try sandbox.withClock(at: item.dueAt) { try sandbox.messages.reportLoss(item) }
    case .sendWebhook:
      try sandbox.webhooks.ready(item)
    case .continueCall:
      try sandbox.withClock(at: item.dueAt) { try sandbox.calls.continueCall(item) }
    case .clearInboxes:
      try sandbox.messages.clearInboxes(item)
    case .clearInbox:
      try sandbox.messages.clearInbox(item)
    case .leaveMessages:
      try sandbox.messages.leaveMessages(item)
    case .clearPushes:
      try sandbox.pushes.clearAll(after: item.detail, upTo: item.subject, at: item.dueAt)
    case .goOn:
      try sandbox.withClock(at: item.dueAt) {
        try sandbox.report(.workDue(on: item.subject, after: item.detail), to: nil)
      }
    case .sweepHistory:
      try sandbox.shared.settings.retention.sweep(sandbox, item, until: time)
    }
  }
}
