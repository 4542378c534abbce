import ProviderKit

/// One page of a list. Source: contract 2.3.
///
/// A page token holds the position of the record next to the page. So pages neither skip nor repeat records
/// when others are added or deleted.
struct Page<Record> {
  /// In the order of the list.
  let records: [Record]
  private let path: String
  /// The query's other parameters; links to other pages repeat them.
  private let filters: String
  private let size: Int
  /// Counted from 0.
  private let number: Int
  private let nextToken: String?
  private let previousToken: String?

  /// The page that the query asks for.
  ///
  /// - Parameters:
  ///   - path: the path of links; nil: the request's.
  ///   - filters: the names of the list's other parameters.
  ///   - fetch: returns the records next to a boundary, at most `limit`, oldest first.
  init(
    of context: RequestContext, path: String? = nil, filters: [String] = [], newestFirst: Bool = false,
    errors: PagingErrors = .usual,
    fetch: (PageBoundary, _ limit: Int) throws -> [(position: Int, record: Record)]
  ) throws {
    try self.init(of: context, path: path, filters: filters, newestFirst: newestFirst, errors: errors) {
      PageSlice(records: try fetch($0, $1), end: nil)
    }
  }

  /// A page of a list that is searched: `fetch` may stop before it has found all records of the page.
  init(
    of context: RequestContext, path: String? = nil, filters: [String] = [], newestFirst: Bool = false,
    errors: PagingErrors = .usual,
    search fetch: (PageBoundary, _ limit: Int) throws -> PageSlice<Record>
  ) throws {
    let entropy = context.sandbox.entropy
    let query = try context.request.query
    let size = min(try Self.number("PageSize", in: query, 1...Int.max, errors) ?? 50, 1000)
    let start = try PageStart(token: query["PageToken"] ?? query["pageToken"], entropy, errors)
    let isAfter = start.isForward != newestFirst
    let slice = try fetch(
      isAfter ? .after(start.position ?? 0) : .before(start.position ?? .max), size + 1)
    var found = slice.records
    let isFull = found.count > size
    let hasMore = isFull || slice.end != nil
    let end = isFull ? nil : slice.end
    found = Array(isAfter ? found.prefix(size) : found.suffix(size))
    if newestFirst { found.reverse() }
    let hasNext = start.isForward ? hasMore : true
    let hasPrevious = start.isForward ? start.position != nil : hasMore
    records = found.map(\.record)
    self.size = size
    number = try Self.number("Page", in: query, Self.numbers, errors) ?? 0
    self.path = path ?? context.request.target.path
    self.filters = filters.reduce(into: "") { text, name in
      if let value = query[name] { text += "&\(PercentCoding.encode(name))=\(PercentCoding.encode(value))" }
    }
    let last = start.isForward ? end ?? found.last?.position : found.last?.position
    let first = start.isForward ? found.first?.position : end ?? found.first?.position
    nextToken = last.flatMap {
      hasNext ? PageStart(isForward: true, position: $0).token(entropy) : nil
    }
    previousToken = first.flatMap {
      hasPrevious ? PageStart(isForward: false, position: $0).token(entropy) : nil
    }
  }

  /// The response: the member `key` with the records, then `meta`.
  func response(key: StaticString, baseURL: String, _ write: (Record, inout JSONWriter) -> Void) -> Response {
    let url = baseURL + path
    return .json(200) { json in
      json.array(key, records) { json, record in json.value { write(record, &$0) } }
      json.object("meta") {
        $0.member("page", number)
        $0.member("page_size", size)
        $0.member("first_page_url", link(url, page: 0))
        $0.member("previous_page_url", previousToken.map { link(url, page: number - 1, token: $0) })
        $0.member("url", link(url, page: number))
        $0.member("next_page_url", nextToken.map { link(url, page: number + 1, token: $0) })
        $0.member("key", key.description)
      }
    }
  }

  /// The response in the form of the older API: paging members beside the list, and URIs without a host.
  /// `items` stand for `records`. Source: contract 16.2.
  func flatResponse<Item>(
    key: StaticString, _ items: [Item], _ write: (Item, inout JSONWriter) -> Void
  ) -> Response {
    let start = number &* size
    return .json(200) { json in
      json.array(key, items) { json, item in json.value { write(item, &$0) } }
      json.member("first_page_uri", link(path, page: 0))
      json.member("previous_page_uri", previousToken.map { link(path, page: number - 1, token: $0) })
      json.member("uri", link(path, page: number))
      json.member("next_page_uri", nextToken.map { link(path, page: number + 1, token: $0) })
      json.member("page", number)
      json.member("page_size", size)
      json.member("start", start)
      json.member("end", start &+ max(0, items.count - 1))
    }
  }

  private func link(_ url: String, page: Int, token: String? = nil) -> String {
    "\(url)?PageSize=\(size)&Page=\(max(0, page))\(token.map { "&PageToken=\($0)" } ?? "")\(filters)"
  }

  /// The provider states no maximum. This one leaves room for the numbers of the neighbouring pages.
  private static var numbers: ClosedRange<Int> { 0...1_000_000_000 }

  private static func number(
    _ name: String, in query: Form, _ range: ClosedRange<Int>, _ errors: PagingErrors
  ) throws(APIError) -> Int? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let expected =
        range.upperBound == .max
        ? "an integer of at least \(range.lowerBound)"
        : "an integer from \(range.lowerBound) to \(range.upperBound)"
      throw errors.invalid(name, expected: expected)
    }
    return number
  }
}

/// How a list refuses its paging parameters. Source: contract 2.3.
enum PagingErrors {
  case usual
  /// Of lists of entities, factors and challenges.
  case ofEntities

  func invalid(_ name: String, expected: String) -> APIError {
    let error = APIError.invalidParameter(name, expected: expected)
    switch (self, name) {
    case (.ofEntities, "PageSize"): return APIError(code: 60373).because(error.why ?? "")
    case (.ofEntities, "PageToken"): return APIError(code: 60374).because(error.why ?? "")
    default: return error
    }
  }
}

/// What a search has found, oldest first, and where it stopped: nil if there is no more, or enough was found.
struct PageSlice<Record> {
  var records: [(position: Int, record: Record)] = []
  var end: Int?
}

extension Page {
  /// A page of a list in memory.
  init(of context: RequestContext, _ all: [Record], filters: [String] = []) throws {
    try self.init(of: context, filters: filters) { boundary, limit in
      let numbered = all.enumerated().map { (position: $0.offset + 1, record: $0.element) }
      return boundary.part(of: numbered, limit: limit)
    }
  }

  init(
    of context: RequestContext, _ table: RecordTable<Record>, group: String, path: String? = nil,
    errors: PagingErrors = .usual
  ) throws {
    try self.init(of: context, path: path, errors: errors) {
      try table.list(group: group, from: $0, limit: $1, in: context.sandbox)
    }
  }
}

extension PageBoundary {
  /// The records of a list in memory next to the boundary.
  func part<Record>(
    of all: [(position: Int, record: Record)], limit: Int
  ) -> [(position: Int, record: Record)] {
    switch self {
    case .after(let position): Array(all.filter { $0.position > position }.prefix(limit))
    case .before(let position): all.filter { $0.position < position }.suffix(limit)
    }
  }
}

/// Where a page starts: next to the record at a position, or at an end of the list.
private struct PageStart {
  /// False for the page before the position.
  let isForward: Bool
  let position: Int?

  init(isForward: Bool, position: Int?) {
    self.isForward = isForward
    self.position = position
  }

  init(token: String?, _ entropy: Entropy, _ errors: PagingErrors) throws(APIError) {
    guard let token, !token.isEmpty else {
      self.init(isForward: true, position: nil)
      return
    }
    guard let (ordinal, part) = entropy.ordinals(of: token.dropFirst(2), under: "page"), part == 0,
      ordinal > 0, token.hasPrefix(Self.next) || token.hasPrefix(Self.previous)
    else { throw errors.invalid("PageToken", expected: "the token of a link to another page") }
    self.init(isForward: token.hasPrefix(Self.next), position: ordinal)
  }

  func token(_ entropy: Entropy) -> String? {
    position.map { (isForward ? Self.next : Self.previous) + entropy.identifier("page", $0) }
  }

  private static let next = "DN"
  private static let previous = "DP"
}
