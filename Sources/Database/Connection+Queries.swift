extension Connection {
  /// Runs a statement for its effect; each value stands for one `?`. NULL is an optional's `nil` or, as a literal,
  /// `SQLValue.null`.
  package func run(_ sql: StaticString, _ values: any Bindable...) throws(DatabaseError) {
    let statement = try start(sql, values)
    defer { statement.reset() }
    while try next(statement) {}
  }

  /// The first row of an answer, as `read` sees it; `nil` when there is none.
  package func first<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) -> T
  ) throws(DatabaseError) -> T? {
    let statement = try start(sql, values)
    defer { statement.reset() }
    return try next(statement) ? read(Row(statement.handle)) : nil
  }

  /// The same for a `read` that may refuse a row.
  package func first<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) throws -> T
  ) throws -> T? {
    let statement = try start(sql, values)
    defer { statement.reset() }
    return try next(statement) ? try read(Row(statement.handle)) : nil
  }

  /// All rows of an answer, as `read` sees them.
  package func all<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) -> T
  ) throws(DatabaseError) -> [T] {
    let statement = try start(sql, values)
    defer { statement.reset() }
    var rows: [T] = []
    while try next(statement) { rows.append(read(Row(statement.handle))) }
    return rows
  }

  /// The same for a `read` that may refuse a row.
  package func all<T>(
    _ sql: StaticString, _ values: any Bindable..., read: (Row) throws -> T
  ) throws -> [T] {
    let statement = try start(sql, values)
    defer { statement.reset() }
    var rows: [T] = []
    while try next(statement) { rows.append(try read(Row(statement.handle))) }
    return rows
  }

  /// Visits the rows of an answer one after the other until `visit` returns `false`.
  package func each(
    _ sql: StaticString, _ values: any Bindable..., visit: (Row) throws -> Bool
  ) throws {
    let statement = try start(sql, values)
    defer { statement.reset() }
    while try next(statement), try visit(Row(statement.handle)) {}
  }

  /// A statement with its values bound, inside the savepoints that a write needs.
  private func start(_ sql: StaticString, _ values: [any Bindable]) throws(DatabaseError) -> Statement {
    assertHere()
    let statement = try statement(sql)
    if statement.isWriting { try beginSavepoints() }
    do throws(DatabaseError) {
      try statement.bind(values)
    } catch {
      statement.reset()
      throw error
    }
    return statement
  }

  private func next(_ statement: Statement) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      return try statement.step()
    } catch {
      throw noted(error)
    }
  }
}
