package import Basics
package import Database

// Values of columns, for the rows of all tables.

extension ColumnReader {
  package mutating func time() -> Timestamp { Timestamp(milliseconds: int64()) }
  package mutating func optionalTime() -> Timestamp? { optionalInt64().map { Timestamp(milliseconds: $0) } }
}

extension Channel {
  /// Reads a column.
  init(_ word: String) throws(DatabaseError) { try self.init(column: word, "a channel") }
}

extension RawRepresentable where RawValue == String {
  /// Reads a column. Only a damaged file has another value.
  init(column: String, _ expected: String) throws(DatabaseError) {
    guard let known = Self(rawValue: column) else { throw .damagedValue(column, expected: expected) }
    self = known
  }
}
