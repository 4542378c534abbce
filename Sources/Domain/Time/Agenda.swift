import Database

/// Work of one sandbox that is due at a time: rows, so that it survives a restart and a frozen clock.
package struct Agenda {
  /// What is to be done.
  package enum Work: String, Sendable {
    /// The verification in `subject` has had its time; `detail` is its lifetime in milliseconds, 0 where its end
    /// has moved.
    case expireVerification
    /// The verification in `subject`: the step whose position is `detail` has had its time, or its message is lost.
    case fallBack
    /// The message in `subject` reaches its handset.
    case deliverMessage
    /// The carrier gives up the message in `subject`, of which its provider wants to know.
    case reportLoss
    /// The webhook in `subject` has an attempt.
    case sendWebhook
    /// An answer that was kept back is due: whoever waits for it is to look again.
    case answerLate
    /// The person asked by the challenge in `subject` does what they always do.
    case answerChallenge
    /// Old history goes.
    case sweepHistory
  }

  /// One piece of due work.
  package struct Item: Sendable {
    /// When it is due.
    package let dueAt: Timestamp
    /// What is to be done.
    package let work: Work
    /// The ordinal of what it is to be done to.
    package let subject: Int
    /// A number that the work needs besides.
    package let detail: Int
    fileprivate let ordinal: Int
  }

  unowned let sandbox: Sandbox

  /// Puts work down for a time.
  package func schedule(_ work: Work, on subject: Int, detail: Int = 0, at time: Timestamp) throws {
    try sandbox.database.run(
      "INSERT INTO agenda (sandbox, due_at, ordinal, kind, subject, detail) VALUES (?, ?, ?, ?, ?, ?)",
      sandbox.id, time.milliseconds, sandbox.nextOrdinal(), work.rawValue, subject, detail)
    sandbox.derived.nextDue = min(sandbox.nextDue ?? time, time)
  }

  /// Takes the first item that is due by `time` off the agenda.
  func takeFirst(dueBy time: Timestamp) throws -> Item? {
    guard let item = try first, item.dueAt <= time else { return nil }
    try sandbox.database.run(
      "DELETE FROM agenda WHERE sandbox = ? AND due_at = ? AND ordinal = ?",
      sandbox.id, item.dueAt.milliseconds, item.ordinal)
    return item
  }

  /// The details of all items of one kind of work, with when they are due.
  func details(of work: Work) throws -> [(detail: Int, dueAt: Timestamp)] {
    try sandbox.database.all(
      "SELECT detail, due_at FROM agenda WHERE sandbox = ? AND kind = ?", sandbox.id, work.rawValue
    ) { (detail: $0.int(0), dueAt: Timestamp(milliseconds: $0.int64(1))) }
  }

  /// The item that is due first.
  package var first: Item? {
    get throws {
      try sandbox.database.first(
        """
        SELECT due_at, kind, subject, detail, ordinal FROM agenda
        WHERE sandbox = ? ORDER BY due_at, ordinal LIMIT 1
        """, sandbox.id
      ) { row in
        guard let work = Work(rawValue: row.text(1)) else {
          preconditionFailure("the agenda holds unknown work: \(row.text(1))")
        }
        return Item(
          dueAt: Timestamp(milliseconds: row.int64(0)), work: work, subject: row.int(2),
          detail: row.int(3), ordinal: row.int(4))
      }
    }
  }
}
