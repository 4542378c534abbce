import Domain
import HTTP
import JSON
import ProviderKit

/// A page of a list. Source: contract 10.
///
/// A cursor carries the place of the last entry, so that pages stay in step while entries come and go.
struct Page<Record> {
  /// What is on it.
  let records: [Record]
  /// Where the next one begins; nil: this is the last one.
  let nextCursor: String?

  /// Takes a page from entries that were fetched one more than fit, if there are so many.
  init(_ entries: some Sequence<(place: Int, record: Record)>, _ query: PageQuery, in sandbox: Sandbox) {
    let found = Array(entries.prefix(query.limit + 1))
    let page = found.prefix(query.limit)
    records = page.map(\.record)
    nextCursor =
      found.count > page.count ? page.last.map { query.cursor(behind: $0.place, in: sandbox) } : nil
  }

  /// The members: the list under its name, and the cursor where there is more.
  func write(_ name: StaticString, to json: inout JSONWriter, each: (Record, inout JSONWriter) -> Void) {
    json.array(name, records) { json, record in json.value { each(record, &$0) } }
    if let nextCursor { json.member("next_cursor", nextCursor) }
  }
}

/// Which page of a list is asked for: `cursor` and `limit`. Source: contract 5 and 10. At most 200 is the vendor's own
/// limit: https://docs.prelude.so/notify/v2/api-reference/management/subscriptions, read 2026-11-21.
struct PageQuery {
  /// Entries on a page.
  let limit: Int
  /// The place that it begins behind; nil: at the beginning.
  let place: Int?
  private let filter: Int

  /// Reads the query; a cursor is good only with the filter, by its number, that it was made under.
  init(_ query: Form, filter: Int = 0, atMost most: Int = 200, in sandbox: Sandbox) throws {
    self.filter = filter
    limit = try query.number("limit", 1...most) ?? 50
    guard let cursor = query.text("cursor") else {
      place = nil
      return
    }
    guard let (place, part) = sandbox.entropy.ordinals(of: cursor, under: "cursor"), part == filter,
      place > 0
    else { throw FormError(field: "cursor", expected: "the next_cursor of a page with the same filters") }
    self.place = place
  }

  /// The cursor of the page that begins behind a place.
  func cursor(behind place: Int, in sandbox: Sandbox) -> String {
    sandbox.entropy.identifier("cursor", place, filter)
  }
}
