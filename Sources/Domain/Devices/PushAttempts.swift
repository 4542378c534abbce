import Database

/// One request to push something, whether it was taken or not.
package struct PushAttempt: Equatable, Sendable {
  /// What a request names: a token, or a topic.
  package struct Target: Equatable, Sendable {
    /// As what it is named, in the provider's word.
    package let kind: String
    /// What is named.
    package let value: String

    /// A target from its parts.
    package init(kind: String, value: String) {
      self.kind = kind
      self.value = value
    }
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// When it came.
  package let at: Timestamp
  /// The provider that was asked.
  package let provider: String
  /// What it names; nil: nothing that can be read.
  package var target: Target?
  /// The HTTP status that it was answered with.
  package var status = 0
  /// The provider's own word for its refusal.
  package var code: String?
  /// Whether it only wanted to know what would be said.
  package var isDryRun = false
  /// How the provider names what it took.
  package var reference: String?

  /// Whether the push was taken, and sent.
  package var isAccepted: Bool { status < 300 && !isDryRun }
}

/// The requests of a sandbox to push something.
package struct PushAttempts {
  let sandbox: Sandbox

  /// A request that comes now; it is written down once its answer is known.
  package func begin(with provider: String) -> PushAttempt {
    PushAttempt(ordinal: sandbox.nextOrdinal(), at: sandbox.clock.now, provider: provider)
  }

  /// Writes a request down.
  package func record(_ attempt: PushAttempt) throws {
    try sandbox.database.run(
      """
      INSERT INTO push_attempts (sandbox, ordinal, at, provider, kind, target, status, code, is_dry_run, reference)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      sandbox.id, attempt.ordinal, attempt.at.milliseconds, attempt.provider, attempt.target?.kind,
      attempt.target?.value, attempt.status, attempt.code, attempt.isDryRun, attempt.reference)
  }

  /// Requests behind an ordinal that name a target, or any; oldest first, the newest where there are too many.
  package func all(naming target: String? = nil, after ordinal: Int = 0, limit: Int = 1000) throws
    -> [PushAttempt]
  {
    guard let target else {
      return try sandbox.database.all(
        """
        SELECT ordinal, at, provider, kind, target, status, code, is_dry_run, reference FROM push_attempts
        WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal DESC LIMIT ?
        """, sandbox.id, ordinal, limit, read: PushAttempt.init(row:)
      ).reversed()
    }
    return try sandbox.database.all(
      """
      SELECT ordinal, at, provider, kind, target, status, code, is_dry_run, reference
      FROM push_attempts INDEXED BY push_attempts_by_target
      WHERE sandbox = ? AND target = ? AND ordinal > ? ORDER BY ordinal DESC LIMIT ?
      """, sandbox.id, target, ordinal, limit, read: PushAttempt.init(row:)
    ).reversed()
  }

  /// How many requests for a target have failed for the moment since one was taken last: repeats of one call.
  package func failuresInARow(naming target: PushAttempt.Target) throws -> Int {
    try all(naming: target.value, limit: 100).reversed().filter { $0.target == target }
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
