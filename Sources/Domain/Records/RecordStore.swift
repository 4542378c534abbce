import Basics
import Database
import JSON

/// Provider records. The core stores them but does not interpret them.
package struct RecordStore {
  package struct Item: Equatable, Sendable {
    /// Lists are sorted by it.
    package let ordinal: Int
    /// The provider's id of the record.
    package let key: String
    /// A JSON object.
    package let record: String

    package init(ordinal: Int, key: String, record: String) {
      self.ordinal = ordinal
      self.key = key
      self.record = record
    }
  }

  /// All records of one kind of one provider.
  package struct Section: Hashable, Sendable {
    let provider: String
    let kind: String

    package init(provider: String, kind: String) {
      self.provider = provider
      self.kind = kind
    }
  }

  let sandbox: Sandbox

  /// The record under a key, decoded. The decoded value is cached until the record changes.
  package func read<Value>(
    _ key: String, in section: Section, as decode: (Item) throws -> Value
  ) throws -> Shared<Value>? {
    try cached(key, in: section) { Shared(try decode($0)) } as? Shared<Value>
  }

  func cached(_ key: String, in section: Section, as decode: (Item) throws -> AnyObject) throws -> AnyObject?
  {
    if let entry = sandbox.derived.recordCache.find(key, in: section) { return entry.object }
    guard try hasRecords(section) else { return nil }
    let object = try find(key, in: section).map(decode)
    sandbox.derived.recordCache.insert(object, under: key, in: section)
    return object
  }

  /// Most tables of a provider are empty, and most requests ask several of them about a number.
  private func hasRecords(_ section: Section) throws -> Bool {
    if let known = sandbox.derived.recordCache.hasRecords(section) { return known }
    let found = try sandbox.database.first(
      "SELECT 1 FROM records WHERE sandbox = ? AND provider = ? AND kind = ? LIMIT 1", sandbox.id,
      section.provider, section.kind
    ) { $0.int(0) }
    sandbox.derived.recordCache.note(section, hasRecords: found != nil)
    return found != nil
  }

  /// A listed record, decoded. Lists do not displace what is cached.
  package func decoded<Value>(
    _ item: Item, in section: Section, as decode: (Item) throws -> Value
  ) throws -> Value {
    if let known = cachedObject(for: item, in: section) as? Shared<Value> { return known.value }
    let shared = Shared(try decode(item))
    cacheIfRoom(shared, for: item, in: section)
    return shared.value
  }

  /// Caches a record that was just saved.
  package func cache<Value>(_ value: Value, for item: Item, in section: Section) {
    cacheIfRoom(Shared(value), for: item, in: section)
  }

  func cachedObject(for item: Item, in section: Section) -> AnyObject? {
    sandbox.derived.recordCache.find(item.key, in: section)?.object
  }

  func cacheIfRoom(_ object: AnyObject, for item: Item, in section: Section) {
    guard sandbox.derived.recordCache.hasRoom else { return }
    sandbox.derived.recordCache.insert(object, under: item.key, in: section)
  }

  /// The record under a key, of any owner.
  package func find(_ key: String, in section: Section) throws -> Item? {
    try sandbox.database.first(
      """
      SELECT ordinal, key, record FROM records WHERE sandbox = ? AND provider = ? AND kind = ? AND key = ?
      """, sandbox.id, section.provider, section.kind, key, read: Item.init(row:))
  }

  /// Saves a record. An existing record keeps its owner and its ordinal.
  package func save(_ record: [UInt8], under key: String, of owner: String, in section: Section) throws {
    try save(
      Item(ordinal: sandbox.nextOrdinal(), key: key, record: String(decoding: record, as: UTF8.self)),
      of: owner, in: section)
  }

  /// Saves a record under an ordinal that the caller already has.
  package func save(_ item: Item, of owner: String, in section: Section) throws {
    forget(item.key, before: item.ordinal, in: section)
    try sandbox.database.run(
      """
      INSERT INTO records (sandbox, provider, kind, key, owner, ordinal, record) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (sandbox, provider, kind, key) DO UPDATE SET record = excluded.record
      """,
      sandbox.id, section.provider, section.kind, item.key, owner, item.ordinal, item.record)
  }

  /// Throws if a section is full. Check this before a provider's call creates a record.
  package func requireRoom(for new: Int = 1, in section: Section, limit: Int) throws {
    let count = try sandbox.database.first(
      "SELECT count(*) FROM records WHERE sandbox = ? AND provider = ? AND kind = ?", sandbox.id,
      section.provider, section.kind
    ) { $0.int(0) }
    guard (count ?? 0) + new <= limit else {
      throw FieldError(
        path: section.kind, expected: "at most \(limit) in a sandbox; delete some first", found: "\(limit)")
    }
  }

  /// Adds a record under a new key, after deleting the oldest ones of the owner if there are more than
  /// `maximum` with it.
  package func add(_ item: Item, of owner: String, in section: Section, keeping maximum: Int) throws {
    let history = History(section: section, owner: owner)
    let excess = try count(of: history) + 1 - maximum
    if excess > 0 {
      for old in try list(section, of: owner, limit: excess) { _ = try delete(old.key, in: section) }
    }
    try save(item, of: owner, in: section)
    sandbox.derived.historyCounts.change(history, by: 1)
  }

  private func count(of history: History) throws -> Int {
    if let known = sandbox.derived.historyCounts[history] { return known }
    let section = history.section
    let count =
      try sandbox.database.first(
        "SELECT count(*) FROM records WHERE sandbox = ? AND provider = ? AND kind = ? AND owner = ?",
        sandbox.id, section.provider, section.kind, history.owner
      ) { $0.int(0) } ?? 0
    sandbox.derived.historyCounts[history] = count
    return count
  }

  /// Deletes a record. Returns false if there was none.
  package func delete(_ key: String, in section: Section) throws -> Bool {
    forget(key, in: section)
    let owner = try sandbox.database.first(
      "DELETE FROM records WHERE sandbox = ? AND provider = ? AND kind = ? AND key = ? RETURNING owner",
      sandbox.id, section.provider, section.kind, key
    ) { $0.text(0) }
    guard let owner else { return false }
    sandbox.derived.historyCounts.change(History(section: section, owner: owner), by: -1)
    return true
  }

  /// Deletes an owner's records.
  package func deleteAll(_ section: Section, of owner: String) throws {
    sandbox.derived.recordCache = RecordCache()
    sandbox.derived.recordLists = RecordLists()
    sandbox.derived.historyCounts[History(section: section, owner: owner)] = nil
    try sandbox.database.run(
      "DELETE FROM records WHERE sandbox = ? AND provider = ? AND kind = ? AND owner = ?", sandbox.id,
      section.provider, section.kind, owner)
  }

  /// The oldest record of an owner. It is cached, because each new record asks if the oldest may go.
  package func oldest(_ section: Section, of owner: String) throws -> Item? {
    let history = History(section: section, owner: owner)
    if let known = sandbox.derived.recordLists.oldest, known.history == history { return known.item }
    let item = try list(section, of: owner, limit: 1).first
    sandbox.derived.recordLists.oldest = item.map { (history, $0, nil) }
    return item
  }

  /// The same, decoded, with its position in the list.
  package func oldest<Value>(
    _ section: Section, of owner: String, as decode: (Item) throws -> Value
  ) throws -> (position: Int, record: Value)? {
    guard let item = try oldest(section, of: owner) else { return nil }
    let known = sandbox.derived.recordLists.oldest?.decoded as? Shared<Value>
    let shared = try known ?? Shared(decoded(item, in: section, as: decode))
    sandbox.derived.recordLists.oldest?.decoded = shared
    return (item.ordinal, shared.value)
  }

  /// All records of an owner, decoded, oldest first. A short list is cached until its section changes.
  package func all<Value>(
    _ section: Section, of owner: String, as decode: (Item) throws -> Value
  ) throws -> [(position: Int, record: Value)] {
    typealias Found = Shared<[(position: Int, record: Value)]>
    let history = History(section: section, owner: owner)
    if let known = sandbox.derived.recordLists.find(history) as? Found { return known.value }
    let found = try list(section, of: owner).map {
      (position: $0.ordinal, record: try decoded($0, in: section, as: decode))
    }
    if found.count <= RecordLists.maxCount { sandbox.derived.recordLists.insert(Found(found), of: history) }
    return found
  }

  /// Drops what is cached of a record. Call this before it is written, perhaps as the oldest, or deleted.
  private func forget(_ key: String, before ordinal: Int = .max, in section: Section) {
    sandbox.derived.recordCache.remove(key, in: section)
    sandbox.derived.recordLists.remove(key, before: ordinal, in: section)
  }

  /// A page of an owner's records, oldest first.
  package func list(
    _ section: Section, of owner: String, from boundary: PageBoundary = .after(0), limit: Int = Int.max
  ) throws -> [Item] {
    switch boundary {
    case .after(let ordinal):
      try sandbox.database.all(
        """
        SELECT ordinal, key, record FROM records
        WHERE sandbox = ? AND provider = ? AND kind = ? AND owner = ? AND ordinal > ? ORDER BY ordinal LIMIT ?
        """, sandbox.id, section.provider, section.kind, owner, ordinal, limit, read: Item.init(row:))
    case .before(let ordinal):
      try sandbox.database.all(
        """
        SELECT ordinal, key, record FROM records
        WHERE sandbox = ? AND provider = ? AND kind = ? AND owner = ? AND ordinal < ?
        ORDER BY ordinal DESC LIMIT ?
        """, sandbox.id, section.provider, section.kind, owner, ordinal, limit, read: Item.init(row:)
      ).reversed()
    }
  }

  /// A provider's records of all kinds after an ordinal, oldest first.
  package func all(
    ofProvider provider: String, kind: String? = nil, after ordinal: Int = 0, limit: Int = 1000
  ) throws -> [(kind: String, owner: String, item: Item)] {
    try sandbox.database.all(
      """
      SELECT ordinal, key, record, kind, owner FROM records
      WHERE sandbox = ?1 AND provider = ?2 AND (?3 IS NULL OR kind = ?3) AND ordinal > ?4
      ORDER BY ordinal LIMIT ?5
      """, sandbox.id, provider, kind, ordinal, limit
    ) { (kind: $0.text(3), owner: $0.text(4), item: Item(row: $0)) }
  }

  /// The records of all owners, oldest first.
  package func all(_ section: Section) throws -> [Item] {
    guard try hasRecords(section) else { return [] }
    return try sandbox.database.all(
      """
      SELECT ordinal, key, record FROM records WHERE sandbox = ? AND provider = ? AND kind = ? ORDER BY ordinal
      """, sandbox.id, section.provider, section.kind, read: Item.init(row:))
  }
}

/// Where a page of a list starts or ends. The record with this ordinal is not on the page.
package enum PageBoundary: Equatable, Sendable {
  case after(Int)
  case before(Int)
}

extension RecordStore.Item {
  fileprivate init(row: Row) {
    self.init(ordinal: row.int(0), key: row.text(1), record: row.text(2))
  }
}

/// The records of one kind that have one owner.
struct History: Hashable {
  let section: RecordStore.Section
  let owner: String
}

/// How many records histories have that records are added to.
struct HistoryCounts {
  private var counts: [History: Int] = [:]
  private static let limit = 1000

  /// Nil: not counted.
  subscript(history: History) -> Int? {
    get { counts[history] }
    set {
      if counts.count >= Self.limit, counts[history] == nil { counts = [:] }
      counts[history] = newValue
    }
  }

  mutating func change(_ history: History, by difference: Int) {
    if let count = counts[history] { counts[history] = count + difference }
  }
}

/// What is known of the lists of owners.
struct RecordLists {
  /// Longer lists are not cached.
  static let maxCount = 100
  /// Few enough to search one by one.
  private static let limit = 8
  private var lists: [(history: History, records: AnyObject)] = []
  /// The first record of the list whose first record was asked for last.
  var oldest: (history: History, item: RecordStore.Item, decoded: AnyObject?)?

  func find(_ history: History) -> AnyObject? { lists.first { $0.history == history }?.records }

  /// Adds a list. At the limit, all others are removed first.
  mutating func insert(_ records: AnyObject, of history: History) {
    if lists.count == Self.limit { lists = [] }
    lists.append((history, records))
  }

  mutating func remove(_ key: String, before ordinal: Int, in section: RecordStore.Section) {
    lists.removeAll { $0.history.section == section }
    guard let oldest, oldest.history.section == section else { return }
    if oldest.item.key == key || ordinal < oldest.item.ordinal { self.oldest = nil }
  }
}

/// Decoded records, and keys known to have no record.
struct RecordCache {
  struct Entry {
    fileprivate let section: RecordStore.Section
    /// The decoded record; nil if there is none.
    let object: AnyObject?
  }

  /// By key only: two sections rarely have the same key, and hashing three texts costs as much as reading a
  /// row.
  private var entries: [String: [Entry]] = [:]
  private static let limit = 1000
  /// Few enough to search one by one.
  private var sections: [(section: RecordStore.Section, hasRecords: Bool)] = []

  /// Nil if not known.
  func hasRecords(_ section: RecordStore.Section) -> Bool? {
    sections.first { $0.section == section }?.hasRecords
  }

  mutating func note(_ section: RecordStore.Section, hasRecords: Bool) {
    sections.append((section, hasRecords))
  }

  var hasRoom: Bool { entries.count < Self.limit }

  func find(_ key: String, in section: RecordStore.Section) -> Entry? {
    entries[key]?.first { $0.section == section }
  }

  /// Adds an entry, or replaces it. At the limit, all others are removed first.
  mutating func insert(_ object: AnyObject?, under key: String, in section: RecordStore.Section) {
    if !hasRoom { entries = [:] }
    Self.insert(Entry(section: section, object: object), into: &entries[key, default: []])
  }

  private static func insert(_ entry: Entry, into known: inout [Entry]) {
    known.removeAll { $0.section == entry.section }
    known.append(entry)
  }

  /// Call this before a record is written under the key.
  mutating func remove(_ key: String, in section: RecordStore.Section) {
    sections.removeAll { $0.section == section && !$0.hasRecords }
    entries[key]?.removeAll { $0.section == section }
  }
}
