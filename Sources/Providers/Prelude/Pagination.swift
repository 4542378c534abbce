import ProviderKit

/// The page of a list that a request asks for: `cursor` and `limit`.
///
/// A cursor holds the position of the last entry, so that pages stay correct while entries come and go.
/// Source: contract 5 and 10; the maximum of 200:
/// https://docs.prelude.so/notify/v2/api-reference/management/subscriptions, read 2026-11-21.
struct PageQuery {
  /// Entries on a page.
  let limit: Int
  /// The page begins after this position; nil: with the first entry.
  let position: Int?
  private let filter: Int

  /// `filter` is a number for the other filters of the request. A cursor is valid only with the same filters.
  init(_ query: Form, filter: Int = 0, maxLimit: Int = 200, in sandbox: Sandbox) throws {
    self.filter = filter
    limit = try query.number("limit", 1...maxLimit) ?? 50
    guard let cursor = query.text("cursor") else {
      position = nil
      return
    }
    guard let (position, part) = sandbox.entropy.ordinals(of: cursor, under: "cursor"), part == filter,
      position > 0
    else { throw FormError(field: "cursor", expected: "the next_cursor of a page with the same filters") }
    self.position = position
  }

  fileprivate func cursor(after position: Int, in sandbox: Sandbox) -> String {
    sandbox.entropy.identifier("cursor", position, filter)
  }
}

/// A page of a list.
struct Page<Record> {
  let records: [Record]
  /// Nil on the last page.
  let nextCursor: String?

  /// `entries` must hold `query.limit + 1` entries if there are that many.
  init(_ entries: some Sequence<(position: Int, record: Record)>, _ query: PageQuery, in sandbox: Sandbox) {
    let found = Array(entries.prefix(query.limit + 1))
    let page = found.prefix(query.limit)
    records = page.map(\.record)
    nextCursor =
      found.count > page.count ? page.last.map { query.cursor(after: $0.position, in: sandbox) } : nil
  }

  /// Writes the list as the member `name`, and `next_cursor` if there is another page.
  func write(_ name: StaticString, to json: inout JSONWriter, each: (Record, inout JSONWriter) -> Void) {
    json.array(name, records) { json, record in json.value { each(record, &$0) } }
    if let nextCursor { json.member("next_cursor", nextCursor) }
  }
}
