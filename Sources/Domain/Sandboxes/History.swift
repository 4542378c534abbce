import Database

/// How much of what is over a sandbox keeps: messages, events and ended verifications.
package struct History: Equatable, Sendable {
  /// How old a row may grow, on the sandbox's clock.
  package var age = Duration.seconds(7 * 86_400)
  /// How many ordinals back a row may lie; a verification with its message takes about five.
  package var span = 1_000_000
  /// How often age is looked at, on the sandbox's clock.
  static let interval = Duration.seconds(3600)
  /// How many ordinals beyond `span` are let pass before rows are removed.
  static let stride = 512

  /// Seven days, a million ordinals.
  package init() {}

  /// The ordinal before which everything that is over may go: behind the last happening that is too old.
  ///
  /// Not the first young happening's own, because what it happened to was numbered shortly before it.
  func horizon(of sandbox: Sandbox, now: Timestamp) throws -> Int {
    let young = try sandbox.database.first(
      "SELECT ordinal FROM happenings WHERE sandbox = ? AND at >= ? ORDER BY ordinal LIMIT 1",
      sandbox.id, (now - age).milliseconds
    ) { $0.int(0) }
    let old = try sandbox.database.first(
      "SELECT ordinal FROM happenings WHERE sandbox = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT 1",
      sandbox.id, young ?? Int.max
    ) { $0.int(0) }
    return max((old ?? 0) + 1, sandbox.lastOrdinal - span)
  }

  /// Removes what lies between two ordinals and is over; waiting verifications stay.
  func forget(_ range: Range<Int>, of sandbox: Sandbox) throws {
    let database = sandbox.database
    try database.run(
      "DELETE FROM messages WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM events WHERE sandbox = ? AND ordinal >= ? AND ordinal < ?",
      sandbox.id, range.lowerBound, range.upperBound)
    try database.run(
      "DELETE FROM verifications WHERE sandbox = ? AND ordinal >= ? AND ordinal < ? AND state <> 'pending'",
      sandbox.id, range.lowerBound, range.upperBound)
  }
}
