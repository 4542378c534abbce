package import Database

/// The database's migrations, in order. To add one, add a numbered file to `Schema` and a line to this list.
package enum DatabaseSchema {
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "sandboxes", sql: text(PackageResources.schema_0001_sql)),
    Migration(version: 2, name: "carrier", sql: text(PackageResources.schema_0002_sql)),
    Migration(version: 3, name: "webhooks", sql: text(PackageResources.schema_0003_sql)),
    Migration(version: 4, name: "silent sessions", sql: text(PackageResources.schema_0004_sql)),
    Migration(version: 5, name: "steps", sql: text(PackageResources.schema_0005_sql)),
    Migration(version: 6, name: "devices", sql: text(PackageResources.schema_0006_sql)),
    Migration(version: 7, name: "push gateways", sql: text(PackageResources.schema_0007_sql)),
    Migration(version: 8, name: "webhook destinations", sql: text(PackageResources.schema_0008_sql)),
    Migration(version: 9, name: "webhook subjects", sql: text(PackageResources.schema_0009_sql)),
    Migration(version: 10, name: "unrendered webhooks", sql: text(PackageResources.schema_0010_sql)),
    Migration(version: 11, name: "states of handsets", sql: text(PackageResources.schema_0011_sql)),
    Migration(version: 12, name: "Apple's tokens", sql: text(PackageResources.schema_0012_sql)),
    Migration(version: 13, name: "pushes by token", sql: text(PackageResources.schema_0013_sql)),
    Migration(version: 14, name: "workshops", sql: text(PackageResources.schema_0014_sql)),
    Migration(version: 15, name: "quotas", sql: text(PackageResources.schema_0015_sql)),
    Migration(version: 16, name: "origins of rules", sql: text(PackageResources.schema_0016_sql)),
    Migration(version: 17, name: "revoked tokens", sql: text(PackageResources.schema_0017_sql)),
    Migration(version: 18, name: "revoked tokens by name", sql: text(PackageResources.schema_0018_sql)),
    Migration(version: 19, name: "numbers of rules", sql: text(PackageResources.schema_0019_sql)),
    Migration(version: 20, name: "credentials of sandboxes", sql: text(PackageResources.schema_0020_sql)),
  ]

  /// The version of the last migration.
  package static let version = migrations.last?.version ?? 0

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
