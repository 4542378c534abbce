import Basics
import Database
import Domain
import JSON

/// The journal as a table of a snapshot.
extension Journal {
  static let snapshotTable = SnapshotTable(name: "journal", columns: snapshotColumns)

  private static let snapshotColumns: [Table.Column] = [
    .init(name: "ordinal", type: .integer), .init(name: "at", type: .integer),
    .init(name: "owner", type: .text), .init(name: "route", type: .text, isOptional: true),
    .init(name: "method", type: .text), .init(name: "target", type: .text),
    .init(name: "request_head", type: .blob), .init(name: "request_body", type: .blob),
    .init(name: "status", type: .integer), .init(name: "response_head", type: .blob),
    .init(name: "response_body", type: .blob), .init(name: "why", type: .text, isOptional: true),
    .init(name: "unread", type: .text), .init(name: "nearest", type: .text),
    .init(name: "newest_before", type: .integer), .init(name: "newest_after", type: .integer),
    .init(name: "verification", type: .integer, isOptional: true), .init(name: "delay", type: .integer),
  ]

  static func row(of exchange: Exchange) -> [ColumnValue] {
    [
      .integer(Int64(exchange.ordinal)), .integer(exchange.at.milliseconds), .text(exchange.owner),
      exchange.route.map { .text($0) } ?? .null, .text(exchange.method), .text(exchange.target),
      .blob(exchange.requestHead), .blob(exchange.requestBody), .integer(Int64(exchange.status)),
      .blob(exchange.responseHead), .blob(exchange.responseBody),
      exchange.reason.map { .text($0) } ?? .null, .text(list(exchange.unread)),
      .text(list(exchange.nearest)), .integer(Int64(exchange.effects.newestBefore)),
      .integer(Int64(exchange.effects.newestAfter)),
      exchange.effects.verification.map { .integer(Int64($0)) } ?? .null,
      .integer(exchange.delay.milliseconds),
    ]
  }

  /// Reads the exchange of a row, which follows `last`.
  static func exchange(
    _ row: [ColumnValue], number: Int, after last: Exchange?
  ) throws(FieldError) -> Exchange {
    let exchange = try exchange(row, path: "$.journal.rows[\(number)]")
    if let last, exchange.ordinal != last.ordinal + 1 {
      throw FieldError(
        path: "$.journal.rows[\(number)][0]", expected: "\(last.ordinal + 1)", found: "\(exchange.ordinal)")
    }
    return exchange
  }

  private static func exchange(_ row: [ColumnValue], path: String) throws(FieldError) -> Exchange {
    var values = row.makeIterator()
    func number() -> Int64 { values.next()?.integer ?? 0 }
    func optionalNumber() -> Int? { values.next()?.integer.map { Int($0) } }
    func text() -> String? { values.next()?.text }
    func bytes() -> [UInt8] { values.next()?.bytes ?? [] }
    func list(_ place: Int) throws(FieldError) -> [String] {
      let text = text() ?? ""
      guard let json = try? JSON(parsing: Array(text.utf8)), case .array(let items) = json else {
        throw FieldError(
          path: "\(path)[\(place)]", expected: "an array of strings, as text", found: "\"\(text)\"")
      }
      return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    func ordinal(_ place: Int, from first: Int = 0) throws(FieldError) -> Int {
      let (ordinal, last) = (Int(number()), Snapshot.newestOrdinal)
      guard first...last ~= ordinal else {
        throw FieldError(
          path: "\(path)[\(place)]", expected: "an integer from \(first) to \(last)", found: "\(ordinal)")
      }
      return ordinal
    }
    let position = try ordinal(0, from: 1)
    var exchange = Exchange(
      at: Timestamp(milliseconds: number()), owner: text() ?? "", route: text(), method: text() ?? "",
      target: text() ?? "", requestHead: bytes(), requestBody: bytes(), status: Int(number()),
      responseHead: bytes(), responseBody: bytes(), why: text(), unread: try list(12), nearest: try list(13),
      effects: Effects(
        newestBefore: try ordinal(14), newestAfter: try ordinal(15), verification: optionalNumber()),
      delay: .milliseconds(number()))
    exchange.ordinal = position
    return exchange
  }

  /// A list of texts as JSON.
  private static func list(_ texts: [String]) -> String {
    String(decoding: JSONWriter.array(texts) { $0.value($1) }, as: UTF8.self)
  }
}
