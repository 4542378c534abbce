import Database

/// Vendor-owned records that the core stores and does not understand.
@usableFromInline
package struct RecordStore {
  /// One record under its key.
  @usableFromInline
  package struct Item: Equatable, Sendable {
    /// Its number in the sandbox; lists go by it.
    package let ordinal: Int
    /// The vendor's id of it.
    package let key: String
    /// A JSON object.
    package let record: String

    /// A record from its parts.
    package init(ordinal: Int, key: String, record: String) {
      self.ordinal = ordinal
      self.key = key
      self.record = record
    }
  }

  /// Which part of the records: a provider and a kind of record.
  @usableFromInline
  package struct Section: Equatable, Sendable {
    let provider: String
    let kind: String

    /// The records of this kind that belong to this provider.
    package init(provider: String, kind: String) {
      self.provider = provider
      self.kind = kind
    }
  }

  let sandbox: Sandbox

  /// The record under a key as its provider reads it; it is read again only after it has changed.
  @inlinable
  package func read<Value>(
    _ key: String, in section: Section, as decode: (Item) throws -> Value
  ) throws -> Shared<Value>? {
    try copy(of: key, in: section) { Shared(try decode($0)) } as? Shared<Value>
  }

  @usableFromInline
  func copy(of key: String, in section: Section, as decode: (Item) throws -> AnyObject) throws -> AnyObject? {
    if let known = sandbox.derived.recordCache.find(key, in: section) { return known.object }
    let object = try find(key, in: section).map(decode)
    sandbox.derived.recordCache.keep(object, under: key, in: section)
    return object
  }

  /// The record under a key, whoever owns it.
  package func find(_ key: String, in section: Section) throws -> Item? {
    try sandbox.database.first(
      """
      SELECT ordinal, key, record FROM records WHERE sandbox = ? AND provider = ? AND kind = ? AND key = ?
      """, sandbox.id, section.provider, section.kind, key, read: Item.init(row:))
  }

  /// Keeps a record; one that is there under this key gives way, its owner and place stay.
  package func keep(_ record: [UInt8], under key: String, of owner: String, in section: Section) throws {
    try keep(
      Item(ordinal: sandbox.nextOrdinal(), key: key, record: String(decoding: record, as: UTF8.self)),
      of: owner, in: section)
  }

  /// Keeps a record at a place that was drawn before.
  package func keep(_ item: Item, of owner: String, in section: Section) throws {
    sandbox.derived.recordCache.forget(item.key, in: section)
    try sandbox.database.run(
      """
      INSERT INTO records (sandbox, provider, kind, key, owner, ordinal, record) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (sandbox, provider, kind, key) DO UPDATE SET record = excluded.record
      """,
      sandbox.id, section.provider, section.kind, item.key, owner, item.ordinal, item.record)
  }

  /// Forgets a record; says whether there was one.
  package func forget(_ key: String, in section: Section) throws -> Bool {
    sandbox.derived.recordCache.forget(key, in: section)
    try sandbox.database.run(
      "DELETE FROM records WHERE sandbox = ? AND provider = ? AND kind = ? AND key = ?",
      sandbox.id, section.provider, section.kind, key)
    return sandbox.database.changes > 0
  }

  /// An owner's records in order, oldest first: at most `limit` of those next to a border.
  package func list(
    _ section: Section, of owner: String, from border: Border = .after(0), limit: Int = Int.max
  ) throws -> [Item] {
    switch border {
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

  /// All that a provider keeps, oldest first, with the kind of each: at most `limit` records behind an ordinal.
  package func everything(
    of provider: String, kind: String? = nil, after ordinal: Int = 0, limit: Int = 1000
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
    try sandbox.database.all(
      """
      SELECT ordinal, key, record FROM records WHERE sandbox = ? AND provider = ? AND kind = ? ORDER BY ordinal
      """, sandbox.id, section.provider, section.kind, read: Item.init(row:))
  }
}

/// Where a page of a list begins or ends: an ordinal that is itself not on the page.
package enum Border: Equatable, Sendable {
  /// The page begins behind it.
  case after(Int)
  /// The page ends before it.
  case before(Int)
}

extension RecordStore.Item {
  fileprivate init(row: Row) {
    self.init(ordinal: row.int(0), key: row.text(1), record: row.text(2))
  }
}
