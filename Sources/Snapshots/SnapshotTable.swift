import Basics
import Database
import Domain
package import JSON

/// The shape of a table in a snapshot: the rows of a sandbox, or the exchanges of its journal.
struct SnapshotTable {
  let name: String
  let columns: [Table.Column]

  /// In error messages: `$.tables.messages`.
  var path: String { name == Journal.snapshotTable.name ? "$.journal" : "$.tables.\(name)" }

  /// Throws unless these are the names of the columns.
  func check(columns json: JSON) throws(FieldError) {
    let names = columns.map(\.name)
    guard json != .array(names.map { .string($0) }) else { return }
    throw FieldError(
      path: "\(path).columns", expected: "the columns \(names.joined(separator: ", "))", found: json)
  }

  /// Reads a row. `number` is its index.
  func row(_ number: Int, _ json: JSON) throws(FieldError) -> [ColumnValue] {
    let path = "\(path).rows[\(number)]"
    guard case .array(let values) = json, values.count == columns.count else {
      throw FieldError(path: path, expected: "an array of \(columns.count) values", found: json)
    }
    var row: [ColumnValue] = []
    row.reserveCapacity(values.count)
    for (place, column) in columns.enumerated() {
      row.append(try ColumnValue(values[place], for: column, path: "\(path)[\(place)]"))
    }
    return row
  }

  /// The index of a column; nil if there is none.
  func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

  static let schema = ObjectSchema(
    "SnapshotTable", "The rows of one table.",
    [
      .init("columns", .array(.string()), "The names of the columns, in order.", .required),
      .init(
        "rows", .array(.array(.any)),
        "The values. Bytes that are not UTF-8 are in an object, hexadecimal: hex.",
        .required),
    ])
}

extension ColumnValue {
  /// Every integer in a table is a time, a time span or a count, except for random seeds.
  private static let range = Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds
  private static let seeds: Set = ["entropy_seed", "first_entropy_seed"]
  /// Texts of several parts can have more combining marks in a row than requests may have.
  private static let markLimit = 300

  /// Reads a value that `json` has written. Throws if it cannot be in the column.
  init(_ json: JSON, for column: Table.Column, path: String) throws(FieldError) {
    switch (json, column.type) {
    case (.null, _) where column.isOptional: self = .null
    case (.integer(let value), .integer)
    where Self.range.contains(value) || Self.seeds.contains(column.name):
      self = .integer(value)
    case (.string(let text), .text): self = .text(text)
    case (.string(let text), .blob): self = .blob(Array(text.utf8))
    case (.object(let members), let type) where type != .integer:
      guard members.count == 1, members.first?.name == "hex",
        case .string(let digits)? = members.first?.value,
        let bytes = Hex.decode(digits.utf8), let value = ColumnValue(bytes, for: type)
      else { fallthrough }
      self = value
    default:
      throw FieldError(path: path, expected: Self.expected(in: column), found: json)
    }
  }

  private init?(_ bytes: [UInt8], for type: ColumnType) {
    guard type == .text else {
      self = .blob(bytes)
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self),
      !CombiningMarks.areTooMany(in: text, limit: Self.markLimit)
    else { return nil }
    self = .text(text)
  }

  private static func expected(in column: Table.Column) -> String {
    let value =
      switch column.type {
      case .integer: "an integer from \(range.lowerBound) to \(range.upperBound)"
      case .text: "a string"
      case .blob: "a string, or an object with hex"
      }
    return column.isOptional ? "\(value), or null" : value
  }

  var json: JSON {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .text(let text): Self.json(text) ?? Self.json(Array(text.utf8))
    case .blob(let bytes): String(validating: bytes, as: UTF8.self).flatMap(Self.json) ?? Self.json(bytes)
    }
  }

  /// Nil for a text that the parser of JSON rejects.
  private static func json(_ text: String) -> JSON? {
    CombiningMarks.areTooMany(in: text) ? nil : .string(text)
  }

  private static func json(_ bytes: [UInt8]) -> JSON {
    .object([.init(name: "hex", value: .string(Hex.encode(bytes)))])
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

extension Snapshot {
  /// Counts what a snapshot has, because one that cannot be restored is useless.
  struct Size {
    private var bytes = 0
    private var values = 0

    mutating func add(_ row: [ColumnValue]) throws(FieldError) {
      values += row.count + 1
      for value in row {
        switch value {
        case .null, .integer: bytes += 1
        case .text(let text): bytes += text.utf8.count
        case .blob(let blob):
          bytes += blob.count
          values += 1
        }
      }
      guard bytes <= SandboxLimits.snapshotBytes, values <= SandboxLimits.snapshotValues - 1000 else {
        throw Self.tooLarge
      }
    }

    static let tooLarge = FieldError(
      path: "sandbox",
      expected: "at most \(SandboxLimits.snapshotBytes >> 20) MiB and \(SandboxLimits.snapshotValues) values",
      found: "more; empty the journal, or start the server with a smaller --history")
  }
}

extension JSON.Limits {
  package static let snapshot = JSON.Limits(values: SandboxLimits.snapshotValues)
}
