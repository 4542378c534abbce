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

  /// The same part, after this position.
  func after(_ cursor: Cursor) -> PageRange { PageRange(after: cursor, limit: limit, order: order) }

  private init(after: Cursor, limit: Int, order: ListOrder) {
    self.after = after
    self.limit = limit
    self.order = order
  }

  init(_ query: Form) throws(FormError) {
    after = try Cursor.parameter.value(in: query)
    limit = try Parameter.limit.value(in: query) ?? Self.defaultLimit
    order = try Parameter.order.value(in: query) ?? .oldest
  }
}

/// A list in pages, in the order of its cursors, or in the reverse order.
struct PageSchema<Entry: Sendable, Cursor: PageCursor>: Sendable {
  /// Returns at most this many candidates after a cursor in the list's order. A filter that is no part of the
  /// query makes entries nil. More may follow if there are so many, or if the last one has no entry.
  typealias Source = (_ after: Cursor, _ limit: Int) throws -> [(cursor: Cursor, entry: Entry?)]

  let object: ObjectSchema
  fileprivate let name: String
  fileprivate let entry: Schema<Entry>
  /// The most candidates that are read at once.
  fileprivate let batch: Int

  /// `batch`: so many take a millisecond or two.
  init(_ name: String, _ entry: Schema<Entry>, _ summary: String, batch: Int = 25) {
    self.name = name
    self.entry = entry
    self.batch = batch
    object = ObjectSchema(
      nil, "",
      [
        .init(name, .array(.object(entry.object)), summary, .readOnly),
        .init("cursor", Cursor.schema, "Pass this as after to get only the entries that follow.", .readOnly),
        .init(
          "hasMore", FieldType<Bool>.boolean.schema, "True if more entries may follow now.", .readOnly),
      ])
  }

  func reply(_ range: PageRange<Cursor>, from source: @escaping Source) -> Reply {
    PageReader(self, range, from: source).reply
  }
}

/// Reads a page while the client reads it, one candidate at a time.
///
/// A class, because it remembers where it is.
final class PageReader<Entry: Sendable, Cursor: PageCursor> {
  /// The most bytes of the entries, unless there is only one.
  private static var byteLimit: Int { 1 << 20 }
  /// The most candidates that a page looks at.
  private static var candidateLimit: Int { 1_000 }

  private let schema: PageSchema<Entry, Cursor>
  private let range: PageRange<Cursor>
  private let source: PageSchema<Entry, Cursor>.Source
  /// The position of the last candidate. Without one: that of the request, else the start.
  private var cursor: Cursor
  /// Nil before the first one.
  private var batch: ArraySlice<(cursor: Cursor, entry: Entry?)>?
  private var isLastBatch = false
  private var (entries, bytes, candidates) = (0, 0, 0)
  private var hasMore = false
  /// What `findEntry` has read.
  private var first: [UInt8]?

  init(
    _ schema: PageSchema<Entry, Cursor>, _ range: PageRange<Cursor>,
    from source: @escaping PageSchema<Entry, Cursor>.Source
  ) {
    self.schema = schema
    self.range = range
    self.source = source
    cursor = range.after ?? Cursor.start
  }

  /// Reads up to the first entry. Returns false if there is none now.
  func findEntry() throws -> Bool {
    repeat { first = try next() } while first?.isEmpty == true
    return first != nil || hasMore
  }

  var reply: Reply {
    .streamed(
      .json(200, []),
      BodyPieces(list: schema.name) { [self] in
        defer { first = nil }
        return try first ?? next()
      } rest: { [self] json in
        cursor.write(to: &json, named: "cursor")
        json.member("hasMore", hasMore)
      })
  }

  /// The next entry, empty for a candidate that is none; nil at the end of the page. That is early where the
  /// entries become too large, or too many candidates are no entries.
  private func next() throws -> [UInt8]? {
    guard let candidate = try nextCandidate() else { return nil }
    var encoded: [UInt8] = []
    hasMore = candidates == Self.candidateLimit || candidate.entry != nil && entries == range.limit
    if !hasMore, let entry = candidate.entry {
      encoded = schema.entry.encode(entry)
      hasMore = entries > 0 && bytes + encoded.count > Self.byteLimit
    }
    if hasMore { return nil }
    (candidates, cursor) = (candidates + 1, candidate.cursor)
    if !encoded.isEmpty { (entries, bytes) = (entries + 1, bytes + encoded.count) }
    return encoded
  }

  private func nextCandidate() throws -> (cursor: Cursor, entry: Entry?)? {
    while true {
      if let candidate = batch?.popFirst() { return candidate }
      guard !isLastBatch else { return nil }
      let size = min(max(range.limit - entries, 0) + 1, schema.batch)
      let isFirst = batch == nil && range.after == nil
      let position = isFirst && range.order == .newest ? Cursor.end : cursor
      let read = try source(position, size)
      isLastBatch = read.isEmpty || read.count < size && read.last?.entry != nil
      batch = read[...]
    }
  }
}

extension ControlAPI {
  func list<Entry, Cursor>(
    _ schema: PageSchema<Entry, Cursor>, _ request: Request,
    from source: @escaping PageSchema<Entry, Cursor>.Source
  ) throws -> Reply {
    schema.reply(try PageRange(request.query), from: source)
  }

  /// The same for a list that can be read in both orders.
  func list<Entry>(
    _ schema: PageSchema<Entry, Int>, _ request: Request,
    from source: @escaping PageSchema<Entry, Int>.Source,
    newestFirst: @escaping PageSchema<Entry, Int>.Source
  ) throws -> Reply {
    let range = try PageRange<Int>(request.query)
    return schema.reply(range, from: range.order == .oldest ? source : newestFirst)
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
      return schema.reply(range, from: newestFirst)
    }
    let reader = { sandbox in PageReader(schema, range) { try source(sandbox, $0, $1) } }
    guard try timeout(request.query) > .zero else { return reader(sandbox).reply }
    return try wait(timeout(request.query), sandbox, signal: signal) { sandbox in
      let reader = reader(sandbox)
      return try reader.findEntry() ? reader.reply : nil
    } onTimeout: { sandbox in
      try reader(sandbox).reply.whole ?? .json(200, [])
    }
  }
}

extension BodyPieces {
  /// A JSON object with an array: `{"name":[…]}`. `next` returns an encoded item, nothing where there is none
  /// yet, and nil after the last one; `rest` writes further members.
  convenience init(
    list name: String, _ next: @escaping () throws -> [UInt8]?,
    rest: @escaping (inout JSONWriter) -> Void = { _ in }
  ) {
    var start = Array("{\"\(name)\":[".utf8)
    var isAtEnd = false
    self.init {
      guard !isAtEnd else { return nil }
      guard let item = try next() else {
        isAtEnd = true
        let members = JSONWriter.object(rest).dropFirst()
        let end = start == [UInt8(ascii: ",")] ? [] : start
        return end + Array(members.count > 1 ? "],".utf8 : "]".utf8) + members
      }
      guard !item.isEmpty else { return [] }
      defer { start = [UInt8(ascii: ",")] }
      return start + item
    }
  }
}
