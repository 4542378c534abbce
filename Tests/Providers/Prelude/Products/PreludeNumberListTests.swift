import HTTP
import JSON
import Support
import Testing

@Suite("Prelude · allow and block lists", .contract("prelude.md 6.1"))
struct PreludeNumberListTests {
  private let prelude: PreludeWorld
  private static let lists = "/v2/verification/management/phone-numbers"
  private static let body = #"{"phone_number":"+33639980050"}"#

  init() throws { prelude = try PreludeWorld() }

  @Test("adding a number again keeps its first time")
  func add() throws {
    try prelude.post("\(Self.lists)/block", Self.body).matches(golden: "added")
    try prelude.advance(60)
    let again = try prelude.post("\(Self.lists)/block", Self.body)
    let list = try prelude.get("\(Self.lists)/block")

    list.matches(golden: "one")
    #expect(again.answer == #"200 {"phone_number":"+33639980050"}"#)
    #expect(
      list.answer
        == #"200 {"phone_numbers":[{"phone_number":"+33639980050","created_at":"2026-01-05T10:20:30.000Z"}]}"#
    )
  }

  @Test("the two lists are separate and ordered oldest first")
  func twoLists() throws {
    _ = try prelude.post("\(Self.lists)/allow", #"{"phone_number":"+12025550101"}"#)
    _ = try prelude.post("\(Self.lists)/allow", #"{"phone_number":"+12025550100"}"#)

    #expect(try numbers("allow") == ["+12025550101", "+12025550100"])
    #expect(try numbers("block") == [])
  }

  @Test("a DELETE with a body removes a number, and succeeds if it is not on the list")
  func remove() throws {
    _ = try prelude.post("\(Self.lists)/block", Self.body)

    let exchange = try prelude.send(.delete, "\(Self.lists)/block", Self.body)
    let again = try prelude.send(.delete, "\(Self.lists)/block", Self.body)

    exchange.matches(golden: "removed")
    #expect(again.answer == exchange.answer)
    #expect(try numbers("block") == [])
  }

  @Test("a missing number is rejected with the name of its member")
  func noNumber() throws {
    try prelude.post("\(Self.lists)/block", "{}").matches(golden: "no-number")
    try prelude.send(.delete, "\(Self.lists)/block", "{}").matches(golden: "no-number")
  }

  @Test(
    "an invalid number is rejected with the name of its member",
    arguments: [
      (#"{"phone_number":"0612345678"}"#, "400 invalid_phone_number phone_number"),
      (#"{"phone_number":7}"#, "400 invalid_request phone_number"),
      (#"{"phone_number":null}"#, "400 invalid_request phone_number"),
      ("{}", "400 invalid_request phone_number"), ("{", "400 invalid_request body"),
      ("", "400 invalid_request phone_number"),
    ])
  func notANumber(body: String, error: String) throws {
    let added = try prelude.post("\(Self.lists)/block", body)
    let removed = try prelude.send(.delete, "\(Self.lists)/block", body)

    #expect(try added.preludeError() == error)
    #expect(try removed.preludeError() == error)
    #expect(try numbers("block") == [])
  }

  @Test("an unknown list is not found, and the path sandbox takes other methods")
  func otherLists() throws {
    let unknown = try prelude.get("\(Self.lists)/grey")
    let sandbox = try prelude.post("\(Self.lists)/sandbox", Self.body)

    unknown.matches(golden: "no-such-list")
    #expect(try unknown.preludeError() == "404 not_found")
    #expect(try sandbox.preludeError() == "405 method_not_allowed")
    #expect(sandbox.headers["Allow"] == "GET, PUT")
  }

  @Test("without access everything is forbidden, and nothing changes", .contract("prelude.md 6"))
  func forbidden() throws {
    try prelude.configure(#""management":false"#)

    let answers = [
      try prelude.get("\(Self.lists)/block"), try prelude.post("\(Self.lists)/block", Self.body),
      try prelude.send(.delete, "\(Self.lists)/block", Self.body),
    ]

    for exchange in answers { #expect(try exchange.preludeError() == "403 forbidden") }
    try prelude.configure(#""management":true"#)
    #expect(try numbers("block") == [])
  }

  @Test("a long body is rejected in JSON, whatever the method", .contract("prelude.md 11.2"))
  func tooLong() throws {
    let body = String(repeating: " ", count: 1_048_577)

    #expect(
      try prelude.send(.delete, "\(Self.lists)/block", body).preludeError() == "413 body_too_large body")
    #expect(try prelude.post("\(Self.lists)/block", body).preludeError() == "413 body_too_large body")
    #expect(
      try prelude.send(.put, "\(Self.lists)/sandbox", body).preludeError() == "413 body_too_large body")
  }

  @Test("requests need a key", .contract("prelude.md 11.3"))
  func unauthorized() throws {
    let exchange = try prelude.post("\(Self.lists)/block", "{", as: [:])

    #expect(try exchange.preludeError() == "401 missing_api_key")
  }

  private func numbers(_ list: String) throws -> [String] {
    try prelude.get("\(Self.lists)/\(list)").decode(NumbersAnswer.self).numbers
  }
}

struct NumbersAnswer: NamedBody {
  static let statuses: Set = [200]
  let numbers: [String]

  init(_ fields: Fields) throws {
    numbers = try fields.objects("phone_numbers").map { entry in
      for name in entry.names { _ = try entry.string(name) }
      return try entry.string("phone_number")
    }
  }
}
