import Domain
import HTTP
import JSON
import ProviderKit

/// One page of a list. Source: contract 2.3.
///
/// A page token holds the ordinal of the item next to the page. So pages neither skip nor repeat items when others are
/// added or deleted.
struct Page {
  let items: [RecordStore.Item]
  private let path: String
  private let size: Int
  /// Counted from 0.
  private let number: Int
  private let nextToken: String?
  private let previousToken: String?

  /// The page that the query asks for. `fetch` returns the items next to a boundary, at most `limit`.
  init(of context: RequestContext, fetch: (PageBoundary, _ limit: Int) throws -> [RecordStore.Item]) throws {
    let entropy = context.sandbox.entropy
    let query = try context.request.query
    let size = min(try Self.number("PageSize", in: query, 1...Int.max) ?? 50, 1000)
    let border = try Self.border(query["PageToken"] ?? query["pageToken"], entropy)
    let found = try fetch(border, size + 1)
    let hasMore = found.count > size
    let hasNext: Bool
    let hasPrevious: Bool
    switch border {
    case .after(let ordinal):
      (items, hasNext, hasPrevious) = (Array(found.prefix(size)), hasMore, ordinal > 0)
    case .before:
      (items, hasNext, hasPrevious) = (Array(found.suffix(size)), true, hasMore)
    }
    self.size = size
    number = try Self.number("Page", in: query, Self.numbers) ?? 0
    path = context.request.target.path
    nextToken = items.last.flatMap { hasNext ? Self.next + entropy.identifier("page", $0.ordinal) : nil }
    previousToken = items.first.flatMap {
      hasPrevious ? Self.previous + entropy.identifier("page", $0.ordinal) : nil
    }
  }

  /// The response body: the member that `writeList` writes, then `meta`. `key` is the name of that member.
  func body(key: String, baseURL: String, _ writeList: (inout JSONWriter) -> Void) -> [UInt8] {
    let url = baseURL + path
    return JSONWriter.object { json in
      writeList(&json)
      json.object("meta") {
        $0.member("page", number)
        $0.member("page_size", size)
        $0.member("first_page_url", "\(url)?PageSize=\(size)&Page=0")
        $0.member("previous_page_url", previousToken.map { link(url, page: number - 1, token: $0) })
        $0.member("url", "\(url)?PageSize=\(size)&Page=\(number)")
        $0.member("next_page_url", nextToken.map { link(url, page: number + 1, token: $0) })
        $0.member("key", key)
      }
    }
  }

  private func link(_ url: String, page: Int, token: String) -> String {
    "\(url)?PageSize=\(size)&Page=\(max(0, page))&PageToken=\(token)"
  }

  /// The vendor states no maximum. This one leaves room for the numbers of the neighbouring pages.
  private static let numbers = 0...1_000_000_000

  private static func number(
    _ name: String, in query: Form, _ range: ClosedRange<Int>
  ) throws(APIError) -> Int? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let expected =
        range.upperBound == .max
        ? "an integer of at least \(range.lowerBound)"
        : "an integer from \(range.lowerBound) to \(range.upperBound)"
      throw .invalidParameter(name, expected: expected)
    }
    return number
  }

  private static func border(_ token: String?, _ entropy: Entropy) throws(APIError) -> PageBoundary {
    guard let token, !token.isEmpty else { return .after(0) }
    guard let (ordinal, part) = entropy.ordinals(of: token.dropFirst(2), under: "page"), part == 0,
      ordinal > 0
    else { throw .invalidParameter("PageToken", expected: "the token of a link to another page") }
    switch token.prefix(2) {
    case next: return .after(ordinal)
    case previous: return .before(ordinal)
    default: throw .invalidParameter("PageToken", expected: "the token of a link to another page")
    }
  }

  private static let next = "DN"
  private static let previous = "DP"
}
