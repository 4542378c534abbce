/// A provider's settings in a sandbox, stored as one record. The schema's fields serve as documentation,
/// validation and storage format.
package protocol ProviderSettings: Equatable, Sendable {
  /// The provider's name.
  static var provider: String { get }
  static var schema: Schema<Self> { get }
  /// For sandboxes without changed settings.
  static var defaults: Shared<Self> { get }
  init()
}

extension ProviderSettings {
  /// The settings of a sandbox. Requests share one object until the settings change.
  package static func shared(in sandbox: Sandbox) throws -> Shared<Self> {
    try sandbox.records.read(key, in: section) { item in
      var settings = Self()
      try schema.merge(Fields(Array(item.record.utf8)), into: &settings)
      return settings
    } ?? defaults
  }

  package static func current(in sandbox: Sandbox) throws -> Self { try shared(in: sandbox).value }

  /// For error responses, which must not fail themselves: without readable settings, the defaults.
  package static func readable(in sandbox: Sandbox) -> Self { (try? current(in: sandbox)) ?? Self() }

  /// The member `settings` of a seed, which changes what it names.
  package static func seed(_ summary: String? = nil) -> SeedMember {
    .object("settings", schema.object, summary ?? schema.summary) { fields, sandbox in
      var settings = try current(in: sandbox)
      try schema.merge(fields, into: &settings)
      try settings.keep(in: sandbox)
    } export: {
      schema.json(try current(in: $0))
    }
  }

  package func keep(in sandbox: Sandbox) throws {
    try sandbox.records.save(Self.schema.encode(self), under: Self.key, of: "", in: Self.section)
  }

  private static var section: RecordStore.Section { RecordStore.Section(provider: provider, kind: key) }
  private static var key: String { "settings" }
}
