package import Basics
package import Database

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
    /// The app has asked for the next channel.
    case passedOver
  }

  /// The ordinal of the verification.
  package let verification: Int
  /// From 1.
  package let position: Int
  package let channel: Channel
  /// The time before the next step starts; nil for a last step that has the rest of the verification's
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

  mutating func begin(at time: Timestamp) {
    state = channel.carriesCode ? .ongoing : .offered
    startedAt = time
    changedAt = time
    endsAt = timeout.map { time + $0 }
  }

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
    if let last = sandbox.derived.lastSteps, last.verification == verification { return last.steps }
    return try sandbox.database.all(
      Step.self, "WHERE sandbox = ? AND verification = ? ORDER BY position", sandbox.id, verification)
  }

  /// The steps of the verifications after an ordinal, in order, of at most so many verifications.
  package func page(after verification: Int, limit: Int) throws -> [Step] {
    try sandbox.database.all(
      Step.self,
      """
      WHERE sandbox = ?1 AND verification > ?2 AND verification <= (
        SELECT max(verification) FROM (
        SELECT DISTINCT verification FROM steps WHERE sandbox = ?1 AND verification > ?2
      ORDER BY verification LIMIT ?3))
      """, sandbox.id, verification, limit)
  }

  /// Inserts the steps of one verification, all of them, by position.
  func insert(_ steps: [Step]) throws {
    guard let verification = steps.first?.verification else { return }
    for step in steps { try sandbox.database.insertLate(step, of: sandbox.id) }
    sandbox.derived.lastSteps = (verification, steps)
  }

  func update(_ step: Step) throws {
    let (verification, position) = (step.verification, step.position)
    if sandbox.derived.lastSteps?.verification == verification {
      sandbox.derived.lastSteps?.steps[position - 1] = step
    }
    let isChanged = sandbox.database.changeLate(
      Step.self, where: { $0.verification == verification && $0.position == position }
    ) { $0 = step }
    guard !isChanged else { return }
    try sandbox.database.run(
      """
      UPDATE steps SET state = ?, begun_at = ?, changed_at = ?, ends_at = ?, message = ?, receipt = ?,
        failure = ? WHERE sandbox = ? AND verification = ? AND position = ?
      """,
      step.state.rawValue, step.startedAt?.milliseconds, step.changedAt.milliseconds,
      step.endsAt?.milliseconds,
      step.message, step.receipt?.rawValue, step.failure?.rawValue, sandbox.id, verification, position)
  }
}

extension Step: TableRow {
  package static let table: StaticString = "steps"
  package static let columns: StaticString = """
    verification, position, channel, span, state, begun_at, changed_at, ends_at, message, receipt, failure
    """

  package init(from row: inout ColumnReader) throws(DatabaseError) {
    self.init(
      verification: row.int(), position: row.int(), channel: try Channel(row.text()),
      timeout: row.optionalInt64().map { .milliseconds($0) },
      state: try State(column: row.text(), "the state of a step"), startedAt: row.optionalTime(),
      changedAt: row.time(), endsAt: row.optionalTime(), message: row.optionalInt(),
      receipt: row.optionalText().flatMap(DeliveryReceipt.State.init),
      failure: row.optionalText().flatMap(Failure.init))
  }

  package func write(to row: inout ColumnWriter) {
    row.write(verification)
    row.write(position)
    row.write(channel.rawValue)
    row.write(timeout?.milliseconds)
    row.write(state.rawValue)
    row.write(startedAt?.milliseconds)
    row.write(changedAt.milliseconds)
    row.write(endsAt?.milliseconds)
    row.write(message)
    row.write(receipt?.rawValue)
    row.write(failure?.rawValue)
  }
}
