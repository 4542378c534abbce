/// One of the values that SQLite stores.
package enum SQLValue: Sendable, Equatable {
  /// The SQL value NULL.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A double; SQLite keeps a NaN as NULL.
  case real(Double)
  /// A text.
  case text(String)
  /// A text whose UTF-8 bytes the caller vouches for: JSON, mostly.
  case utf8([UInt8])
  /// Bytes without an encoding.
  case blob([UInt8])
}

/// What may stand for a parameter of a statement; a type with one stored form joins by naming it.
package protocol Bindable: Sendable {
  /// The form in which the value is stored.
  var sqlValue: SQLValue { get }
}

extension Optional: Bindable where Wrapped: Bindable {
  /// NULL for `nil`.
  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension Int: Bindable {
  /// An integer.
  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: Bindable {
  /// An integer.
  package var sqlValue: SQLValue { .integer(self) }
}

extension Bool: Bindable {
  /// The integer 1 or 0.
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
  /// A real.
  package var sqlValue: SQLValue { .real(self) }
}

extension String: Bindable {
  /// A text.
  package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: Bindable {
  /// A blob.
  package var sqlValue: SQLValue { .blob(self) }
}

extension SQLValue: Bindable {
  /// Itself.
  package var sqlValue: SQLValue { self }
}
