import JSON
import Testing

@Suite("Fields")
struct FieldsTests {
  @Test("fields of every kind are read")
  func values() throws {
    let fields = try fields(
      #"{"s":"x","i":-5,"whole":2.0,"b":true,"o":{"k":1},"os":[{},{"k":2}],"ss":["a","b"],"j":[1]}"#
    )

    #expect(try fields.string("s") == "x")
    #expect(try fields.int("i") == -5)
    #expect(try fields.int("whole") == 2)
    #expect(try fields.bool("b") == true)
    #expect(try fields.object("o").int("k") == 1)
    #expect(try fields.objects("os").map { try $0.optionalInt("k") } == [nil, 2])
    #expect(try fields.strings("ss") == ["a", "b"])
    #expect(try fields.json("j") == .array([.integer(1)]))
    #expect(fields.unread == [])
  }

  @Test(
    "46 B4: a number as text keeps its fraction, and a whole one has none",
    arguments: [
      ("99.99", "99.99"), ("-0.5", "-0.5"), ("6.5", "6.5"), ("6.0", "6"), ("1e3", "1000"),
      ("12025550150", "12025550150"), ("true", "true"), (#""1.50""#, "1.50"), ("null", nil), ("[1]", nil),
    ] as [(String, String?)])
  func formTexts(json: String, text: String?) throws {
    #expect(try JSON(parsing: Array(json.utf8)).formText == text)
  }

  @Test("a field is found among few and many", arguments: [1, 16, 17, 18, 20_000])
  func manyFields(count: Int) throws {
    let members = (0..<count).map { JSON.Member(name: "n\($0)", value: .integer(Int64($0))) }
    let fields = try Fields(.object(members))

    #expect(try fields.optionalInt("missing") == nil)
    for name in fields.names { #expect(try fields.int(name) == Int(name.dropFirst())) }
    #expect(fields.unread == [])
  }

  @Test("a list of objects has at most so many")
  func tooManyObjects() throws {
    let fields = try fields(#"{"faults":[{},{},{}]}"#)

    #expect(
      message { _ = try fields.objects("faults", atMost: 2) }
        == "$.faults: expected at most 2 faults; found 3")
    #expect(try fields.objects("faults", atMost: 3).count == 3)
  }

  @Test("optional fields are nil when absent or null", arguments: ["{}", #"{"x":null}"#])
  func optional(text: String) throws {
    let fields = try fields(text)

    #expect(try fields.optionalString("x") == nil)
    #expect(try fields.optionalInt("x") == nil)
    #expect(try fields.optionalBool("x") == nil)
    #expect(try fields.optionalObject("x") == nil)
    #expect(try fields.optionalObjects("x") == nil)
    #expect(try fields.optionalStrings("x") == nil)
    #expect(try fields.optionalJSON("x") == nil)
  }

  @Test("a missing required field is an error with its name")
  func required() throws {
    let fields = try fields(#"{"present":null}"#)

    #expect(message { _ = try fields.string("x") } == "$.x: missing; expected a string")
    #expect(message { _ = try fields.int("present") } == "$.present: expected an integer; found null")
    #expect(message { _ = try fields.bool("x") } == "$.x: missing; expected true or false")
    #expect(message { _ = try fields.object("x") } == "$.x: missing; expected an object")
    #expect(message { _ = try fields.objects("x") } == "$.x: missing; expected an array of objects")
    #expect(message { _ = try fields.strings("x") } == "$.x: missing; expected an array of strings")
    #expect(message { _ = try fields.json("x") } == "$.x: missing; expected a value")
    #expect(try fields.json("present") == .null)
  }

  @Test("a wrong kind is an error with the path and the found value")
  func mismatches() throws {
    let fields = try fields(
      #"{"n":1,"s":"t","o":{"in":[{"ok":1},{"ok":"no"},3]},"a":[],"d":1.5,"m":["x",1],"big":1e300}"#)

    #expect(message { _ = try fields.string("n") } == "$.n: expected a string; found 1")
    #expect(message { _ = try fields.int("s") } == #"$.s: expected an integer; found "t""#)
    #expect(message { _ = try fields.int("d") } == "$.d: expected an integer; found 1.5")
    #expect(message { _ = try fields.int("big") } == "$.big: expected an integer; found 1e+300")
    #expect(message { _ = try fields.bool("o") } == "$.o: expected true or false; found an object")
    #expect(message { _ = try fields.object("a") } == "$.a: expected an object; found an array")
    #expect(message { _ = try fields.objects("o") } == "$.o: expected an array of objects; found an object")
    #expect(message { _ = try fields.strings("m") } == "$.m[1]: expected a string; found 1")
    #expect(
      message { _ = try fields.object("o").objects("in") } == "$.o.in[2]: expected an object; found 3")
  }

  @Test("a reader can reject a value")
  func readersOwnMismatch() throws {
    let clock = try fields(#"{"clock":{"mode":"frzen"}}"#).object("clock")

    #expect(
      "\(clock.mismatch("mode", expected: "one of real, frozen, offset"))"
        == #"$.clock.mode: expected one of real, frozen, offset; found "frzen""#)
  }

  @Test("a long text is cut in an error")
  func longTexts() throws {
    let fields = try fields("{\"x\":\"\(String(repeating: "y", count: 500))\"}")

    #expect(fields.mismatch("x", expected: "less").found == "\"\(String(repeating: "y", count: 60))…\"")
  }

  @Test("unread fields are listed in document order, with nested ones")
  func unread() throws {
    let fields = try fields(
      #"{"first":0,"clock":{"mod":"frozen","now":1},"subscribers":[{"numbr":1},{"number":2,"x":{"y":1}}],"#
        + #""whole":{"a":{"b":1}},"tree":{"c":1},"last":[1]}"#)

    let clock = try fields.object("clock")
    _ = try clock.optionalString("mode")
    _ = try clock.int("now")
    _ = try fields.objects("subscribers").map { try $0.optionalInt("number") }
    _ = try fields.json("whole")

    #expect(
      fields.unread == ["first", "clock.mod", "subscribers[0].numbr", "subscribers[1].x", "tree", "last"])
    #expect(clock.unread == ["clock.mod"])
  }

  @Test("the same object is always read by the same reader")
  func sharedReaders() throws {
    let fields = try fields(#"{"o":{"a":1,"b":2},"list":[{"a":1}]}"#)

    _ = try fields.object("o").int("a")
    _ = try fields.object("o").int("b")
    _ = try fields.objects("list")[0].int("a")

    #expect(fields.unread == [])
  }

  @Test("a field read as the wrong kind counts as read")
  func misread() throws {
    let fields = try fields(#"{"o":{"a":1}}"#)

    #expect(message { _ = try fields.string("o") } == "$.o: expected a string; found an object")
    #expect(fields.unread == [])
  }

  @Test("has() marks a field as read, listing names does not")
  func presence() throws {
    let fields = try fields(#"{"b":null,"a":1}"#)

    #expect(fields.names == ["b", "a"])
    #expect(fields.unread == ["b", "a"])
    #expect(fields.has("b"))
    #expect(!fields.has("c"))
    #expect(fields.unread == ["a"])
  }

  @Test("a document that is not an object is an error at its root")
  func roots() {
    #expect(message { _ = try fields("[1]") } == "$: expected an object; found an array")
    #expect(message { _ = try fields("12") } == "$: expected an object; found 12")
    #expect(message { _ = try fields(#"{"a" 1}"#) } == "$: expected a colon at byte 5; found \"1\"")
    #expect(
      message { _ = try fields("{\n \"a\": 1,\n  ]") }?.contains("at line 3, column 3; found \"]\"") == true)
    #expect(message { _ = try fields("") } == "$: expected a value at byte 0; found the end")
  }

  @Test("a nested reader has full paths")
  func parts() throws {
    let part = try Fields(.object([.init(name: "n", value: .null)]), path: "$.accounts[3]")

    #expect(message { _ = try part.int("n") } == "$.accounts[3].n: expected an integer; found null")
    #expect(
      try Fields(.object([.init(name: "n", value: .null)]), path: "$.accounts[3]").unread == ["accounts[3].n"]
    )
  }

  private func fields(_ text: String) throws(FieldError) -> Fields {
    try Fields(Array(text.utf8))
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
