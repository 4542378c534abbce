package protocol StoredRecord: Sendable {
  static var table: RecordTable<Self> { get }
  var key: String { get }
  /// The list of the table in which it is. Default: that of all.
  var group: String { get }
}

extension StoredRecord {
  package var group: String { "" }

  package static func find(_ key: String, in sandbox: Sandbox) throws -> Self? {
    try table.find(key, in: sandbox)
  }

  /// Of all groups, oldest first.
  package static func all(in sandbox: Sandbox) throws -> [Self] { try table.all(in: sandbox) }

  /// Of one group, oldest first.
  package static func all(of group: String, in sandbox: Sandbox) throws -> [Self] {
    try table.list(group: group, in: sandbox).map(\.record)
  }

  package func save(in sandbox: Sandbox) throws {
    try Self.table.save(self, as: key, group: group, in: sandbox)
  }

  package func delete(in sandbox: Sandbox) throws { try Self.table.delete(key, in: sandbox) }
}
