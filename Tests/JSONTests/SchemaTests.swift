import Testing

@testable import JSON

@Suite("Schemas")
struct SchemaTests {
  private enum Case: String, CaseIterable { case lower, upper }

  private struct Limits: Equatable {
    var seconds = 600
    var letters = Case.lower
    var base: String?
    var rules: [Rule] = []
    let id = 7
  }

  private struct Rule: Equatable {
    var word = ""
  }

  private static let rule = Schema<Rule>(
    "Rule", "One rule.", [.required("word", \.word, .string(1...8), "Its word.")])

  private static let schema = Schema<Limits>(
    "Limits", "Limits of an account.",
    [
      .field("seconds", \.seconds, .integer(1...900), default: 600, "How long it lasts."),
      .field("letters", \.letters, .word, default: .lower, "The letters' case."),
      .nullable("base", \.base, .string, "The base URL."),
      .field("rules", \.rules, .objects(rule, maxItems: 3) { Rule() }, default: [], "Rules."),
      .readOnly("id", .integer(1...99), "The number.") { $0.id },
    ])

  private func merged(_ text: String, into limits: Limits = Limits()) throws -> Limits {
    var limits = limits
    try Self.schema.merge(Fields(Array(text.utf8)), into: &limits)
    return limits
  }

  @Test("45 A2: a record is a tree, also where its texts together have more than a document may")
  func largeRecord() {
    let marks = String(repeating: "\u{301}", count: 30)
    let limits = Limits(base: "e\(marks)\(marks)", rules: Array(repeating: Rule(word: "a"), count: 60_000))

    let json = Self.schema.json(limits)

    #expect(json["base"] == .string("e\(marks)\(marks)"))
    #expect(json["rules"] == .array(Array(repeating: .object([.init("word", "a")]), count: 60_000)))
  }

  @Test("members that are not named keep their values, and null clears optional ones only")
  func merging() throws {
    let known = try merged(#"{"seconds":5,"base":"http://a","letters":"upper"}"#)

    #expect(
      try merged(#"{"seconds":null,"base":null,"id":3}"#, into: known) == Limits(seconds: 5, letters: .upper))
  }

  @Test(
    "a wrong value is rejected with its path and the expected value",
    arguments: [
      (#"{"seconds":901}"#, "$.seconds: expected an integer from 1 to 900; found 901"),
      (
        #"{"letters":"uper"}"#,
        #"$.letters: expected one of lower, upper; found "uper"; did you mean "upper"?"#
      ),
      (#"{"rules":[{"word":"a"},{"word":""}]}"#, #"$.rules[1].word: expected 1 to 8 characters; found """#),
      (#"{"rules":[{}]}"#, "$.rules[0].word: missing; expected 1 to 8 characters"),
    ])
  func refusals(text: String, expected: String) {
    let error = #expect(throws: FieldError.self) { try merged(text) }
    #expect(error?.description == expected)
  }

  @Test("a written record can be parsed again, and differences leave out equal members")
  func writing() throws {
    let limits = try merged(#"{"seconds":5,"rules":[{"word":"a"}]}"#)

    let whole = String(decoding: Self.schema.encode(limits), as: UTF8.self)
    let differences = JSONWriter.object { Self.schema.writeDifferences(limits, from: Limits(), to: &$0) }

    #expect(whole == #"{"seconds":5,"letters":"lower","base":null,"rules":[{"word":"a"}],"id":7}"#)
    #expect(try merged(whole) == limits)
    #expect(String(decoding: differences, as: UTF8.self) == #"{"seconds":5,"rules":[{"word":"a"}]}"#)
  }

  @Test("unread members of nested objects are reported with their path")
  func unread() throws {
    let input = try Fields(Array(#"{"rules":[{"word":"a","wrod":1}],"second":2}"#.utf8))
    var limits = Limits()
    try Self.schema.merge(input, into: &limits)

    #expect(input.unread == ["rules[0].wrod", "second"])
  }

  @Test("the JSON Schema of requests and of answers differ in what is required")
  func jsonSchema() {
    func text(_ direction: JSONSchema.Direction) -> String {
      let bytes = JSONWriter.object {
        Self.schema.object.write(to: &$0, for: direction) { "#/x/\($0.name ?? "")" }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    #expect(
      text(.request)
        == #"{"type":"object","description":"Limits of an account.","additionalProperties":false,"#
        + #""properties":{"seconds":{"type":["integer","null"],"minimum":1,"maximum":900,"#
        + #""description":"How long it lasts.","default":600},"#
        + #""letters":{"enum":["lower","upper",null],"description":"The letters' case.","default":"lower"},"#
        + #""base":{"type":["string","null"],"description":"The base URL."},"#
        + ##""rules":{"type":["array","null"],"maxItems":3,"items":{"$ref":"#/x/Rule"},"description":"Rules.","default":[]},"##
        + #""id":{"type":["integer","null"],"minimum":1,"maximum":99,"#
        + #""description":"The number.","readOnly":true}}}"#)
    #expect(text(.response).contains(#""required":["seconds","letters","base","rules","id"]"#))
  }

  private struct Account: Equatable {
    var id: String?
    var secret: String?
    var limits = Limits()
    var note: String?
  }

  private static let account = Schema<Account>(
    nil, "",
    [
      .optional("id", \.id, .string, "The id."), .optional("secret", \.secret, .string, "The secret."),
      .nested("limits", \.limits, schema, "The limits."),
      .computed("note", .string, .nullable, "A note.") {
        $0.note?.lowercased()
      } set: {
        $0.note = $1
      },
    ], constraints: [.atLeastOne(of: ["id", "secret"]), .together(["id", "secret"])])

  @Test("a nested object is merged into the record, and an optional member is left out without a value")
  func nested() throws {
    var account = Account()
    try Self.account.merge(
      Fields(Array(#"{"id":"a","secret":"s","limits":{"seconds":5},"note":"X"}"#.utf8)), into: &account)
    try Self.account.merge(
      Fields(Array(#"{"id":"b","secret":"t","limits":{"base":"c"}}"#.utf8)), into: &account)

    #expect(
      String(decoding: Self.account.encode(account), as: UTF8.self)
        == #"{"id":"b","secret":"t","limits":{"seconds":5,"letters":"lower","base":"c","rules":[],"id":7},"note":"x"}"#
    )
  }

  @Test("constraints between members are checked, and written for requests only")
  func constraints() throws {
    var account = Account()
    let input = try Fields(Array(#"{"id":null}"#.utf8))
    let error = #expect(throws: FieldError.self) { try Self.account.merge(input, into: &account) }
    let half = try Fields(Array(#"{"id":"a","secret":null}"#.utf8))
    let halfError = #expect(throws: FieldError.self) { try Self.account.merge(half, into: &account) }
    func text(_ direction: JSONSchema.Direction) -> String {
      String(
        decoding: JSONWriter.object { Self.account.object.write(to: &$0, for: direction) { _ in nil } },
        as: UTF8.self)
    }

    #expect(error?.description == "$.id: expected at least one of id, secret; found null")
    #expect(halfError?.description == "$.secret: expected a value, because id has one; found null")
    #expect(
      text(.request).contains(#""anyOf":[{"required":["id"],"properties":{"id":{"not":{"type":"null"}}}},"#))
    #expect(
      text(.request).contains(
        #""oneOf":[{"required":["id","secret"],"properties":{"id":{"not":{"type":"null"}},"#
          + #""secret":{"not":{"type":"null"}}}},{"properties":{"id":{"type":"null"},"secret":{"type":"null"}}}]"#
      ))
    #expect(!text(.response).contains("anyOf"))
  }

  @Test(
    "an unknown field is reported with the nearest name of the schema",
    arguments: [
      (#"{"second":2}"#, #"$.second: unknown field; did you mean "seconds"?"#),
      (#"{"LETTER":"upper"}"#, #"$.LETTER: unknown field; did you mean "letters"?"#),
      (
        #"{"rules":[{"word":"a"},{"word":"b","wrod":1}]}"#,
        #"$.rules[1].wrod: unknown field; did you mean "word"?"#
      ),
      (#"{"weather":"fine"}"#, "$.weather: unknown field"),
    ])
  func unknownFields(text: String, expected: String) throws {
    let input = try Fields(Array(text.utf8))
    var limits = Limits()
    try Self.schema.merge(input, into: &limits)

    let error = #expect(throws: FieldError.self) { try input.requireAllRead(of: Self.schema.object) }
    #expect(error?.description == expected)
  }

  @Test("a field that was read but is not in the schema is unknown too")
  func drift() throws {
    let input = try Fields(Array(#"{"other":1}"#.utf8))
    _ = try input.int("other")

    #expect(throws: FieldError.unknownField("$.other")) { try input.requireAllRead(of: Self.schema.object) }
  }

  private struct Lists: Equatable {
    var names: [String] = []
    var cases: [Case] = []

    static let schema = Schema<Lists>(
      nil, "",
      [
        .field("names", \.names, .array(of: .string, minItems: 1), "Names."),
        .field("cases", \.cases, .distinctWords(minItems: 1), "Cases."),
      ])
  }

  @Test(
    "the size of an array and different elements are described and enforced",
    arguments: [
      (#"{"names":[]}"#, "$.names: expected an array of strings, at least 1; found 0"),
      (#"{"cases":[]}"#, "$.cases: expected at least 1 of lower, upper, each at most once; found an array"),
      (
        #"{"cases":["upper","upper"]}"#,
        "$.cases: expected at least 1 of lower, upper, each at most once; found an array"
      ),
    ])
  func arrays(text: String, expected: String) {
    var lists = Lists()
    let error = #expect(throws: FieldError.self) {
      try Lists.schema.merge(Fields(Array(text.utf8)), into: &lists)
    }
    let schema = JSONWriter.object { Lists.schema.object.write(to: &$0, for: .response) { _ in nil } }

    #expect(error?.description == expected)
    #expect(
      String(decoding: schema, as: UTF8.self).contains(
        #""cases":{"type":"array","minItems":1,"uniqueItems":true,"items":{"enum":["lower","upper"]}"#))
  }
}
