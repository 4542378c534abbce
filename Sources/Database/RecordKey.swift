/// The key of a table to which records are appended: the sandbox, and in the lower 40 bits the ordinal of the
/// record.
///
/// As the key is one integer and new records come last, SQLite fills one page after the other: a commit
/// changes half as many pages as with a key of two columns. `sandbox` and `ordinal` are computed columns of
/// such a table: read them, but search and sort by the key.
package struct RecordKey: Bindable, Equatable, Sendable {
  /// As in `schema.sql`.
  static let ordinalBits = 40
  /// The highest id that a sandbox can have.
  package static let lastSandbox = 1 << (Int.bitWidth - 1 - ordinalBits) - 1
  /// After all ordinals.
  package static let endOfOrdinals = 1 << ordinalBits - 1

  private let value: Int

  /// With an ordinal outside of the range, the key is before or after all records of the sandbox.
  package init(_ sandbox: Int, _ ordinal: Int) {
    precondition(0...Self.lastSandbox ~= sandbox, "no sandbox can have the id \(sandbox)")
    value = sandbox << Self.ordinalBits | min(max(ordinal, 0), Self.endOfOrdinals)
  }

  var column: ColumnValue { .integer(Int64(value)) }

  package func bind(to parameter: Parameter) { parameter.bind(integer: Int64(value)) }
}
