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

  @Test("a seed replaces all members, and an export restores everything")
  func export() throws {
    let export = String(
      decoding: try PreludeProvider.seed.export(from: prelude.sandbox).encoded(), as: UTF8.self)
    try prelude.seed(
      #"""
      {"prelude":{"subscriptions":[{"id":"sub_news","name":"Other","callbackUrl":"https://example.com/news",
        "members":[{"number":"+12025550103","state":"SUB","source":"API"}]}]}}
      """#)
    #expect(try members() == ["+12025550103"])

    try prelude.seed(#"{"prelude":\#(export)}"#)

    #expect(try members() == ["+12025550101", "+12025550102"])
    #expect(
      String(decoding: try PreludeProvider.seed.export(from: prelude.sandbox).encoded(), as: UTF8.self)
        == export)
  }

  private func members() throws -> [String] {
    let exchange = try prelude.get("/v2/notify/management/subscriptions/sub_news/phone_numbers")
    return try Fields(exchange.body).objects("phone_numbers").map { try $0.string("phone_number") }
  }
}
