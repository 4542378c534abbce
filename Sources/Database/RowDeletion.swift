extension Database {
  /// Deletes rows in which `filter` has this value, at most `limit`. Returns how many were deleted. The
  /// statements stay compiled.
  package func deleteRows(
    of table: Table, where filter: String, is value: Int, limit: Int
  ) throws(DatabaseError) -> Int {
    let deletion = try rowDeletion(of: table, where: filter)
    let keys = try deletion.keys(value, limit: limit)
    guard !keys.isEmpty else { return 0 }
    try startSavepoints()
    for key in keys { try deletion.delete(key) }
    return keys.count
  }

  private func rowDeletion(of table: Table, where filter: String) throws(DatabaseError) -> RowDeletion {
    let name = RowDeletion.Name(table: table.name, filter: filter)
    if let known = rowDeletions[name] { return known }
    let deletion = try RowDeletion(of: table, where: filter, on: self)
    rowDeletions[name] = deletion
    return deletion
  }
}

/// The statements that delete rows of a table in which a column has a value.
///
/// One row after the other: because of the foreign keys, a statement that deletes several makes a temporary
/// table of their keys, which takes as long as ten rows.
struct RowDeletion {
  struct Name: Hashable {
    let table: String
    let filter: String
  }

  private let hasRecordKey: Bool
  private let keyColumns: Int
  private let search: DynamicStatement
  private let deletion: DynamicStatement

  init(of table: Table, where filter: String, on database: Database) throws(DatabaseError) {
    let key = table.hasRecordKey ? ["key"] : table.key.map(\.quoted)
    (hasRecordKey, keyColumns) = (table.hasRecordKey, key.count)
    let (name, rows) = (table.name.quoted, table.selection(where: filter, is: 0).condition)
    search = try DynamicStatement(
      "SELECT \(key.joined(separator: ", ")) FROM \(name) WHERE \(rows) LIMIT ?", on: database)
    deletion = try DynamicStatement(
      "DELETE FROM \(name) WHERE \(key.map { "\($0) = ?" }.joined(separator: " AND "))", on: database)
  }

  /// The keys of such rows.
  func keys(_ value: Int, limit: Int) throws(DatabaseError) -> [[ColumnValue]] {
    defer { search.reset() }
    let bounds =
      hasRecordKey
      ? [RecordKey(value, 0).column, RecordKey(value, .max).column] : [.integer(Int64(value))]
    try search.bind(bounds + [.integer(Int64(limit))])
    var keys: [[ColumnValue]] = []
    while try search.step() { keys.append(search.row(count: keyColumns)) }
    return keys
  }

  func delete(_ key: [ColumnValue]) throws(DatabaseError) {
    defer { deletion.reset() }
    try deletion.bind(key)
    _ = try deletion.step()
  }
}
