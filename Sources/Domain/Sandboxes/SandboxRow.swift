import Basics
import Database
import JSON

/// A row of the table `sandboxes`.
struct SandboxRow {
  let id: Int
  private(set) var name: String
  let configuration: Sandbox.Configuration
  let clock: SandboxClock.Mode
  let entropySeed: Int
  /// The one that the sandbox was created with.
  let firstEntropySeed: Int
  let lastOrdinal: Int
  let starts: Int
  let startedAt: Timestamp
  /// The machine's time of a request that was saved; nil if none was.
  let lastRequest: Timestamp?

  /// Without hidden ones, oldest first.
  static func all(in database: Database) throws -> [SandboxRow] {
    try database.all(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at, ttl, last_request_at, messages, requests_per_second,
        stored_bytes, revoked_tokens FROM sandboxes LEFT JOIN quotas ON sandbox = id WHERE name < '~' ORDER BY id
      """, read: SandboxRow.init(row:))
  }

  static func find(_ id: Int, in database: Database) throws -> SandboxRow? {
    try database.first(
      """
      SELECT id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        last_ordinal, starts, first_entropy_seed, started_at, ttl, last_request_at, messages, requests_per_second,
        stored_bytes, revoked_tokens FROM sandboxes LEFT JOIN quotas ON sandbox = id WHERE id = ?
      """, id, read: SandboxRow.init(row:))
  }

  /// The ids of hidden sandboxes: those that are not there yet, or no longer. Their names begin with `~`,
  /// which clients cannot choose: see `SandboxName`.
  static func hidden(in database: Database) throws -> [Int] {
    try database.all("SELECT id FROM sandboxes WHERE name >= '~' ORDER BY id") { $0.int(0) }
  }

  /// Inserts a hidden sandbox. Returns its id.
  static func insertHidden(
    configuration: Sandbox.Configuration, seed: Int, at time: Timestamp, into database: Database
  ) throws -> Int {
    let (word, value) = (configuration.clock.word, configuration.clock.value)
    let id = try freeID(in: database)
    try database.run(
      """
      INSERT INTO sandboxes (id, name, entropy_seed, clock, clock_value, first_clock, first_clock_value, seeds,
        first_entropy_seed, started_at, starts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      """,
      id, hiddenName(of: id), seed, word, value, word, value, configuration.seeds.joined(separator: " "),
      seed,
      time.milliseconds)
    return id
  }

  /// After the newest sandbox; when there is no higher one, the lowest one that is free.
  private static func freeID(in database: Database) throws -> Int {
    let newest = try database.first("SELECT coalesce(max(id), 0) FROM sandboxes") { $0.int(0) } ?? 0
    guard newest >= RecordKey.lastSandbox else { return newest + 1 }
    let free = try database.first(
      """
      SELECT min(id) + 1 FROM (SELECT 0 AS id UNION ALL SELECT id FROM sandboxes) AS taken
      WHERE NOT EXISTS (SELECT 1 FROM sandboxes WHERE id = taken.id + 1)
      """
    ) { $0.int(0) }
    return free ?? 1
  }

  static func rename(_ id: Int, to name: String, in database: Database) throws {
    try database.run("UPDATE sandboxes SET name = ? WHERE id = ?", name, id)
  }

  static func hide(_ id: Int, in database: Database) throws {
    try rename(id, to: hiddenName(of: id), in: database)
  }

  private static func hiddenName(of id: Int) -> String { "~\(id)" }

  /// The same row with the name that a hidden sandbox will have.
  func named(_ name: String) -> SandboxRow {
    var row = self
    row.name = name
    return row
  }

  /// Saves what the server says about a sandbox, if that is anything.
  static func saveQuota(
    of configuration: Sandbox.Configuration, for id: Int, usedAt time: Timestamp, in database: Database
  ) throws {
    try database.run("DELETE FROM quotas WHERE sandbox = ?", id)
    let limits = configuration.limits
    guard configuration.ttl != nil || limits != Sandbox.Limits() || configuration.revokedTokens > 0 else {
      return
    }
    try database.run(
      """
      INSERT INTO quotas (sandbox, ttl, last_request_at, messages, requests_per_second, stored_bytes, revoked_tokens)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, id, configuration.ttl?.milliseconds, time.milliseconds, limits.messages, limits.requestsPerSecond,
      limits.storedBytes, configuration.revokedTokens)
  }

  private init(row: Row) {
    id = row.int(0)
    name = row.text(1)
    entropySeed = row.int(2)
    clock = SandboxClock.Mode(word: row.text(3), value: row.int64(4))
    var configuration = Sandbox.Configuration()
    configuration.clock = SandboxClock.Mode(word: row.text(5), value: row.int64(6))
    firstEntropySeed = row.int(10)
    configuration.entropySeed = firstEntropySeed
    configuration.seeds = row.text(7).split(separator: " ").map(String.init)
    configuration.ttl = row.optionalInt(12).map { .milliseconds($0) }
    configuration.limits.messages = row.optionalInt(14)
    configuration.limits.requestsPerSecond = row.optionalInt(15)
    configuration.limits.storedBytes = row.optionalInt(16)
    configuration.revokedTokens = row.optionalInt(17) ?? 0
    self.configuration = configuration
    lastRequest = row.optionalInt(13).map { Timestamp(milliseconds: Int64($0)) }
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
