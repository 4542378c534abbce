package import Database

/// The database's schema, and the steps from one version to the next.
///
/// To change it after a release, add a numbered file to `Schema` and a line to this list; `schema.sql` stays
/// as it is. Versions before 23 were never released.
package enum DatabaseSchema {
  package static let migrations: [Migration] = [
    Migration(
      version: 24, name: "schema", sql: String(decoding: PackageResources.schema_sql, as: UTF8.self))
  ]

  /// The version of the last migration.
  package static let version = migrations.last?.version ?? 0
}
