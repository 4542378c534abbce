import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · TeleBureau", .contract("telesign.md 12"))
struct TelesignTeleBureauTests {
  static let path = "/v1/telebureau/event"

  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func create() throws -> Exchange {
    try telesign.post(
      Self.path,
      form: [
        "phone_number": "15558675309", "fraud_type": "chargeback", "occurred_at": "2026-01-05T10:20:30Z",
        "impact": "12.50",
      ])
  }

  @Test("a report can be created, fetched and deleted")
  func life() throws {
    let created = try create()
    let reference = try created.members().string("reference_id")
    let fetched = try telesign.get("\(Self.path)/\(reference)")
    let deleted = try telesign.send(.delete, "\(Self.path)/\(reference)")
    let gone = try telesign.get("\(Self.path)/\(reference)")

    created.matches(golden: "created")
    fetched.matches(golden: "fetched")
    deleted.matches(golden: "deleted")
    gone.matches(golden: "unknown")
    #expect(created.answer == fetched.answer)
    #expect(try gone.errorCodes() == "404 599 -10001")
    try telesign.send(.delete, "\(Self.path)/\(reference)").matches(golden: "unknown")
  }

  @Test(
    "a missing or invalid parameter is named",
    arguments: [
      ("phone_number", "", "400 500 -10001"), ("phone_number", "abc", "400 500 -10001"),
      ("fraud_type", "", "400 500 -10001"), ("occurred_at", "", "400 500 -10001"),
      ("occurred_at", "yesterday", "400 500 -40006"),
    ])
  func invalid(name: String, text: String, refusal: String) throws {
    var form = ["phone_number": "15558675309", "fraud_type": "x", "occurred_at": "2026-01-05T10:20:30Z"]
    form[name] = text
    let exchange = try telesign.post(
      Self.path,
      form: [
        "phone_number": form["phone_number"] ?? "", "fraud_type": form["fraud_type"] ?? "",
        "occurred_at": form["occurred_at"] ?? "",
      ])

    if text == "abc" { exchange.matches(golden: "invalid-number") }
    #expect(try exchange.errorCodes() == refusal)
  }

  @Test("another customer's report can neither be fetched nor deleted")
  func foreign() throws {
    let reference = try create().members().string("reference_id")
    let other = Request.basic("11111111-2222-3333-4444-555555555555", "x")

    let fetched = try telesign.get("\(Self.path)/\(reference)", as: other)
    let deleted = try telesign.send(.delete, "\(Self.path)/\(reference)", as: other)

    #expect(try fetched.errorCodes() == "404 599 -10001")
    #expect(try deleted.errorCodes() == "404 599 -10001")
    #expect(try telesign.get("\(Self.path)/\(reference)").isAccepted)
  }

  @Test("a malformed id is a bad request", arguments: ["xyz", "0123456789abcdef0123456789abcdef"])
  func malformed(id: String) throws {
    #expect(try telesign.get("\(Self.path)/\(id)").errorCodes() == "400 500 -10001")
  }

  @Test("the last of repeated fields wins, and unknown fields are ignored")
  func fields() throws {
    let exchange = try telesign.post(
      "\(Self.path)?headers=Accept",
      form: [
        "phone_number": "1", "phone_number": "+15558675309", "fraud_type": "x",
        "occurred_at": "2026-01-05T10:20:30Z", "what": "ever",
      ])

    #expect(try exchange.members().object("fraud_event").string("phone_number") == "15558675309")
  }
}
