import JSON
import Testing

@Suite("JSON parser")
struct ParserTests {
  @Test("a valid document is parsed", arguments: accepted)
  func acceptance(vector: Accepted) throws {
    #expect(try JSON(parsing: Array(vector.text.utf8)) == vector.value)
  }

  @Test("an invalid document is an error at the first wrong byte", arguments: refused)
  func refusal(vector: Refused) {
    let error = #expect(throws: SyntaxError.self) { try JSON(parsing: vector.bytes) }

    #expect(error?.offset == vector.offset, "expected \(error?.expected ?? "")")
  }

  @Test("every prefix of a document is an error, without reading past its end")
  func prefixes() {
    let bytes = Array(#"{"a":[1.5e+3,"\u00e9\ud83d\ude00é",true,false,null,{}],"b":-0}"#.utf8)

    #expect(throws: Never.self) { try JSON(parsing: bytes) }
    for count in bytes.indices {
      #expect(throws: SyntaxError.self) { try JSON(parsing: Array(bytes[..<count])) }
    }
  }

  @Test("a string with escapes keeps what is between them, and must be UTF-8")
  func escapes() throws {
    let text = Array(#""a\n\u00e9é\"漢\ud83d\ude00""#.utf8)
    #expect(try JSON(parsing: text) == .string("a\néé\"漢😀"))

    #expect(throws: SyntaxError(offset: 4, expected: "UTF-8")) {
      try JSON(parsing: Array(#""a\n"#.utf8) + [0xFF] + Array(#"""#.utf8))
    }
  }

  @Test(
    "more than 30 combining marks in a row are an error",
    arguments: [
      (#""e◌""#, "\u{301}\u{316}", 15, nil), (#""e◌""#, "\u{301}\u{316}", 100_000, 1),
      (#""◌""#, #"\u0301"#, 30, nil), (#""◌""#, #"\u0301"#, 31, 1), (#"{"e◌":1}"#, "\u{301}", 31, 2),
      (#"["ok","◌"]"#, "\u{301}\\u0316", 16, 7), (#""◌""#, "e\u{301}", 1_000, nil),
      (#""◌""#, "漢字", 1_000, nil),
    ] as [(String, String, Int, Int?)])
  func combiningMarks(text: String, marks: String, count: Int, offset: Int?) {
    let document = text.replacing("◌", with: String(repeating: marks, count: count))
    let outcome = Result { try JSON(parsing: Array(document.utf8)) }

    switch outcome {
    case .success: #expect(offset == nil)
    case .failure(let error as SyntaxError):
      #expect(error.expected == "at most 30 combining marks in a row" && error.offset == offset)
    case .failure(let error): Issue.record(error)
    }
  }

  @Test("a member name has at most 1024 bytes")
  func longNames() {
    func document(_ count: Int) -> [UInt8] { Array(#"{"\#(String(repeating: "a", count: count))":1}"#.utf8) }

    #expect(throws: Never.self) { try JSON(parsing: document(1_024)) }
    #expect(throws: SyntaxError(offset: 1, expected: "a member name of at most 1024 bytes")) {
      try JSON(parsing: document(1_025))
    }
  }

  @Test("64 levels are allowed, 65 are not")
  func depth() {
    func nested(_ levels: Int) -> [UInt8] {
      Array(String(repeating: "[", count: levels).utf8) + Array(String(repeating: "]", count: levels).utf8)
    }

    #expect(throws: Never.self) { try JSON(parsing: nested(64)) }
    #expect(throws: SyntaxError(offset: 64, expected: "at most 64 levels of nesting")) {
      try JSON(parsing: nested(65))
    }
    #expect(throws: SyntaxError.self) { try JSON(parsing: nested(100_000)) }
    #expect(throws: SyntaxError.self) { try JSON(parsing: Array("[[]]".utf8), limits: .init(depth: 1)) }
  }

  @Test("siblings do not add to the depth")
  func siblings() {
    let text = "[" + Array(repeating: "[{}]", count: 100).joined(separator: ",") + "]"

    #expect(throws: Never.self) { try JSON(parsing: Array(text.utf8)) }
  }

  @Test("a repeated member name is an error, among few or many", arguments: [1, 2, 15, 16, 17, 300])
  func duplicates(count: Int) {
    let names = (0..<count).map { "\"n\($0)\":0" }
    let text = "{" + (names + ["\"n0\":1"]).joined(separator: ",") + "}"

    let error = #expect(throws: SyntaxError.self) { try JSON(parsing: Array(text.utf8)) }

    #expect(error?.offset == text.utf8.count - 7)
    #expect(throws: Never.self) { try JSON(parsing: Array("{\(names.joined(separator: ","))}".utf8)) }
  }

  @Test("if repeated names are allowed, the last value counts", arguments: [1, 2, 15, 16, 17, 300])
  func lastCounts(count: Int) throws {
    let names = (0..<count).map { "\"n\($0)\":0" }
    let text = "{" + (names + ["\"n0\":1", "\"n0\":2"]).joined(separator: ",") + "}"

    let json = try JSON(parsing: Array(text.utf8), repeatedNames: .lastCounts)

    guard case .object(let members) = json else { return #expect(Bool(false), "expected an object") }
    #expect(members.map(\.name) == (0..<count).map { "n\($0)" })
    #expect(members[0].value == .integer(2))
    #expect(members.dropFirst().allSatisfy { $0.value == .integer(0) })
  }

  @Test("an object has at most 10,000 members, however it is read", arguments: [10_000, 10_001])
  func members(count: Int) {
    let text = Array("{\((0..<count).map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
    var reader = JSONReader(text)
    var parser = PiecewiseParser(text, limits: .standard)

    let whole = Result { try JSON(parsing: text) }
    let inSteps = Result {
      try reader.enterObject()
      while try reader.nextMember() != nil { _ = try reader.value() }
    }
    let inPieces = Result { while try parser.parse(bytes: 1_000) == nil {} }

    let isAllowed = count == 10_000
    #expect(((try? whole.get()) != nil) == isAllowed)
    #expect(((try? inSteps.get()) != nil) == isAllowed)
    #expect(((try? inPieces.get()) != nil) == isAllowed)
  }

  @Test("a document has at most so many values, those of arrays and objects included")
  func values() {
    let text = Array(#"{"a":[1,2],"b":{"c":null}}"#.utf8)

    #expect(throws: Never.self) { try JSON(parsing: text, limits: .init(values: 6)) }
    let error = #expect(throws: SyntaxError.self) { try JSON(parsing: text, limits: .init(values: 5)) }
    #expect(error?.expected == "at most 5 values in the document")
  }

  @Test("an error says where, and what was expected")
  func description() {
    let error = #expect(throws: SyntaxError.self) { try JSON(parsing: Array(#"{"a" 1}"#.utf8)) }

    #expect(error.map { "\($0)" } == "expected a colon at byte 5")
  }

  @Test("members keep their order and are found by name")
  func members() throws {
    let json = try JSON(parsing: Array(#"{"z":1,"a":{"m":null}}"#.utf8))

    #expect(
      json
        == .object([
          .init(name: "z", value: .integer(1)),
          .init(name: "a", value: .object([.init(name: "m", value: .null)])),
        ]))
    #expect(json["a"]?["m"] == .null)
    #expect(json["m"] == nil)
    #expect(json["z"]?["a"] == nil)
  }
}
