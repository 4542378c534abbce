import ProviderKit

/// The query of a list, whose pages are numbered from 0. Source: `senders.md` 7 and the vendor's older pages,
/// docs/sms/sms-rest/sms-rest-batches-endpoint.md.
struct SMSListQuery {
  private let page: Int
  private let pageSize: Int
  let span: Range<Timestamp>
  let clientReference: String?

  /// So many are looked at in one piece of work.
  static let recipientsPerPiece = 50

  init(_ context: SMSContext) throws {
    let query = try context.request.query
    page = try query.number("page", 0...1_000_000) ?? 0
    pageSize = try query.number("page_size", 1...100) ?? 30
    clientReference = query.text("client_reference")
    let start = try Self.time("start_date", query) ?? context.now - .seconds(86_400)
    let end = try Self.time("end_date", query) ?? .latest
    span = start..<max(start, end)
  }

  private static func time(_ name: String, _ query: Form) throws -> Timestamp? {
    guard let text = query.text(name) else { return nil }
    guard let time = SMSTime.parse(text) else {
      throw SMSError.invalid(name, expected: "a time or date such as 2026-01-05")
    }
    return time
  }

  /// A list that is counted between other requests. `next` returns some of the matching items, and nil at the
  /// end.
  func reply<Item>(
    _ name: StaticString, _ next: @escaping () throws -> [Item]?,
    encode: @escaping (Item) throws -> [UInt8]
  ) -> Reply {
    let shown = page * pageSize..<(page + 1) * pageSize
    var (count, entries, isAtEnd) = (0, [[UInt8]](), false)
    return .streamed(
      .json(200, []),
      BodyPieces {
        guard !isAtEnd else { return nil }
        if let items = try next() {
          for item in items {
            if shown.contains(count) { entries.append(try encode(item)) }
            count += 1
          }
          return []
        }
        isAtEnd = true
        return JSONWriter.object { json in
          json.member("count", count)
          json.member("page", page)
          json.array(name, entries) { $0.value(encoded: $1) }
          json.member("page_size", entries.count)
        }
      })
  }
}
