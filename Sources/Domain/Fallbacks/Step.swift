import Database

/// One channel of a verification that tries several, one after another.
///
/// ```
/// waiting ──started──> ongoing ────────────────────────────> verified, rejected, canceled   (with the verification)
///    │        └──> offered ──device reacts──> ongoing │
///    └──> skipped                                     └──timed out, not delivered, denied──> failed, rejected
/// ```
package struct Step: Equatable, Sendable {
  package enum State: String, CaseIterable, Sendable {
    /// Not started.
    case waiting
    /// Started, but the device that was asked has not reacted.
    case offered
    case ongoing
    case failed
    case verified
    /// Never started.
    case skipped
    /// The person denied, or too many codes were wrong.
    case rejected
    /// The verification was canceled.
    case canceled
  }

  package enum Failure: String, CaseIterable, Sendable {
    case timedOut = "timeOver"
    /// The carrier could not deliver the message; its receipts say why.
    case undelivered
    /// There is no device to ask, or it cannot answer.
    case unreachable
    /// Another number answered.
    case mismatched
    /// The person denied.
    case denied
  }

  /// The ordinal of the verification.
  package let verification: Int
  /// From 1.
  package let position: Int
  package let channel: Channel
  /// The time before the next step starts; nil for the last step, which has the rest of the verification's
  /// lifetime.
  package let timeout: Duration?
  package internal(set) var state: State
  package internal(set) var startedAt: Timestamp?
  package internal(set) var changedAt: Timestamp
  /// Nil before the start.
  package internal(set) var endsAt: Timestamp?
  /// The ordinal of the message that the step has sent.
  package internal(set) var message: Int?
  /// The last receipt of the device that was asked.
  package internal(set) var receipt: DeliveryReceipt.State?
  package internal(set) var failure: Failure?

  /// True if the step has started and not ended.
  package var isActive: Bool { state == .offered || state == .ongoing }

  /// The step after applying the state of its verification.
  ///
  /// When the verification has ended, an active step ends with it and a waiting step is skipped. The last
  /// step ends when the verification expires.
  func resolved(with verification: Verification) -> Step {
    var step = self
    if startedAt != nil, endsAt == nil { step.endsAt = verification.expiresAt }
    guard verification.state != .pending else { return step }
    switch state {
    case .waiting: step.state = .skipped
    case .offered, .ongoing:
      step.state = State(with: verification.state)
      step.failure = step.state == .failed ? .timedOut : nil
    default: return step
    }
    step.changedAt = verification.updatedAt
    return step
  }
}

extension Step.State {
  /// The state of an active step after its verification has ended.
  fileprivate init(with end: Verification.State) {
    switch end {
    case .pending: self = .ongoing
    case .approved: self = .verified
    case .denied, .exhausted: self = .rejected
    case .canceled: self = .canceled
    case .expired: self = .failed
    }
  }
}

extension Fallbacks {
  func rows(of verification: Int) throws -> [Step] {
    try sandbox.database.all(
      """
      SELECT verification, position, channel, span, state, begun_at, changed_at, ends_at, message, receipt,
        failure FROM steps WHERE sandbox = ? AND verification = ? ORDER BY position
      """, sandbox.id, verification, read: Step.init(row:))
  }

  /// The steps of the verifications after an ordinal, in order, of at most so many verifications.
  func page(after verification: Int, limit: Int) throws -> [Step] {
    try sandbox.database.all(
      """
      SELECT verification, position, channel, span, state, begun_at, changed_at, ends_at, message, receipt,
        failure FROM steps
      WHERE sandbox = ?1 AND verification > ?2 AND verification <= (
        SELECT max(verification) FROM (
          SELECT DISTINCT verification FROM steps WHERE sandbox = ?1 AND verification > ?2
          ORDER BY verification LIMIT ?3))
      """, sandbox.id, verification, limit, read: Step.init(row:))
  }

  func insert(_ step: Step) throws {
    try sandbox.database.run(
      """
      INSERT INTO steps (sandbox, verification, position, channel, span, state, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, step.verification, step.position, step.channel.rawValue, step.timeout?.milliseconds,
      step.state.rawValue, step.changedAt.milliseconds)
  }

  func update(_ step: Step) throws {
    try sandbox.database.run(
      """
      UPDATE steps SET state = ?, begun_at = ?, changed_at = ?, ends_at = ?, message = ?, receipt = ?,
        failure = ? WHERE sandbox = ? AND verification = ? AND position = ?
      """,
      step.state.rawValue, step.startedAt?.milliseconds, step.changedAt.milliseconds,
      step.endsAt?.milliseconds,
      step.message, step.receipt?.rawValue, step.failure?.rawValue, sandbox.id, step.verification,
      step.position)
  }
}

extension Step {
  fileprivate init(row: Row) throws(DatabaseError) {
    let state = try State(column: row.text(4), "the state of a step")
    self.init(
      verification: row.int(0), position: row.int(1), channel: try Channel(row.text(2)),
      timeout: row.optionalInt64(3).map { .milliseconds($0) }, state: state,
      startedAt: row.optionalInt64(5).map(Timestamp.init(milliseconds:)),
      changedAt: Timestamp(milliseconds: row.int64(6)),
      endsAt: row.optionalInt64(7).map(Timestamp.init(milliseconds:)), message: row.optionalInt(8),
      receipt: row.optionalText(9).flatMap(DeliveryReceipt.State.init),
      failure: row.optionalText(10).flatMap(Failure.init))
  }
}
