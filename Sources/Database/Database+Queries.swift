extension Database {
  /// Runs a statement for its effect; each value stands for one `?`. NULL is an optional's `nil` or, as a literal,
  /// `Null.null`.
  @inlinable
  package func run<each Value: Bindable>(_ sql: StaticString, _ values: repeat each Value)
    throws(DatabaseError)
  {
    let statement = try start(sql, repeat each values)
    defer { statement.reset() }
    while try next(statement) {}
  }

  /// The first row of an answer, as `read` sees it; `nil` when there is none.
  @inlinable
  package func first<T, each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, read: (Row) -> T
  ) throws(DatabaseError) -> T? {
    let statement = try start(sql, repeat each values)
    defer { statement.reset() }
    return try next(statement) ? read(Row(statement)) : nil
  }

  /// The same for a `read` that may refuse a row.
  @inlinable
  package func first<T, each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, read: (Row) throws -> T
  ) throws -> T? {
    let statement = try start(sql, repeat each values)
    defer { statement.reset() }
    return try next(statement) ? try read(Row(statement)) : nil
  }

  /// All rows of an answer, as `read` sees them.
  @inlinable
  package func all<T, each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, read: (Row) -> T
  ) throws(DatabaseError) -> [T] {
    let statement = try start(sql, repeat each values)
    defer { statement.reset() }
    var rows: [T] = []
    while try next(statement) { rows.append(read(Row(statement))) }
    return rows
  }

  /// The same for a `read` that may refuse a row.
  @inlinable
  package func all<T, each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, read: (Row) throws -> T
  ) throws -> [T] {
    let statement = try start(sql, repeat each values)
    defer { statement.reset() }
    var rows: [T] = []
    while try next(statement) { rows.append(try read(Row(statement))) }
    return rows
  }

  /// Visits the rows of an answer one after the other until `visit` returns `false`.
  @inlinable
  package func each<each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value, visit: (Row) throws -> Bool
  ) throws {
    let statement = try start(sql, repeat each values)
    defer { statement.reset() }
    while try next(statement), try visit(Row(statement)) {}
  }

  /// A statement with its values bound, inside the savepoints that a write needs.
  @inlinable
  func start<each Value: Bindable>(
    _ sql: StaticString, _ values: repeat each Value
  ) throws(DatabaseError) -> Statement {
    let statement = try begin(sql)
    var count: Int32 = 0
    for value in repeat each values {
      count += 1
      value.bind(to: Parameter(statement, count))
    }
    try finishBinding(of: statement, count)
    return statement
  }

  @usableFromInline
  func begin(_ sql: StaticString) throws(DatabaseError) -> Statement {
    assertOnThread()
    let statement = try statement(sql)
    if statement.isWriting { try beginSavepoints() }
    statement.begin()
    return statement
  }

  @usableFromInline
  func finishBinding(of statement: Statement, _ count: Int32) throws(DatabaseError) {
    do throws(DatabaseError) {
      try statement.finishBinding(count)
    } catch {
      statement.reset()
      throw error
    }
  }

  @usableFromInline
  func next(_ statement: Statement) throws(DatabaseError) -> Bool {
    do throws(DatabaseError) {
      return try statement.step()
    } catch {
      throw noted(error)
    }
  }
}
