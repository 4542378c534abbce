internal import CSQLite

/// One step from a version of the schema to the next.
package struct Migration: Sendable {
  /// The version that the database has afterwards, from 1.
  package let version: Int
  /// What it brings, in a few words.
  package let name: String
  /// The statements, separated by semicolons.
  package let sql: String

  /// Puts a step together.
  package init(version: Int, name: String, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
  }
}

extension Database {
  /// The version of the schema: that of the last migration, 0 for a new database.
  package var schemaVersion: Int {
    get throws(DatabaseError) { try first("PRAGMA user_version") { $0.int(0) } ?? 0 }
  }

  /// Brings the schema up to the last of the migrations, which stand in ascending order; each happens whole or
  /// not at all. A database that is newer than the last one is refused.
  package func migrate(_ migrations: [Migration]) throws(DatabaseError) {
    assertOnThread()
    precondition(!isInTransaction, "migrations open their own transactions")
    let versions = [0] + migrations.map(\.version)
    precondition(zip(versions, versions.dropFirst()).allSatisfy(<), "migrations in ascending order, from 1")
    let current = try schemaVersion
    guard let latest = versions.last, current <= latest else {
      throw DatabaseError(
        extendedCode: SQLITE_CANTOPEN,
        message: "the database has schema version \(current), this program knows \(versions.last ?? 0): "
          + "it was written by a newer one", sql: "")
    }
    for migration in migrations where migration.version > current { try apply(migration) }
  }

  /// Tables may be rebuilt in any order, so references are checked at the end of the step.
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
