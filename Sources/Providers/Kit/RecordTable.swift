/// A provider's stored records of one type: typed access to `sandbox.records`.
///
/// ```swift
/// let table = RecordTable("template", of: Acme.name, schema) { Template() }
/// try table.save(template, as: template.id, group: template.account, in: sandbox)
/// let found = try table.find(template.id, in: sandbox)
/// let newest = try table.list(group: template.account, from: .before(.max), limit: 20, in: sandbox)
/// ```
package struct RecordTable<Record>: Sendable {
  private let section: RecordStore.Section
  private let decode: @Sendable (Fields) throws -> Record
  private let encode: @Sendable (Record, inout JSONWriter) -> Void

  /// `kind` separates the tables of the provider.
  package init(
    _ kind: String, of provider: String, decode: @escaping @Sendable (Fields) throws -> Record,
    encode: @escaping @Sendable (Record, inout JSONWriter) -> Void
  ) {
    section = RecordStore.Section(provider: provider, kind: kind)
    self.decode = decode
    self.encode = encode
  }

  /// A table of records that a schema describes. `empty` is the record before its members are read.
  package init(
    _ kind: String, of provider: String, _ schema: Schema<Record>, empty: @escaping @Sendable () -> Record
  ) {
    self.init(kind, of: provider) { fields in
      var record = empty()
      try schema.merge(fields, into: &record)
      return record
    } encode: {
      schema.write($0, to: &$1)
    }
  }

  /// A table of texts, such as an index from other keys to those of another table.
  package init(texts kind: String, of provider: String, member: String) where Record == String {
    self.init(kind, of: provider) {
      try $0.string(member)
    } encode: {
      $1.member(named: member, $0)
    }
  }

  package func find(_ key: String, in sandbox: Sandbox) throws -> Record? {
    try sandbox.records.read(key, in: section) { try read($0) }?.value
  }

  /// Inserts a record, or replaces the one with this key, which keeps its position in lists. `ordinal`: the
  /// number that the key was made from; it becomes the position. Nil: the next one.
  package func save(
    _ record: Record, as key: String, group: String = "", ordinal: Int? = nil, in sandbox: Sandbox
  ) throws {
    let item = item(of: record, as: key, ordinal: ordinal ?? sandbox.nextOrdinal())
    try save(record, as: item, group, in: sandbox)
  }

  /// A record as it is stored, for one that many sandboxes get.
  package struct Written {
    fileprivate let record: Record
    fileprivate let item: RecordStore.Item
    fileprivate let group: String
  }

  package func written(_ record: Record, as key: String, group: String = "", ordinal: Int) -> Written {
    Written(record: record, item: item(of: record, as: key, ordinal: ordinal), group: group)
  }

  package func save(_ written: Written, in sandbox: Sandbox) throws {
    try save(written.record, as: written.item, written.group, in: sandbox)
  }

  private func item(of record: Record, as key: String, ordinal: Int) -> RecordStore.Item {
    RecordStore.Item(ordinal: ordinal, key: key, record: JSONWriter.text { encode(record, &$0) })
  }

  private func save(
    _ record: Record, as item: RecordStore.Item, _ group: String, in sandbox: Sandbox
  ) throws {
    try sandbox.records.save(item, of: group, in: section)
    cache(record, for: item, in: sandbox)
  }

  /// Adds a record to a history under a new key, and deletes the oldest ones of the group so that at most
  /// `maximum` are left.
  package func add(
    _ record: Record, as key: String, group: String, ordinal: Int, keeping maximum: Int, in sandbox: Sandbox
  ) throws {
    let item = item(of: record, as: key, ordinal: ordinal)
    try sandbox.records.add(item, of: group, in: section, keeping: maximum)
    cache(record, for: item, in: sandbox)
  }

  /// So that the next request need not decode it.
  private func cache(_ record: Record, for item: RecordStore.Item, in sandbox: Sandbox) {
    assert(isReadAsWritten(item), "what was read is written differently: \(item.record)")
    sandbox.records.cache(record, for: item, in: section)
  }

  private func isReadAsWritten(_ item: RecordStore.Item) -> Bool {
    guard let record = try? read(item) else { return false }
    return JSONWriter.object { encode(record, &$0) } == Array(item.record.utf8)
  }

  /// Throws if the table has no room for so many new records. Check this before creating them.
  package func requireRoom(
    for count: Int = 1, in sandbox: Sandbox, limit: Int = SandboxLimits.records
  ) throws {
    try sandbox.records.requireRoom(for: count, in: section, limit: limit)
  }

  package func delete(_ key: String, in sandbox: Sandbox) throws {
    _ = try sandbox.records.delete(key, in: section)
  }

  package func deleteGroup(_ group: String, in sandbox: Sandbox) throws {
    try sandbox.records.deleteAll(section, of: group)
  }

  /// Deletes the oldest records of a group until `count` are left.
  package func trim(_ group: String, to count: Int, in sandbox: Sandbox) throws {
    let newest = try sandbox.records.list(section, of: group, from: .before(.max), limit: count + 1)
    for item in newest.dropLast(count) { try delete(item.key, in: sandbox) }
  }

  /// Deletes up to two records of a group that are older than the sandbox's history. If each new record calls
  /// this, there are never many.
  package func deleteOldest(of group: String = "", in sandbox: Sandbox) throws {
    for _ in 1...2 {
      guard let item = try sandbox.records.oldest(section, of: group), item.ordinal < sandbox.firstKeptOrdinal
      else { return }
      try delete(item.key, in: sandbox)
    }
  }

  /// The oldest record of a group, with its position in the list.
  package func oldest(of group: String = "", in sandbox: Sandbox) throws -> (position: Int, record: Record)? {
    try sandbox.records.oldest(section, of: group) { try read($0) }
  }

  /// The records of a group that a condition selects, next to a boundary, oldest first, with their positions
  /// in the list.
  package func list(
    group: String, from border: PageBoundary, limit: Int, in sandbox: Sandbox,
    where isSelected: (Record) -> Bool
  ) throws -> [(position: Int, record: Record)] {
    var found: [(position: Int, record: Record)] = []
    var border = border
    while found.count < limit {
      let batch = try list(group: group, from: border, limit: Self.batchSize, in: sandbox)
      let selected = batch.filter { isSelected($0.record) }
      switch border {
      case .after:
        found += selected
        border = .after(batch.last?.position ?? 0)
      case .before:
        found = selected + found
        border = .before(batch.first?.position ?? 0)
      }
      if batch.count < Self.batchSize { break }
    }
    if case .before = border { return Array(found.suffix(limit)) }
    return Array(found.prefix(limit))
  }

  /// The records of all groups, oldest first.
  package func all(in sandbox: Sandbox) throws -> [Record] {
    try sandbox.records.all(section).map { try record(of: $0, in: sandbox) }
  }

  /// All records of a group, oldest first, with their positions in the list.
  package func list(group: String = "", in sandbox: Sandbox) throws -> [(position: Int, record: Record)] {
    try sandbox.records.all(section, of: group) { try read($0) }
  }

  /// Records of a group next to a boundary, oldest first, with their positions in the list.
  package func list(
    group: String = "", from border: PageBoundary = .after(0), limit: Int = Int.max, in sandbox: Sandbox
  ) throws -> [(position: Int, record: Record)] {
    try sandbox.records.list(section, of: group, from: border, limit: limit).map {
      ($0.ordinal, try record(of: $0, in: sandbox))
    }
  }

  /// Records read at once while a condition selects some.
  private static var batchSize: Int { 100 }

  private func record(of item: RecordStore.Item, in sandbox: Sandbox) throws -> Record {
    try sandbox.records.decoded(item, in: section) { try read($0) }
  }

  private func read(_ item: RecordStore.Item) throws -> Record {
    try decode(Fields(Array(item.record.utf8)))
  }
}

extension JSONWriter {
  /// A document with one object, as records keep it.
  package static func text(_ write: (inout JSONWriter) -> Void) -> String {
    String(decoding: object(write), as: UTF8.self)
  }
}
