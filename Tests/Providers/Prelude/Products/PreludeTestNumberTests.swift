import HTTP
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · test numbers", .contract("prelude.md 6.3"))
struct PreludeTestNumberTests {
  private let prelude: PreludeWorld
  private static let path = "/v2/verification/management/phone-numbers/sandbox"

  init() throws { prelude = try PreludeWorld() }

  private func put(_ number: String = "+33639980050", code: String = "424242") throws -> Exchange {
    try prelude.send(.put, Self.path, #"{"phone_number":"\#(number)","attempt_code":"\#(code)"}"#)
  }

  @Test("adding a number again replaces its code")
  func puts() throws {
    let added = try put()
    try prelude.advance(60)
    let replaced = try put(code: "515151")

    added.matches(golden: "added")
    #expect(added.answer == #"200 {"phone_number":"+33639980050","attempt_code":"424242"}"#)
    #expect(replaced.answer == #"200 {"phone_number":"+33639980050","attempt_code":"515151"}"#)
    let list = try prelude.get(Self.path)
    list.matches(golden: "one")
    #expect(
      list.answer == #"200 {"phone_numbers":[{"phone_number":"+33639980050","attempt_code":"515151","#
        + #""created_at":"2026-01-05T10:20:30.000Z"}]}"#)
  }

  @Test(
    "a DELETE removes the number of the path, with a plus or %2B, and succeeds without it",
    arguments: ["+33639980050", "%2B33639980050"])
  func delete(segment: String) throws {
    _ = try put()

    let exchange = try prelude.send(.delete, "\(Self.path)/\(segment)")
    let again = try prelude.send(.delete, "\(Self.path)/\(segment)")

    if segment.hasPrefix("+") { exchange.matches(golden: "deleted") }
    #expect(exchange.answer == #"200 {"phone_number":"+33639980050"}"#)
    #expect(again.answer == exchange.answer)
    #expect(try prelude.get(Self.path).answer == #"200 {"phone_numbers":[]}"#)
  }

  @Test("a path without a valid number is rejected")
  func deleteNothing() throws {
    let exchange = try prelude.send(.delete, "\(Self.path)/0612345678")

    exchange.matches(golden: "no-number")
    #expect(try exchange.preludeError() == "400 invalid_phone_number phone_number")
  }

  @Test(
    "an invalid body is rejected with the name of its member, in the schema's order",
    arguments: [
      ("{}", "400 invalid_request phone_number"),
      (#"{"phone_number":"+33639980050"}"#, "400 invalid_request attempt_code"),
      (#"{"phone_number":"+33639980050","attempt_code":424242}"#, "400 invalid_request attempt_code"),
      (#"{"phone_number":"+33639980050","attempt_code":"123"}"#, "400 invalid_request attempt_code"),
      (#"{"phone_number":"+33639980050","attempt_code":"123456789"}"#, "400 invalid_request attempt_code"),
      (#"{"phone_number":"+33639980050","attempt_code":"12 45"}"#, "400 invalid_request attempt_code"),
      (#"{"phone_number":"33639980050","attempt_code":"12345"}"#, "400 invalid_phone_number phone_number"),
    ])
  func malformed(body: String, error: String) throws {
    let exchange = try prelude.send(.put, Self.path, body)

    if body == "{}" { exchange.matches(golden: "no-number") }
    #expect(try exchange.preludeError() == error)
    #expect(try prelude.get(Self.path).answer == #"200 {"phone_numbers":[]}"#)
  }

  @Test("without access everything is forbidden", .contract("prelude.md 6"))
  func forbidden() throws {
    try prelude.configure(#""management":false"#)

    let list = try prelude.get(Self.path)

    list.matches(golden: "forbidden")
    #expect(try list.preludeError() == "403 forbidden")
    #expect(try put().preludeError() == "403 forbidden")
    #expect(try prelude.send(.delete, "\(Self.path)/+33639980050").preludeError() == "403 forbidden")
  }
}
