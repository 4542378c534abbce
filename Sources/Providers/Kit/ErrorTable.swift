/// A provider's errors: its file `Errors.txt`, with a row per error.
///
/// ```
/// # Code, status, text.
/// 60202  429  Max check attempts reached
/// ```
/// Before the text are the format, for a provider with several, and a title, for problem documents
/// (RFC 9457).
package struct ErrorTable: Sendable {
  package struct Entry: Sendable {
    package let status: Status
    /// Nil if the provider does not document one.
    package let text: String?
    /// Of a problem document.
    package let title: String?
  }

  private struct Key: Hashable {
    let code: String
    let format: String?
  }

  /// In the order of the file.
  package let rows: [ErrorRow]
  private let entries: [Key: Entry]

  /// `names` are all types whose cases are errors of the file.
  package init(_ file: [UInt8], names: any ErrorName.Type...) {
    self = embedded {
      let table = try ErrorTable(file)
      for name in names { try table.checkNames(name) }
      return table
    }
  }

  init(_ file: [UInt8]) throws(TextTable.Mistake) {
    var rows: [ErrorRow] = []
    var entries: [Key: Entry] = [:]
    for row in try TextTable(file, columns: 3...5).rows {
      guard let status = Status(try row.number(1)) else { throw row.mistake(expected: "a status") }
      let (format, text) = (row.count > 3 ? row.optional(2) : nil, row.optional(row.count - 1))
      rows.append(ErrorRow(row[0], status.code, text ?? "", in: format))
      let entry = Entry(status: status, text: text, title: row.count > 4 ? row.optional(3) : nil)
      guard entries.updateValue(entry, forKey: Key(code: row[0], format: format)) == nil else {
        throw row.mistake(expected: "a new code; found \(row[0]) once more")
      }
    }
    (self.rows, self.entries) = (rows, entries)
  }

  /// Nil for an unknown code.
  package subscript(code: String, in format: String? = nil) -> Entry? {
    entries[Key(code: code, format: format)]
  }

  func checkNames<Name: ErrorName>(_: Name.Type) throws(TextTable.Mistake) {
    for name in Name.allCases where self[name.code, in: name.format] == nil {
      throw TextTable.Mistake("Errors.txt: expected a row of \(name.code)")
    }
  }
}

/// An enumeration of a provider's errors. Its raw values are their codes.
package protocol ErrorName: CaseIterable, RawRepresentable where RawValue: LosslessStringConvertible {
  /// Which has a row for each case.
  static var table: ErrorTable { get }
  /// Default: none.
  var format: String? { get }
}

extension ErrorName {
  package var format: String? { nil }
  package var status: Status { entry.status }
  package var message: String { entry.text ?? "" }

  package var entry: ErrorTable.Entry {
    guard let entry = Self.table[code, in: format] else { preconditionFailure("the table was not checked") }
    return entry
  }

  fileprivate var code: String { rawValue.description }
}
