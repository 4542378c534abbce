package import Database

/// The database's schema, and the steps from one version to the next.
///
/// Until the first release, edit `schema.sql` and raise the version: a folder of an earlier one is not
/// opened. After it, add a numbered file to `Schema` and a line to this list, and leave `schema.sql` alone.
package enum DatabaseSchema {
  package static let migrations: [Migration] = [
    Migration(
      version: 28, name: "schema", sql: String(decoding: PackageResources.schema_sql, as: UTF8.self))
  ]

  /// The version of the last migration.
  package static let version = migrations.last?.version ?? 0
}
