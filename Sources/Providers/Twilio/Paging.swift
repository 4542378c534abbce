import Domain
import HTTP
import JSON
import ProviderKit

/// One page of a list of the records. Source: contract 2.3.
///
/// Tokens carry the ordinal at the page's border, so that pages stay in step while items come and go.
struct Page {
  /// What is on the page.
  let items: [RecordStore.Item]
  private let key: String
  private let path: String
  private let size: Int
  private let number: Int
  private let nextToken: String?
  private let previousToken: String?

  /// The page that the query asks for; `fetch` gives at most so many items next to a border.
  init(
    _ request: Request, key: String, in sandbox: Sandbox, fetch: (PageBoundary, Int) throws -> [RecordStore.Item]
  ) throws {
    let query = try request.query
    let size = min(try Self.number("PageSize", in: query, atLeast: 1) ?? 50, 1000)
    let border = try Self.border(query["PageToken"] ?? query["pageToken"], in: sandbox)
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
    self.key = key
    self.size = size
    number = try Self.number("Page", in: query, atLeast: 0) ?? 0
    path = request.target.path
    nextToken = items.last.flatMap {
      hasNext ? Self.next + sandbox.entropy.identifier("page", $0.ordinal) : nil
    }
    previousToken = items.first.flatMap {
      hasPrevious ? Self.previous + sandbox.entropy.identifier("page", $0.ordinal) : nil
    }
  }

  /// The body: the array that `list` writes, then `meta`.
  func encoded(base: String, list: (inout JSONWriter) -> Void) -> [UInt8] {
    let url = base + path
    return JSONWriter.object { json in
      list(&json)
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

  private static func number(_ name: String, in query: Form, atLeast least: Int) throws(Problem) -> Int? {
    guard let text = query[name], !text.isEmpty else { return nil }
    guard let number = Int(text), number >= least else { throw .invalid(name) }
    return number
  }

  private static func border(_ token: String?, in sandbox: Sandbox) throws(Problem) -> PageBoundary {
    guard let token, !token.isEmpty else { return .after(0) }
    guard let (ordinal, part) = sandbox.entropy.ordinals(of: token.dropFirst(2), under: "page"), part == 0,
      ordinal > 0
    else { throw .invalid("PageToken") }
    switch token.prefix(2) {
    case next: return .after(ordinal)
    case previous: return .before(ordinal)
    default: throw .invalid("PageToken")
    }
  }

  private static let next = "DN"
  private static let previous = "DP"
}
