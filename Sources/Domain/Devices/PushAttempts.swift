package import Basics
package import Database

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

  /// True for a temporary failure.
  fileprivate var hasFailed: Bool { status == 429 || status >= 500 }
}

package struct PushAttempts {
  let sandbox: Sandbox

  /// A request that arrives now; call `record` once its answer is known.
  package func start(with provider: String) -> PushAttempt {
    PushAttempt(ordinal: sandbox.nextOrdinal(), at: sandbox.clock.now, provider: provider)
  }

  package func record(_ attempt: PushAttempt) throws {
    try sandbox.database.insert(attempt, of: sandbox.id)
  }

  /// The oldest requests after an ordinal, for a target or all; oldest first.
  package func page(naming target: String? = nil, after ordinal: Int = 0, limit: Int = 1000) throws
    -> [PushAttempt]
  {
    guard let target else {
      return try sandbox.database.all(
        PushAttempt.self, "WHERE sandbox = ? AND ordinal > ? ORDER BY ordinal LIMIT ?", sandbox.id, ordinal,
        limit)
    }
    return try sandbox.database.all(
      PushAttempt.self,
      """
      INDEXED BY push_attempts_by_target
      WHERE sandbox = ? AND target = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
      """, sandbox.id, target, ordinal, limit)
  }

  /// The newest requests for a target, newest first.
  private func newest(naming target: String, limit: Int) throws -> [PushAttempt] {
    try sandbox.database.all(
      PushAttempt.self,
      """
      INDEXED BY push_attempts_by_target
      WHERE sandbox = ? AND target = ? ORDER BY ordinal DESC LIMIT ?
      """, sandbox.id, target, limit)
  }

  /// The number of temporary failures for a target since its last accepted request: retries of one call.
  package func failuresInARow(naming target: PushAttempt.Target) throws -> Int {
    // Few requests follow a failure. For the others, one row is enough.
    if let last = try newest(naming: target.value, limit: 1).first, last.target == target, !last.hasFailed {
      return 0
    }
    return try newest(naming: target.value, limit: 100).filter { $0.target == target }
      .prefix(while: \.hasFailed).count
  }
}

extension PushAttempt: TableRow {
  package static let table: StaticString = "push_attempts"
  package static let columns: StaticString =
    "ordinal, at, provider, kind, target, status, code, is_dry_run, reference"

  package init(from row: inout ColumnReader) {
    self.init(
      ordinal: row.int(), at: row.time(), provider: row.text(), target: Target(from: &row),
      status: row.int(), code: row.optionalText(), isDryRun: row.bool(), reference: row.optionalText())
  }

  package func write(to row: inout ColumnWriter) {
    row.write(ordinal)
    row.write(at.milliseconds)
    row.write(provider)
    row.write(target?.kind)
    row.write(target?.value)
    row.write(status)
    row.write(code)
    row.write(isDryRun)
    row.write(reference)
  }
}

extension PushAttempt.Target {
  fileprivate init?(from row: inout ColumnReader) {
    let (kind, value) = (row.optionalText(), row.optionalText())
    guard let kind, let value else { return nil }
    self.init(kind: kind, value: value)
  }
}
