internal import CSQLite

/// A table as the database describes it, for code that copies rows of any table.
package struct Table: Sendable {
  package struct Column: Equatable, Sendable {
    package let name: String
    package let type: ColumnType
    package let isOptional: Bool

    package init(name: String, type: ColumnType, isOptional: Bool = false) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  package let name: String
  /// In the order of the table.
  package let columns: [Column]
  /// The primary key, in its order.
  let key: [String]
  /// The tables that foreign keys refer to.
  fileprivate let parents: Set<String>
  /// True if a `RecordKey` stands for the columns `sandbox` and `ordinal`.
  let hasRecordKey: Bool

  /// The same table without some of its columns.
  package func without(_ names: String...) -> Table {
    Table(
      name: name, columns: columns.filter { !names.contains($0.name) }, key: key, parents: parents,
      hasRecordKey: hasRecordKey)
  }

  /// The condition for the rows in which `filter` has a value, of those after a row; and the order of the
  /// key, which is empty if there is only one row.
  func selection(
    where filter: String, is value: Int, after last: [ColumnValue]? = nil
  ) -> (condition: String, order: String, values: [ColumnValue]) {
    let key = key.filter { $0 != filter }
    let position = last.map { last in
      key.compactMap { name in zip(columns, last).first { $0.0.name == name }?.1 }
    }
    if hasRecordKey {
      let earlier = if case .integer(let ordinal)? = position?.first { Int(ordinal) } else { 0 }
      let keys = [RecordKey(value, earlier), RecordKey(value, .max)]
      return ("key > ? AND key < ?", "key", keys.map(\.column))
    }
    let order = key.map(\.quoted).joined(separator: ", ")
    let places = key.map { _ in "?" }.joined(separator: ", ")
    return (
      "\(filter.quoted) = ?" + (position == nil ? "" : " AND (\(order)) > (\(places))"), order,
      [.integer(Int64(value))] + (position ?? [])
    )
  }
}

/// The types of strict tables that this program uses.
package enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case text = "TEXT"
  case blob = "BLOB"
}

package enum ColumnValue: Equatable, Sendable {
  case null
  case integer(Int64)
  /// UTF-8.
  case text(String)
  case blob([UInt8])

  /// In bytes.
  fileprivate var size: Int {
    switch self {
    case .null, .integer: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

extension Database {
  /// All tables; those that others refer to come first.
  package func tables() throws -> [Table] {
    var rest = try all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    ) { $0.text(0) }.map { try table($0) }
    var sorted: [Table] = []
    while !rest.isEmpty {
      let names = Set(rest.map(\.name))
      let next = rest.filter { names.isDisjoint(with: $0.parents.subtracting([$0.name])) }
      // Tables that refer to each other have no order.
      sorted += next.isEmpty ? rest : next
      rest = next.isEmpty ? [] : rest.filter { !next.map(\.name).contains($0.name) }
    }
    return sorted
  }

  private func table(_ name: String) throws -> Table {
    var columns = try all(
      #"SELECT name, type, "notnull" OR hidden FROM pragma_table_xinfo(?) ORDER BY cid"#, name
    ) { row in
      let type = try ColumnType(column: row.text(1))
      return Table.Column(name: row.text(0), type: type, isOptional: row.int(2) == 0)
    }
    var key = try all("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", name) { $0.text(0) }
    let computed = try all("SELECT name FROM pragma_table_xinfo(?) WHERE hidden ORDER BY cid", name) {
      $0.text(0)
    }
    if !computed.isEmpty {
      columns.removeAll { key.contains($0.name) }
      key = computed
    }
    let parents = try all(#"SELECT "table" FROM pragma_foreign_key_list(?)"#, name) { $0.text(0) }
    return Table(
      name: name, columns: columns, key: key, parents: Set(parents), hasRecordKey: !computed.isEmpty)
  }

  /// The rows in which `filter` has this value, in the order of the primary key: the first ones after `last`,
  /// at most `limit`, and no more after the one with which they have `bytes`.
  package func rows(
    of table: Table, where filter: String, is value: Int, after last: [ColumnValue]? = nil, limit: Int,
    bytes: Int = 1 << 18
  ) throws(DatabaseError) -> [[ColumnValue]] {
    let rows = table.selection(where: filter, is: value, after: last)
    // A table with one row for a sandbox has no other column in its key.
    if rows.order.isEmpty, last != nil { return [] }
    let names = table.columns.map(\.name.quoted).joined(separator: ", ")
    let statement = try DynamicStatement(
      """
      SELECT \(names) FROM \(table.name.quoted) WHERE \(rows.condition)\
      \(rows.order.isEmpty ? "" : " ORDER BY \(rows.order)") LIMIT ?
      """, on: self)
    try statement.bind(rows.values + [.integer(Int64(limit))])
    var found: [[ColumnValue]] = []
    var size = 0
    while size < bytes, try statement.step() {
      let row = statement.row(count: table.columns.count)
      size += row.reduce(0) { $0 + $1.size }
      found.append(row)
    }
    return found
  }

  /// The number and the size of the rows in which `filter` has this value, counted as in `writtenBytes`.
  package func size(
    of table: Table, where filter: String, is value: Int
  ) throws(DatabaseError) -> (rows: Int, bytes: Int) {
    let lengths = table.columns.filter { $0.type != .integer }
      .map { " + coalesce(length(CAST(\($0.name.quoted) AS BLOB)), 0)" }.joined()
    let fixed = (table.columns.count + 1) * Self.integerBytes
    let rows = table.selection(where: filter, is: value)
    let statement = try DynamicStatement(
      "SELECT count(*), coalesce(sum(\(fixed)\(lengths)), 0) FROM \(table.name.quoted) WHERE \(rows.condition)",
      on: self)
    try statement.bind(rows.values)
    guard try statement.step() else { return (0, 0) }
    let values = statement.row(count: 2).map { if case .integer(let value) = $0 { Int(value) } else { 0 } }
    return (values[0], values[1])
  }

  /// Inserts rows with the table's columns, each with this value in `filter`. Calls `failed` with the number
  /// of a row that the table does not accept, and throws its error.
  package func insert(
    _ rows: some Sequence<[ColumnValue]>, into table: Table, where filter: String, is value: Int,
    failed: (_ row: Int, DatabaseError) -> any Error
  ) throws {
    let columns = table.columns.map(\.name)
    let names = table.hasRecordKey ? ["key"] + columns.filter { $0 != "ordinal" } : [filter] + columns
    let places = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try DynamicStatement(
      "INSERT INTO \(table.name.quoted) (\(names.map(\.quoted).joined(separator: ", "))) VALUES (\(places))",
      on: self)
    try startSavepoints()
    let ordinal = table.hasRecordKey ? columns.firstIndex(of: "ordinal") : nil
    for (index, row) in rows.enumerated() {
      do throws(DatabaseError) {
        var values = row
        let key = try ordinal.map { place throws(DatabaseError) in
          try RecordKey(value, ordinal: values.remove(at: place)).column
        }
        try statement.bind([key ?? .integer(Int64(value))] + values)
        _ = try statement.step()
      } catch {
        throw failed(index, error)
      }
    }
  }

  /// Changes the columns of the rows in which `filter` has this value. The table has no `RecordKey`.
  package func update(
    _ table: Table, to values: [ColumnValue], where filter: String, is value: Int
  ) throws(DatabaseError) {
    let changes = table.columns.map { "\($0.name.quoted) = ?" }.joined(separator: ", ")
    let statement = try DynamicStatement(
      "UPDATE \(table.name.quoted) SET \(changes) WHERE \(filter.quoted) = ?", on: self)
    try startSavepoints()
    try statement.bind(values + [.integer(Int64(value))])
    _ = try statement.step()
  }
}

extension RecordKey {
  fileprivate init(_ sandbox: Int, ordinal: ColumnValue) throws(DatabaseError) {
    guard case .integer(let ordinal) = ordinal, 1..<Int64(Self.endOfOrdinals) ~= ordinal else {
      throw DatabaseError(
        extendedCode: SQLITE_CONSTRAINT, message: "the ordinal is not from 1 to \(Self.endOfOrdinals - 1)",
        sql: "")
    }
    self.init(sandbox, Int(ordinal))
  }
}

extension ColumnType {
  fileprivate init(column: String) throws(DatabaseError) {
    guard let type = ColumnType(rawValue: column) else {
      throw .damagedValue(column, expected: "a column of INTEGER, TEXT or BLOB")
    }
    self = type
  }
}

extension DatabaseError {
  /// True if a row breaks a rule of its table: a check, a key or a reference.
  package var isConstraint: Bool { code == SQLITE_CONSTRAINT }
}

extension String {
  /// As the name of a table or column.
  var quoted: String { "\"\(self)\"" }
}
