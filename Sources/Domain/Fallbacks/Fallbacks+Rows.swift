import Database

/// The rows behind steps.
extension Fallbacks {
  func rows(of verification: Int) throws -> [Step] {
    try sandbox.database.all(
      """
      SELECT verification, position, channel, span, state, begun_at, changed_at, ends_at, message, receipt,
        failure FROM steps WHERE sandbox = ? AND verification = ? ORDER BY position
      """, sandbox.id, verification, read: Step.init(row:))
  }

  func insert(_ step: Step) throws {
    try sandbox.database.run(
      """
      INSERT INTO steps (sandbox, verification, position, channel, span, state, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, step.verification, step.position, step.channel.rawValue, step.span?.milliseconds,
      step.state.rawValue, step.changedAt.milliseconds)
  }

  func update(_ step: Step) throws {
    try sandbox.database.run(
      """
      UPDATE steps SET state = ?, begun_at = ?, changed_at = ?, ends_at = ?, message = ?, receipt = ?,
        failure = ? WHERE sandbox = ? AND verification = ? AND position = ?
      """,
      step.state.rawValue, step.begunAt?.milliseconds, step.changedAt.milliseconds, step.endsAt?.milliseconds,
      step.message, step.receipt?.rawValue, step.failure?.rawValue, sandbox.id, step.verification,
      step.position)
  }
}

extension Step {
  fileprivate init(row: Row) {
    guard let state = State(rawValue: row.text(4)) else {
      preconditionFailure("the database holds no such state of a step: \(row.text(4))")
    }
    self.init(
      verification: row.int(0), position: row.int(1), channel: Channel(row.text(2)),
      span: row.optionalInt64(3).map { .milliseconds($0) }, state: state,
      begunAt: row.optionalInt64(5).map(Timestamp.init(milliseconds:)),
      changedAt: Timestamp(milliseconds: row.int64(6)),
      endsAt: row.optionalInt64(7).map(Timestamp.init(milliseconds:)), message: row.optionalInt(8),
      receipt: row.optionalText(9).flatMap(DeliveryReceipt.State.init),
      failure: row.optionalText(10).flatMap(Failure.init))
  }
}
