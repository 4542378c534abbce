import Database

/// A sandbox as the database has it.
struct SandboxRow {
  let id: Int
  let name: String
  let origin: Sandbox.Origin
  let clock: SandboxClock.Mode
  let entropySeed: Int
  let lastOrdinal: Int
  let starts: Int
  let startedAt: Timestamp

  /// All sandboxes, oldest first.
  static func all(in database: Database) throws -> [SandboxRow] {
    try database.all(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at FROM sandboxes ORDER BY id
      """, read: SandboxRow.init(row:))
  }

  /// The sandbox of this number.
  static func find(_ id: Int, in database: Database) throws -> SandboxRow? {
    try database.first(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at FROM sandboxes WHERE id = ?
      """, id, read: SandboxRow.init(row:))
  }

  /// Writes a new sandbox's row.
  static func insert(
    _ name: String, origin: Sandbox.Origin, at time: Timestamp, into database: Database
  ) throws -> SandboxRow? {
    let (word, value) = (origin.clock.word, origin.clock.value)
    try database.run(
      """
      INSERT INTO sandboxes (name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        first_entropy_seed, started_at, starts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      """,
      name, origin.entropySeed, word, value, word, value, origin.seeds.joined(separator: " "),
      origin.entropySeed, time.milliseconds)
    return try all(in: database).last { $0.name == name }
  }

  private init(row: Row) {
    id = row.int(0)
    name = row.text(1)
    entropySeed = row.int(2)
    clock = SandboxClock.Mode(word: row.text(3), value: row.int64(4))
    var origin = Sandbox.Origin()
    origin.clock = SandboxClock.Mode(word: row.text(5), value: row.int64(6))
    origin.entropySeed = row.int(10)
    origin.seeds = row.text(7).split(separator: " ").map(String.init)
    self.origin = origin
    lastOrdinal = row.int(8)
    starts = row.int(9)
    startedAt = Timestamp(milliseconds: row.int64(11))
  }
}
