import Domain
import JSON
import Support
import Testing

@Suite("Prelude · history", .contract("prelude.md 5"))
struct PreludeHistoryTests {
  static let path = "/v2/verification/phone/history"
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  @Test("verifications are listed newest first with their status")
  func list() throws {
    _ = try prelude.create()
    _ = try prelude.status("000000")
    _ = try prelude.status(try prelude.code())
    try prelude.advance(60)
    _ = try prelude.create("+33639980010")
    _ = try prelude.create("+33639980017")
    _ = try prelude.create("+33639980018")

    let exchange = try prelude.get(Self.path)

    exchange.matches(golden: "four")
    #expect(
      try statuses(of: exchange) == ["challenged", "shadowed", "suspected_fraud", "converted"])
  }

  @Test(
    "filters combine; a number may lack its plus",
    arguments: [
      ("phone_number=%2B33639980050", 1), ("phone_number=33639980050", 1), ("phone_number=+33639980050", 1),
      ("channels=sms%2Csilent", 2), ("channels=sms&channels=voice", 2), ("channels%5B%5D=whatsapp", 0),
      ("status=suspected_fraud", 1), ("status=converted", 0), ("region=FR", 3), ("region=us", 0),
      ("min_attempts=2", 1), ("max_attempts=1", 2), ("device_platform=ios", 1), ("template_id=x", 0),
      ("from=2026-01-01T00%3A00%3A00Z&to=2026-02-01T00%3A00%3A00%2B00%3A00", 3),
      ("from=2025-01-01T00%3A00%3A00Z&to=2025-02-01T00%3A00%3A00Z", 0),
      ("phone_number=%2B33639980050&status=suspected_fraud", 0),
    ])
  func filters(query: String, count: Int) throws {
    _ = try prelude.create(
      "+33639980051", as: PreludeWorld.credentials, #","signals":{"device_platform":"ios"}"#)
    for _ in 0..<2 { _ = try prelude.create() }
    _ = try prelude.create("+33639980010")

    #expect(try statuses(of: prelude.get("\(Self.path)?\(query)")).count == count)
  }

  @Test(
    "an invalid query is rejected with the name of its field",
    arguments: [
      ("channels=fax", "400 invalid_request channels"), ("limit=0", "400 invalid_request limit"),
      ("limit=101", "400 invalid_request limit"), ("status=pending_check", "400 invalid_request status"),
      ("from=2026-01-01T00%3A00%3A00Z", "400 invalid_request to"),
      ("from=soon", "400 invalid_date_format from"),
      ("cursor=abc", "400 invalid_request cursor"), ("min_attempts=-1", "400 invalid_request min_attempts"),
      ("from=2025-01-01T00%3A00%3A00Z&to=2026-01-01T00%3A00%3A00Z", "400 invalid_request to"),
    ])
  func rejected(query: String, error: String) throws {
    let exchange = try prelude.get("\(Self.path)?\(query)")

    if query == "channels=fax" { exchange.matches(golden: "bad-channel") }
    #expect(try exchange.preludeError() == error)
  }

  @Test("pages continue after the previous one; a cursor is valid only with the same filters")
  func pages() throws {
    for ending in 50..<55 { _ = try prelude.create("+336399800\(ending)") }

    let first = try page("limit=2")
    let second = try page("limit=2&cursor=\(try #require(first.cursor))")
    let third = try page("limit=2&cursor=\(try #require(second.cursor))")
    let other = try prelude.get("\(Self.path)?region=FR&cursor=\(try #require(first.cursor))")

    #expect(
      (first.numbers + second.numbers + third.numbers).map { $0.suffix(2) } == ["54", "53", "52", "51", "50"])
    #expect(third.cursor == nil)
    #expect(try other.preludeError() == "400 invalid_request cursor")
  }

  @Test("a detail has creation, attempts and checks; the code is masked while the verification is pending")
  func detail() throws {
    let created = try prelude.create(
      options: #"{"code_size":4}"#, as: PreludeWorld.credentials,
      #","metadata":{"correlation_id":"c-1"},"signals":{"ip":"192.0.2.1","is_trusted_user":"true","os_version":"18.2"}"#
    ).decode(PreludeCreation.self)
    try prelude.advance(1)
    _ = try prelude.status("0000")
    let open = try prelude.get("\(Self.path)/\(created.id)")
    _ = try prelude.status(try prelude.code())
    let closed = try prelude.get("\(Self.path)/\(created.id)")

    open.matches(golden: "open")
    closed.matches(golden: "converted")
    #expect(open.answer.contains("Your verification code is: ****"))
    #expect(!open.answer.contains(#""value":"#))
    #expect(closed.answer.contains(#""value":"0000""#))
    #expect(closed.answer.contains("Your verification code is: \(try prelude.code())"))
  }

  @Test("an unknown id is not found", arguments: ["vrf_01k9w4m7x2e8tb6hq3c5d0r1ya", "x", "VE00"])
  func unknown(id: String) throws {
    let exchange = try prelude.get("\(Self.path)/\(id)")

    if id == "x" { exchange.matches(golden: "unknown") }
    #expect(try exchange.preludeError() == "404 not_found")
  }

  private struct Page: NamedBody {
    static let statuses: Set = [200]

    let numbers: [String]
    let states: [String]
    let cursor: String?

    init(_ fields: Fields) throws {
      let entries = try fields.objects("verifications")
      numbers = try entries.map { try $0.string("phone_number") }
      states = try entries.map { try $0.string("status") }
      for entry in entries { for name in entry.names { _ = try entry.optionalJSON(name) } }
      cursor = try fields.optionalString("next_cursor")
    }
  }

  private func page(_ query: String) throws -> Page {
    try prelude.get("\(Self.path)?\(query)").decode()
  }

  private func statuses(of exchange: Exchange) throws -> [String] { try exchange.decode(Page.self).states }
}
