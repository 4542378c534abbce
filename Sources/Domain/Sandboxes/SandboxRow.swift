import Database
import JSON

/// A row of the table `sandboxes`.
struct SandboxRow {
  let id: Int
  let name: String
  let configuration: Sandbox.Configuration
  let clock: SandboxClock.Mode
  let entropySeed: Int
  let lastOrdinal: Int
  let starts: Int
  let startedAt: Timestamp

  /// Oldest first.
  static func all(in database: Database) throws -> [SandboxRow] {
    try database.all(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at FROM sandboxes ORDER BY id
      """, read: SandboxRow.init(row:))
  }

  static func find(_ id: Int, in database: Database) throws -> SandboxRow? {
    try database.first(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at FROM sandboxes WHERE id = ?
      """, id, read: SandboxRow.init(row:))
  }

  static func insert(
    _ name: String, configuration: Sandbox.Configuration, at time: Timestamp, into database: Database
  ) throws -> SandboxRow {
    let (word, value) = (configuration.clock.word, configuration.clock.value)
    try database.run(
      """
      INSERT INTO sandboxes (name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        first_entropy_seed, started_at, starts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      """,
      name, configuration.entropySeed, word, value, word, value, configuration.seeds.joined(separator: " "),
      configuration.entropySeed, time.milliseconds)
    let row = try database.first(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at FROM sandboxes WHERE name = ?
      """, name, read: SandboxRow.init(row:))
    guard let row else { throw DamagedState(expected: "a row of the new sandbox") }
    return row
  }

  private init(row: Row) {
    id = row.int(0)
    name = row.text(1)
    entropySeed = row.int(2)
    clock = SandboxClock.Mode(word: row.text(3), value: row.int64(4))
    var configuration = Sandbox.Configuration()
    configuration.clock = SandboxClock.Mode(word: row.text(5), value: row.int64(6))
    configuration.entropySeed = row.int(10)
    configuration.seeds = row.text(7).split(separator: " ").map(String.init)
    self.configuration = configuration
    lastOrdinal = row.int(8)
    starts = row.int(9)
    startedAt = Timestamp(milliseconds: row.int64(11))
  }
}

/// The name of a sandbox: 1 to 64 letters, digits, `-`, `_` and `.`, so that paths need no encoding.
package struct SandboxName: Equatable, Sendable {
  package let text: String

  /// Nil for other text.
  package init?(_ text: String) {
    let isValid = text.utf8.allSatisfy {
      $0.isDigit || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
    }
    guard (1...64).contains(text.utf8.count), isValid, text != ".", text != ".." else { return nil }
    self.text = text
  }
}
