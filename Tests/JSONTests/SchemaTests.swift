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
      .field("rules", \.rules, .objects(rule) { Rule() }, default: [], "Rules."),
      .readOnly("id", .integer(1...99), "The number.") { $0.id },
    ])

  private func merged(_ text: String, into limits: Limits = Limits()) throws -> Limits {
    var limits = limits
    try Self.schema.merge(Fields(Array(text.utf8)), into: &limits)
    return limits
  }

  @Test("what is not named keeps its value, null clears only what may be without a value")
  func merging() throws {
    let known = try merged(#"{"seconds":5,"base":"http://a","letters":"upper"}"#)

    #expect(
      try merged(#"{"seconds":null,"base":null,"id":3}"#, into: known) == Limits(seconds: 5, letters: .upper))
  }

  @Test(
    "a wrong value is refused with its place and what was expected",
    arguments: [
      (#"{"seconds":901}"#, "$.seconds: expected an integer from 1 to 900; found 901"),
      (#"{"letters":"uper"}"#, #"$.letters: expected one of lower, upper; found "uper""#),
      (#"{"rules":[{"word":"a"},{"word":""}]}"#, #"$.rules[1].word: expected 1 to 8 characters; found """#),
      (#"{"rules":[{}]}"#, "$.rules[0].word: expected a value; missing"),
    ])
  func refusals(text: String, expected: String) {
    let error = #expect(throws: FieldError.self) { try merged(text) }
    #expect(error?.description == expected)
  }

  @Test("what is written can be read again, and differences leave out the rest")
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
        + #""properties":{"seconds":{"type":"integer","minimum":1,"maximum":900,"description":"How long it lasts.","#
        + #""default":600},"letters":{"enum":["lower","upper"],"description":"The letters' case.","default":"lower"},"#
        + #""base":{"anyOf":[{"type":"string"},{"type":"null"}],"description":"The base URL."},"#
        + ##""rules":{"type":"array","items":{"$ref":"#/x/Rule"},"description":"Rules.","default":[]},"##
        + #""id":{"anyOf":[{"type":"integer","minimum":1,"maximum":99},{"type":"null"}],"#
        + #""description":"The number.","readOnly":true}}}"#)
    #expect(text(.response).contains(#""required":["seconds","letters","base","rules","id"]"#))
  }

  @Test("alternatives, and members that come together, are in the JSON Schema")
  func alternatives() {
    let object = ObjectSchema(
      nil, "", [.init("a", .anyOf([.boolean, .words(["on"])]), ""), .init("b", .boolean, "")],
      inseparable: ["a", "b"])
    let bytes = JSONWriter.object { object.write(to: &$0, for: .request) { _ in nil } }

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"type":"object","dependentRequired":{"a":["b"],"b":["a"]},"additionalProperties":false,"#
        + #""properties":{"a":{"anyOf":[{"type":"boolean"},{"enum":["on"]}]},"b":{"type":"boolean"}}}"#)
    #expect(object.members[0].schema.words == #"boolean or "on""#)
  }
}
