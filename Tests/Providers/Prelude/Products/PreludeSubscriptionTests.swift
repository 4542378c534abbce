import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · subscriptions", .contract("prelude.md 10"))
struct PreludeSubscriptionTests {
  private let prelude: PreludeWorld
  private static let path = "/v2/notify/management/subscriptions"
  private static let seed = #"""
    {"subscriptions":[
      {"id":"sub_news","name":"News","callbackUrl":"https://example.com/news","createdAt":"2026-01-01T00:00:00Z",
       "messages":{"help_message":"Ask us.","stop_message":"Bye."},"lines":[{"country":"US","number":"38383"}],
       "members":[
        {"number":"+12025550101","state":"SUB","source":"CSV_IMPORT","at":"2026-01-02T00:00:00Z"},
        {"number":"+12025550102","state":"SUB","source":"API","at":"2026-01-02T00:00:01Z"},
        {"number":"+12025550101","state":"UNSUB","source":"MO_KEYWORD","reason":"STOP","at":"2026-01-03T00:00:00Z"}]},
      {"id":"sub_offers","name":"Offers","callbackUrl":"https://example.com/offers"}]}
    """#

  init() throws {
    prelude = try PreludeWorld()
    try prelude.seed(#"{"prelude":\#(Self.seed)}"#)
  }

  private func page(_ path: String, _ list: String) throws -> PageAnswer {
    let exchange = try prelude.get("\(Self.path)\(path)")
    return try PageAnswer(exchange, list: list)
  }

  @Test("configurations are listed page by page")
  func configs() throws {
    let first = try prelude.get("\(Self.path)?limit=1")
    first.matches(golden: "first-page")
    let page = try PageAnswer(first, list: "configs")
    let cursor = try #require(page.cursor)
    let second = try self.page("?limit=1&cursor=\(cursor)", "configs")

    #expect(page.ids == ["sub_news"])
    #expect(second.ids == ["sub_offers"] && second.cursor == nil)
    #expect(try self.page("", "configs").ids == ["sub_news", "sub_offers"])
  }

  @Test("a configuration is returned with all members")
  func config() throws {
    let exchange = try prelude.get("\(Self.path)/sub_news")

    exchange.matches(golden: "found")
    #expect(
      exchange.answer == #"200 {"id":"sub_news","name":"News","callback_url":"https://example.com/news","#
        + #""messages":{"help_message":"Ask us.","stop_message":"Bye."},"#
        + #""mo_phone_numbers":[{"country_code":"US","phone_number":"38383"}],"#
        + #""created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-01T00:00:00.000Z"}"#)
  }

  @Test("numbers are listed with their state and can be filtered by it")
  func subscribers() throws {
    let all = try prelude.get("\(Self.path)/sub_news/phone_numbers")
    all.matches(golden: "two")

    #expect(try PageAnswer(all, list: "phone_numbers").ids == ["+12025550101", "+12025550102"])
    #expect(try page("/sub_news/phone_numbers?state=UNSUB", "phone_numbers").ids == ["+12025550101"])
    #expect(try page("/sub_news/phone_numbers?state=SUB", "phone_numbers").ids == ["+12025550102"])
    #expect(try page("/sub_offers/phone_numbers", "phone_numbers").ids == [])
  }

  @Test("a plus in the path may be percent-encoded", arguments: ["+", "%2B"])
  func subscriber(plus: String) throws {
    let exchange = try prelude.get("\(Self.path)/sub_news/phone_numbers/\(plus)12025550101")

    if plus == "+" { exchange.matches(golden: "found") }
    #expect(
      exchange.answer == #"200 {"config_id":"sub_news","phone_number":"+12025550101","state":"UNSUB","#
        + #""source":"MO_KEYWORD","reason":"STOP","updated_at":"2026-01-03T00:00:00.000Z"}"#)
  }

  @Test("the events of a number are listed newest first, page by page")
  func events() throws {
    let path = "/sub_news/phone_numbers/+12025550101/events"
    let first = try prelude.get("\(Self.path)\(path)?limit=1")
    first.matches(golden: "first-page")
    let page = try PageAnswer(first, list: "events", by: "state")
    let cursor = try #require(page.cursor)
    let second = try PageAnswer(
      prelude.get("\(Self.path)\(path)?limit=1&cursor=\(cursor)"), list: "events", by: "state")

    #expect(page.ids == ["UNSUB"])
    #expect(second.ids == ["SUB"] && second.cursor == nil)
  }

  @Test(
    "an unknown configuration or number is not found",
    arguments: [
      "/sub_none", "/sub_none/phone_numbers", "/sub_none/phone_numbers/+12025550101",
      "/sub_offers/phone_numbers/+12025550101", "/sub_none/phone_numbers/+12025550101/events",
      "/sub_offers/phone_numbers/+12025550101/events",
    ])
  func notFound(path: String) throws {
    let exchange = try prelude.get("\(Self.path)\(path)")

    if path.contains("sub_none") { exchange.matches(golden: "no-config") }
    #expect(try exchange.preludeError() == "404 not_found")
  }

  @Test(
    "an invalid query is rejected with the name of its field",
    arguments: [
      ("?limit=0", "limit"), ("?limit=201", "limit"), ("?limit=many", "limit"), ("?cursor=here", "cursor"),
      ("/sub_news/phone_numbers?state=GONE", "state"),
    ])
  func badQuery(path: String, name: String) throws {
    let exchange = try prelude.get("\(Self.path)\(path)")

    if path == "?limit=0" { exchange.matches(golden: "no-limit") }
    #expect(try exchange.preludeError() == "400 invalid_request \(name)")
  }

  @Test("a cursor is valid only with the same filters", .contract("prelude.md 5"))
  func foreignCursor() throws {
    let numbers = "/sub_news/phone_numbers"
    let cursor = try #require(try page("\(numbers)?limit=1", "phone_numbers").cursor)

    let exchange = try prelude.get("\(Self.path)\(numbers)?limit=1&state=SUB&cursor=\(cursor)")

    #expect(try exchange.preludeError() == "400 invalid_request cursor")
  }

  @Test("a seed replaces all members, and an export restores everything")
  func export() throws {
    let export = String(
      decoding: try PreludeProvider.seed.export(from: prelude.sandbox).encoded(), as: UTF8.self)
    try prelude.seed(
      #"""
      {"prelude":{"subscriptions":[{"id":"sub_news","name":"Other","callbackUrl":"https://example.com/news",
        "members":[{"number":"+12025550103","state":"SUB","source":"API"}]}]}}
      """#)
    #expect(try page("/sub_news/phone_numbers", "phone_numbers").ids == ["+12025550103"])

    try prelude.seed(#"{"prelude":\#(export)}"#)

    #expect(try page("/sub_news/phone_numbers", "phone_numbers").ids == ["+12025550101", "+12025550102"])
    #expect(
      String(decoding: try PreludeProvider.seed.export(from: prelude.sandbox).encoded(), as: UTF8.self)
        == export)
  }

  @Test(
    "an invalid seed is rejected with the path of its member",
    arguments: [
      (
        #""subscriptions":[{"id":"a b","name":"a","callbackUrl":"https://a.example"}]"#, "subscriptions[0].id"
      ),
      (#""subscriptions":[{"id":"a","name":"a","callbackUrl":"a"}]"#, "subscriptions[0].callbackUrl"),
      (
        #""subscriptions":[{"id":"a","name":"a","callbackUrl":"https://a.example","members":[{"number":"1"}]}]"#,
        "subscriptions[0].members[0].number"
      ),
      (#""templates":[{"id":"a b"}]"#, "templates[0].id"),
      (#""templates":[{"id":"a","category":"spam"}]"#, "templates[0].category"),
      (#""senderIds":[{"name":"much too long","status":"approved"}]"#, "senderIds[0].name"),
      (#""testNumbers":[{"number":"+33639980050","attemptCode":"12"}]"#, "testNumbers[0].attemptCode"),
      (#""blockList":["06"]"#, "blockList[0]"), (#""inboundMessages":[{"id":"x"}]"#, "inboundMessages[0].id"),
    ])
  func nonsense(member: String, path: String) throws {
    let error = #expect(throws: FieldError.self) { try prelude.seed(#"{"prelude":{\#(member)}}"#) }

    #expect(error?.path == "$.prelude.\(path)")
  }
}

private struct PageAnswer {
  let ids: [String]
  let cursor: String?

  init(_ exchange: Exchange, list: String, by name: String? = nil) throws {
    let answer = try #require(exchange.answer.hasPrefix("200 ") ? exchange.answer.dropFirst(4) : nil)
    let fields = try Fields(Array(answer.utf8))
    ids = try fields.objects(list).map { try $0.string(name ?? ($0.has("id") ? "id" : "phone_number")) }
    cursor = try fields.optionalString("next_cursor")
  }
}
