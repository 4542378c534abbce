import Domain
import HTTP
import JSON

/// The position of an entry in a list: its ordinal or its name.
protocol PageCursor: Sendable {
  /// Before every entry.
  static var start: Self { get }
  /// After every entry.
  static var end: Self { get }
  static var parameter: QueryParameter<Self> { get }
  static var schema: JSONSchema { get }
  func write(to json: inout JSONWriter, named name: StaticString)
}

extension Int: PageCursor {
  static var start: Int { 0 }
  static var end: Int { .max }
  static var parameter: QueryParameter<Int> { Parameter.after }
  static var schema: JSONSchema { FieldType<Int>.integer.schema }

  func write(to json: inout JSONWriter, named name: StaticString) { json.member(name, self) }
}

extension String: PageCursor {
  static var start: String { "" }
  static var end: String { "\u{10FFFF}" }
  static var parameter: QueryParameter<String> { Parameter.afterName }
  static var schema: JSONSchema { .string() }

  func write(to json: inout JSONWriter, named name: StaticString) { json.member(name, self) }
}

/// The order of a list. A page continues after its cursor in either.
enum ListOrder: String, CaseIterable, Sendable { case oldest, newest }

/// The part of a list that a query asks for.
struct PageRange<Cursor: PageCursor>: Sendable {
  static var defaultLimit: Int { 100 }

  /// Nil for the first page.
  let after: Cursor?
  let limit: Int
  let order: ListOrder

  init(_ query: Form) throws(FormError) {
    after = try Cursor.parameter.value(in: query)
    limit = try Parameter.limit.value(in: query) ?? Self.defaultLimit
    order = try Parameter.order.value(in: query) ?? .oldest
  }
}

/// A part of a list, its entries encoded.
struct Page<Cursor: PageCursor> {
  fileprivate(set) var entries: [[UInt8]] = []
  /// The position of the last entry that was read. Without one: that of the request, else the start.
  fileprivate(set) var cursor: Cursor
  fileprivate(set) var hasMore = false
}

/// A list in pages, in the order of its cursors, or in the reverse order.
struct PageSchema<Entry: Sendable, Cursor: PageCursor>: Sendable {
  /// Returns at most this many candidates after a cursor in the list's order. A filter that is no part of the
  /// query makes entries nil.
  typealias Source = (_ after: Cursor, _ limit: Int) throws -> [(cursor: Cursor, entry: Entry?)]

  /// The most bytes of the entries, unless there is only one.
  private static var byteLimit: Int { 1 << 20 }
  /// The most candidates that a page looks at.
  private static var candidateLimit: Int { 1_000 }
  /// The most candidates that are read at once.
  private static var batchLimit: Int { 100 }

  let object: ObjectSchema
  private let name: String
  private let entry: Schema<Entry>

  init(_ name: String, _ entry: Schema<Entry>, _ summary: String) {
    self.name = name
    self.entry = entry
    object = ObjectSchema(
      nil, "",
      [
        .init(name, .array(.object(entry.object)), summary, .readOnly),
        .init("cursor", Cursor.schema, "Pass this as after to get only the entries that follow.", .readOnly),
        .init(
          "hasMore", FieldType<Bool>.boolean.schema, "True if more entries may follow now.", .readOnly),
      ])
  }

  /// Ends early where the entries become too large, or too many candidates are no entries.
  func page(_ range: PageRange<Cursor>, from source: Source) throws -> Page<Cursor> {
    var page = Page(cursor: range.after ?? Cursor.start)
    var position = range.after ?? (range.order == .oldest ? Cursor.start : Cursor.end)
    var (bytes, candidates) = (0, 0)
    let batchSize = min(range.limit + 1, Self.batchLimit)
    page.hasMore = true
    while true {
      let batch = try source(position, batchSize)
      for candidate in batch {
        guard candidates < Self.candidateLimit else { return page }
        if let record = candidate.entry {
          guard page.entries.count < range.limit else { return page }
          let encoded = entry.encode(record)
          guard page.entries.isEmpty || bytes + encoded.count <= Self.byteLimit else { return page }
          bytes += encoded.count
          page.entries.append(encoded)
        }
        candidates += 1
        position = candidate.cursor
        page.cursor = position
      }
      guard batch.count == batchSize else {
        page.hasMore = false
        return page
      }
    }
  }

  func response(_ page: Page<Cursor>) -> Response {
    let body = JSONWriter.object { json in
      json.array(named: name, page.entries) { $0.value(encoded: $1) }
      page.cursor.write(to: &json, named: "cursor")
      json.member("hasMore", page.hasMore)
    }
    return .json(200, body)
  }
}

extension ControlAPI {
  func list<Entry, Cursor>(
    _ schema: PageSchema<Entry, Cursor>, _ request: Request, from source: PageSchema<Entry, Cursor>.Source
  ) throws -> Response {
    schema.response(try schema.page(PageRange(request.query), from: source))
  }

  /// The same for a list that can be read in both orders.
  func list<Entry>(
    _ schema: PageSchema<Entry, Int>, _ request: Request, from source: PageSchema<Entry, Int>.Source,
    newestFirst: PageSchema<Entry, Int>.Source
  ) throws -> Response {
    let range = try PageRange<Int>(request.query)
    return schema.response(try schema.page(range, from: range.order == .oldest ? source : newestFirst))
  }

  /// Waits for an entry if the query says so.
  func waitingList<Entry>(
    _ schema: PageSchema<Entry, Int>, _ request: Request, _ sandbox: Sandbox,
    signal: @escaping (Sandbox) -> Int = { $0.changeCount },
    from source: @escaping (Sandbox, _ after: Int, _ limit: Int) throws -> [(cursor: Int, entry: Entry?)],
    newestFirst: PageSchema<Entry, Int>.Source? = nil
  ) throws -> Reply {
    let range = try PageRange<Int>(request.query)
    if range.order == .newest, let newestFirst {
      guard try timeout(request.query) == .zero else {
        throw FormError(field: Parameter.wait.name, expected: "no wait with order=newest")
      }
      return .now(schema.response(try schema.page(range, from: newestFirst)))
    }
    return try wait(timeout(request.query), sandbox, signal: signal) { sandbox in
      let page = try schema.page(range) { try source(sandbox, $0, $1) }
      return page.entries.isEmpty && !page.hasMore ? nil : schema.response(page)
    } onTimeout: { sandbox in
      schema.response(try schema.page(range) { try source(sandbox, $0, $1) })
    }
  }
}
