import Domain
import HTTP
import JSON

/// The position of an entry in a list: its ordinal or its name.
protocol PageCursor: Sendable {
  static var start: Self { get }
  static var parameter: QueryParameter<Self> { get }
  static var schema: JSONSchema { get }
  func write(to json: inout JSONWriter, named name: StaticString)
}

extension Int: PageCursor {
  static var start: Int { 0 }
  static var parameter: QueryParameter<Int> { Parameter.after }
  static var schema: JSONSchema { FieldType<Int>.integer.schema }

  func write(to json: inout JSONWriter, named name: StaticString) { json.member(name, self) }
}

extension String: PageCursor {
  static var start: String { "" }
  static var parameter: QueryParameter<String> { Parameter.afterName }
  static var schema: JSONSchema { .string() }

  func write(to json: inout JSONWriter, named name: StaticString) { json.member(name, self) }
}

/// The part of a list that a query asks for.
struct PageRange<Cursor: PageCursor>: Sendable {
  static var defaultLimit: Int { 100 }

  let after: Cursor
  let limit: Int

  init(_ query: Form) throws(FormError) {
    after = try Cursor.parameter.value(in: query) ?? Cursor.start
    limit = try Parameter.limit.value(in: query) ?? Self.defaultLimit
  }
}

/// A part of a list, its entries encoded.
struct Page<Cursor: PageCursor> {
  fileprivate(set) var entries: [[UInt8]] = []
  /// The position of the last entry that was looked at; that of the request where there is none.
  fileprivate(set) var cursor: Cursor
  fileprivate(set) var hasMore = false
}

/// A list in pages, in the order of its cursors.
struct PageSchema<Entry: Sendable, Cursor: PageCursor>: Sendable {
  /// Returns at most this many candidates after a cursor. A filter that is no part of the query makes entries nil.
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
        .init("cursor", Cursor.schema, "Pass this as after to get only later entries.", .readOnly),
        .init(
          "hasMore", FieldType<Bool>.boolean.schema, "True if there may be later entries now.", .readOnly),
      ])
  }

  /// Ends early where the entries become too large, or too many candidates are no entries.
  func page(_ range: PageRange<Cursor>, from source: Source) throws -> Page<Cursor> {
    var page = Page(cursor: range.after)
    var (bytes, candidates) = (0, 0)
    let batchSize = min(range.limit + 1, Self.batchLimit)
    page.hasMore = true
    while true {
      let batch = try source(page.cursor, batchSize)
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
        page.cursor = candidate.cursor
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

  /// Waits for an entry if the query says so.
  func waitingList<Entry>(
    _ schema: PageSchema<Entry, Int>, _ request: Request, _ sandbox: Sandbox,
    signal: @escaping (Sandbox) -> Int = { $0.changeCount },
    from source: @escaping (Sandbox, _ after: Int, _ limit: Int) throws -> [(cursor: Int, entry: Entry?)]
  ) throws -> Reply {
    let range = try PageRange<Int>(request.query)
    return try wait(timeout(request.query), sandbox, signal: signal) { sandbox in
      let page = try schema.page(range) { try source(sandbox, $0, $1) }
      return page.entries.isEmpty && !page.hasMore ? nil : schema.response(page)
    } onTimeout: { sandbox in
      schema.response(try schema.page(range) { try source(sandbox, $0, $1) })
    }
  }
}
