import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · lists in pages")
struct PagingTests {
  let desk: Desk

  init() throws {
    desk = try Desk()
    for number in 10...14 { try desk.send(to: "+120255501\(number)") }
    for name in ["a", "b", "c"] { _ = try desk.ask("POST /control/sandboxes", #"{"name":"\#(name)"}"#) }
  }

  private func page(_ path: String, _ query: String) throws -> JSON {
    try JSON(parsing: desk.respond("GET \(path)?\(query)").body)
  }

  /// The entries of a list, whatever their name.
  private func entries(_ page: JSON) throws -> [JSON] {
    guard case .object(let members) = page, case .array(let entries)? = members.first?.value else {
      throw UnexpectedShape()
    }
    return entries
  }

  private struct UnexpectedShape: Error {}

  @Test(
    "the pages of a list together have its entries, each once",
    arguments: [
      "/control/inbox", "/control/messages", "/control/verifications", "/control/events", "/control/journal",
      "/control/subscribers", "/control/devices", "/control/sandboxes",
    ], [1, 2, 3, 100])
  func walk(path: String, limit: Int) throws {
    let all = try entries(page(path, "limit=1000"))
    var (found, cursor, hasMore) = ([JSON](), "", true)
    while hasMore {
      let page = try page(path, "limit=\(limit)\(cursor)")
      let part = try entries(page)
      #expect(part.count == limit || page["hasMore"] == .bool(false) || path == "/control/devices")
      found += part
      switch page["cursor"] {
      case .integer(let ordinal)?: cursor = "&after=\(ordinal)"
      case .string(let name)?: cursor = "&after=\(PercentCoding.encode(name))"
      default: Issue.record("\(path) has no cursor")
      }
      hasMore = page["hasMore"] == .bool(true)
    }

    #expect(all.count >= 4)
    #expect(found == all)
  }

  @Test(
    "with order=newest, the pages of a list have its entries in the reverse order",
    arguments: [
      "/control/inbox", "/control/inbox/+12025550110", "/control/messages", "/control/events",
      "/control/journal",
    ],
    [1, 2, 100])
  func newestFirst(path: String, limit: Int) throws {
    try desk.send(to: "+12025550110")
    let all = try entries(page(path, "limit=1000"))
    var (found, cursor, hasMore) = ([JSON](), "", true)
    while hasMore {
      let page = try page(path, "order=newest&limit=\(limit)\(cursor)")
      found += try entries(page)
      guard case .integer(let ordinal)? = page["cursor"] else { return _ = Issue.record("no cursor") }
      cursor = "&after=\(ordinal)"
      hasMore = page["hasMore"] == .bool(true)
      if !hasMore { #expect(try entries(self.page(path, "order=newest&after=1")).isEmpty) }
    }

    #expect(all.count >= 2)
    #expect(found == all.reversed())
  }

  @Test("what comes after the newest page in the order of time continues it without a gap")
  func continuing() throws {
    let newest = try page("/control/journal", "order=newest&limit=1")
    guard case .integer(let cursor)? = newest["cursor"] else { return _ = Issue.record("no cursor") }
    try desk.send(to: "+12025550199")

    #expect(try entries(page("/control/journal", "after=\(cursor)")).count == 1)
  }

  @Test("an empty list has the same cursor in both orders")
  func empty() throws {
    #expect(
      try desk.ask("GET /s/a/control/events?order=newest") == #"200 {"events":[],"cursor":0,"hasMore":false}"#
    )
  }

  @Test("a list has 100 entries if the query names no limit")
  func defaultLimit() throws {
    for number in 100...202 { _ = try desk.ask("PUT /control/subscribers/+12025551\(number)", "{}") }

    let page = try page("/control/subscribers", "")

    #expect(try entries(page).count == 100 && page["hasMore"] == .bool(true))
  }

  @Test("a page ends before 1 MiB, but has at least one entry")
  func bytes() throws {
    _ = try desk.ask("DELETE /control/journal")
    for size in [400_000, 400_000, 400_000, 2_000_000, 10] {
      _ = try desk.ask("POST /things/v1/things", "to=\(String(repeating: "1", count: size))")
    }

    let pages = try [0, 2, 3, 4].map { try page("/control/journal", "after=\($0)") }

    #expect(try pages.map { try entries($0).count } == [2, 1, 1, 1])
    #expect(pages.map { $0["cursor"] } == [2, 3, 4, 5].map { .integer($0) })
    #expect(pages.map { $0["hasMore"] } == [true, true, true, false].map { .bool($0) })
  }

  @Test("a filter that excludes entries does not end a list")
  func filter() throws {
    let first = try page("/control/journal", "contains=0114")

    #expect(try entries(first).count == 1)
    #expect(first["cursor"] == .integer(5) && first["hasMore"] == .bool(false))
  }

  @Test("a + that is not percent-encoded is a +")
  func plus() throws {
    #expect(try entries(page("/control/messages", "number=+12025550112")).count == 1)
    let after = try entries(page("/control/subscribers", "after=+12025550101"))
    #expect(try after.count < entries(page("/control/subscribers", "")).count)
  }

  /// Rules are replaced as a whole; the errors of a provider and the pages to read are always the same.
  private func isWithoutPages(_ path: String) -> Bool {
    RuleKinds.all.contains { $0.controlPath == path } || ["/control/errors", "/control/docs"].contains(path)
  }

  @Test("every list has a cursor and a limit, except those of rules, errors and pages")
  func described() throws {
    let document = try JSON(parsing: desk.respond("GET /control/openapi.json").body)
    guard case .object(let paths)? = document["paths"] else { throw UnexpectedShape() }
    var lists = 0
    for (path, operation) in paths.compactMap({ path in path.value["get"].map { (path.name, $0) } }) {
      let schema = operation["responses"]?["200"]?["content"]?["application/json"]?["schema"]
      guard schema?["$ref"] == nil, case .object(let members)? = schema?["properties"] else { continue }
      guard members.first?.value["type"] == .string("array") else { continue }
      if isWithoutPages(path) { continue }
      lists += 1
      #expect(members.map(\.name).dropFirst() == ["cursor", "hasMore"], "\(path)")
      let parameters = operation["parameters"]?.items.compactMap { $0["name"] } ?? []
      #expect(parameters.contains(.string("after")) && parameters.contains(.string("limit")), "\(path)")
    }

    #expect(lists >= 14)
  }
}
