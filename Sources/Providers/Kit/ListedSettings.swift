package import Domain
package import JSON

/// A provider's settings of a sandbox, kept as one record of the records.
package protocol ListedSettings: Equatable {
  /// Whose they are.
  static var provider: String { get }
  /// Every one of them, as seeds have them.
  static var settings: [Setting<Self>] { get }
  /// All at their usual values.
  init()
}

extension ListedSettings {
  /// Changes what `fields` name, and leaves the rest.
  package mutating func merge(_ fields: Fields) throws(FieldError) {
    for setting in Self.settings { try setting.merge(fields, into: &self) }
  }

  /// The settings of a sandbox.
  package static func current(in sandbox: Sandbox) throws -> Self {
    try sandbox.records.read(key, in: section) { item in
      var settings = Self()
      try settings.merge(Fields(Array(item.record.utf8)))
      return settings
    }?.value ?? Self()
  }

  /// Keeps them for a sandbox.
  package func keep(in sandbox: Sandbox) throws {
    try sandbox.records.save(encoded, under: Self.key, of: "", in: Self.section)
  }

  /// All of them, as seeds have them.
  package var encoded: [UInt8] {
    JSONWriter.object { json in
      for setting in Self.settings { setting.put(self, to: &json) }
    }
  }

  private static var section: RecordStore.Section { RecordStore.Section(provider: provider, kind: key) }
  private static var key: String { "settings" }
}
