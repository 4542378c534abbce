import Database

/// One request for a push, accepted or rejected.
package struct PushAttempt: Equatable, Sendable {
  /// The target of a request: a token, or a topic.
  package struct Target: Equatable, Sendable {
    /// The provider's name for the kind of target.
    package let kind: String
    package let value: String

    package init(kind: String, value: String) {
      self.kind = kind
      self.value = value
    }
  }

  package let ordinal: Int
  package let at: Timestamp
  package let provider: String
  /// Nil if the request named no valid target.
  package var target: Target?
  /// The HTTP status of the answer.
  package var status = 0
  /// The provider's error code.
  package var code: String?
  /// True if the request only asked for validation.
  package var isDryRun = false
  /// The provider's id of the push.
  package var reference: String?

  /// True if the push was accepted and sent.
  package var isAccepted: Bool { status < 300 && !isDryRun }
}

package struct PushAttempts {
  let sandbox: Sandbox

  /// A request that arrives now; call `record` once its answer is known.
  package func start(with provider: String) -> PushAttempt {
    PushAttempt(ordinal: sandbox.nextOrdinal(), at: sandbox.clock.now, provider: provider)
  }

  package func record(_ attempt: PushAttempt) throws {
    try sandbox.database.run(
      """
      INSERT INTO push_attempts (sandbox, ordinal, at, provider, kind, target, status, code, is_dry_run, reference)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, attempt.ordinal, attempt.at.milliseconds, attempt.provider, attempt.target?.kind,
      attempt.target?.value, attempt.status, attempt.code, attempt.isDryRun, attempt.reference)
  }

  /// The oldest requests after an ordinal, for a target or all; oldest first.
  package func page(naming target: String? = nil, after ordinal: Int = 0, limit: Int = 1000) throws
    -> [PushAttempt]
  {
    guard let target else {
      return try sandbox.database.all(
        """
        SELECT ordinal, at, provider, kind, target, status, code, is_dry_run, reference FROM push_attempts
        WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
        """, sandbox.id, ordinal, limit, read: PushAttempt.init(row:))
    }
    return try sandbox.database.all(
      """
      SELECT ordinal, at, provider, kind, target, status, code, is_dry_run, reference
      FROM push_attempts INDEXED BY push_attempts_by_target
      WHERE sandbox = ? AND target = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
      """, sandbox.id, target, ordinal, limit, read: PushAttempt.init(row:))
  }

  /// The newest requests for a target, newest first.
  private func newest(naming target: String, limit: Int) throws -> [PushAttempt] {
    try sandbox.database.all(
      """
      SELECT ordinal, at, provider, kind, target, status, code, is_dry_run, reference
      FROM push_attempts INDEXED BY push_attempts_by_target
      WHERE sandbox = ? AND target = ? ORDER BY ordinal DESC LIMIT ?
      """, sandbox.id, target, limit, read: PushAttempt.init(row:))
  }

  /// The number of temporary failures for a target since its last accepted request: retries of one call.
  package func failuresInARow(naming target: PushAttempt.Target) throws -> Int {
    try newest(naming: target.value, limit: 100).filter { $0.target == target }
      .prefix { $0.status == 429 || $0.status >= 500 }.count
  }
}

extension PushAttempt {
  fileprivate init(row: Row) {
    self.init(
      ordinal: row.int(0), at: Timestamp(milliseconds: row.int64(1)), provider: row.text(2),
      target: row.optionalText(3).map { Target(kind: $0, value: row.text(4)) }, status: row.int(5),
      code: row.optionalText(6), isDryRun: row.int(7) != 0, reference: row.optionalText(8))
  }
}
