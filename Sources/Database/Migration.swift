internal import CSQLite

/// A step from one schema version to the next.
package struct Migration: Sendable {
  /// The schema version after the step, from 1.
  package let version: Int
  /// For error messages.
  package let name: String
  /// Statements separated by semicolons.
  package let sql: String

  package init(version: Int, name: String, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
  }
}

extension Database {
  /// The version of the last migration; 0 for a new database.
  package var schemaVersion: Int {
    get throws(DatabaseError) { try first("PRAGMA user_version") { $0.int(0) } ?? 0 }
  }

  /// Runs all migrations after the current schema version, each in its own transaction. They must be in
  /// ascending order. A database that is newer than the last one, or older than the first one's, is an error.
  package func migrate(_ migrations: [Migration]) throws(DatabaseError) {
    assertOnThread()
    precondition(!isInTransaction, "migrations open their own transactions")
    let versions = [0] + migrations.map(\.version)
    precondition(
      zip(versions, versions.dropFirst()).allSatisfy(<), "migrations must be in ascending order, from 1")
    let current = try schemaVersion
    guard let latest = versions.last, current <= latest else {
      throw DatabaseError(
        extendedCode: SQLITE_CANTOPEN,
        message:
          "the database has schema version \(current), but this program supports only \(versions.last ?? 0); "
          + "use a newer version of ringfence", sql: "")
    }
    guard current == 0 || current >= migrations.first?.version ?? 0 else {
      throw DatabaseError(
        extendedCode: SQLITE_CANTOPEN,
        message:
          "the database has schema version \(current), which no release of ringfence has written; "
          + "use a new data folder", sql: "")
    }
    for migration in migrations where migration.version > current { try apply(migration) }
  }

  /// Foreign keys are checked at the end, so that a step can rebuild tables in any order.
  private func apply(_ migration: Migration) throws(DatabaseError) {
    try execute(script: "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try execute(script: migration.sql)
      if let table = try first("PRAGMA foreign_key_check", read: { $0.text(0) }) {
        throw DatabaseError(
          extendedCode: SQLITE_CONSTRAINT, message: "rows of \(table) refer to missing ones", sql: "")
      }
      try execute(script: "PRAGMA user_version = \(migration.version); COMMIT; PRAGMA foreign_keys = ON")
    } catch {
      try? execute(script: "ROLLBACK")
      try? execute(script: "PRAGMA foreign_keys = ON")
      throw DatabaseError(
        extendedCode: error.extendedCode,
        message: "migration \(migration.version) (\(migration.name)): \(error.message)", sql: error.sql)
    }
  }
}
