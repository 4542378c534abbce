/// Running statements. Each value is bound to one `?`; nil is NULL.
extension Database {
  /// Runs a statement without a result.
  package func run(_ sql: StaticString, _ values: any Bindable...)
    throws(DatabaseError)
  {
    let statement = try start(.whole(sql), values)
    defer { statement.reset() }
    while try next(statement) {}
  }

  /// The first row, decoded; `nil` when there is none.
  ///
  /// ```swift
  /// let sql: StaticString = "SELECT state, checks FROM verifications WHERE ordinal = ?"
  /// let verification = try database.first(sql, ordinal) { row in
  ///   (state: row.text(0), checks: row.int(1))
  /// }
  /// ```
  package func first<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) -> T
  ) throws(DatabaseError) -> T? {
    let statement = try start(.whole(sql), values)
    defer { statement.reset() }
    return try next(statement) ? read(Row(statement)) : nil
  }

  /// The same, if `read` can throw.
  package func first<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) throws -> T
  ) throws -> T? {
    let statement = try start(.whole(sql), values)
    defer { statement.reset() }
    return try next(statement) ? try read(Row(statement)) : nil
  }

  /// All rows, decoded.
  package func all<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) -> T
  ) throws(DatabaseError) -> [T] {
    let statement = try start(.whole(sql), values)
    defer { statement.reset() }
    var rows: [T] = []
    while try next(statement) { rows.append(read(Row(statement))) }
    return rows
  }

  /// The same, if `read` can throw.
  package func all<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) throws -> T
  ) throws -> [T] {
    let statement = try start(.whole(sql), values)
    defer { statement.reset() }
    var rows: [T] = []
    while try next(statement) { rows.append(try read(Row(statement))) }
    return rows
  }

  /// A statement with its values bound. A writing statement first starts the open savepoints.
  func start(_ text: StatementText, _ values: [any Bindable]) throws(DatabaseError) -> Statement {
    let statement = try prepare(text)
    var count: Int32 = 0
    for value in values {
      count += 1
      value.bind(to: Parameter(statement, count))
    }
    try finishBinding(of: statement, count)
    return statement
  }

  func prepare(_ text: StatementText) throws(DatabaseError) -> Statement {
    assertOnThread()
    let statement = try statement(text)
    if !lateRows.isEmpty { try writeLateRows(before: statement) }
    if statement.isWriting { try startSavepoints() }
    statement.start()
    return statement
  }

  func finishBinding(of statement: Statement, _ count: Int32) throws(DatabaseError) {
    do throws(DatabaseError) {
      try statement.finishBinding(count)
    } catch {
      statement.reset()
      throw error
    }
    if statement.isWriting { writtenBytes &+= statement.boundBytes &+ Int(count) &* Self.integerBytes }
  }

  func next(_ statement: Statement) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      return try statement.step()
    } catch {
      throw recorded(error)
    }
  }
}
