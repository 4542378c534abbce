package import Domain
package import JSON

/// A provider's settings in a sandbox, kept as one record of the record store. Each setting is a field of the schema:
/// its type, its default and one sentence are documentation, validation and storage at once.
package protocol ProviderSettings: Equatable, Sendable {
  /// Name of the provider.
  static var provider: String { get }
  static var schema: Schema<Self> { get }
  /// All settings at their defaults, for sandboxes that have changed none.
  static var defaults: Shared<Self> { get }
  init()
}

extension ProviderSettings {
  /// The settings of a sandbox, shared between requests until they change.
  package static func shared(in sandbox: Sandbox) throws -> Shared<Self> {
    try sandbox.records.read(key, in: section) { item in
      var settings = Self()
      try schema.merge(Fields(Array(item.record.utf8)), into: &settings)
      return settings
    } ?? defaults
  }

  /// The settings of a sandbox.
  package static func current(in sandbox: Sandbox) throws -> Self { try shared(in: sandbox).value }

  /// Changes what a seed names, and leaves the rest.
  package static func load(_ seed: Fields, into sandbox: Sandbox) throws {
    var settings = try current(in: sandbox)
    try schema.merge(seed, into: &settings)
    try settings.keep(in: sandbox)
  }

  package func keep(in sandbox: Sandbox) throws {
    try sandbox.records.save(Self.schema.encode(self), under: Self.key, of: "", in: Self.section)
  }

  /// All settings, as seeds have them.
  package var json: JSON {
    get throws { try JSON(parsing: Self.schema.encode(self)) }
  }

  private static var section: RecordStore.Section { RecordStore.Section(provider: provider, kind: key) }
  private static var key: String { "settings" }
}
