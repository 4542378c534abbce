import Testing

@testable import JSON

@Suite("JSON · large documents")
struct PiecewiseTests {
  /// Parses in calls of one byte each, so that every place is one to continue from.
  private func parseInPieces(_ text: String, limits: JSON.Limits = .standard) throws -> JSON {
    var parser = PiecewiseParser(Array(text.utf8), limits: limits)
    while true {
      if let document = try parser.parse(bytes: 1) { return document }
    }
  }

  @Test(
    "pieces give the same document, or an error at the same place, as the whole",
    arguments: [
      "{}", "[]", " [ ] ", "7", #""x""#, "null", #"{"a":{"b":[1,2,{"c":null}],"d":"e"},"f":[[],{}]}"#,
      "[1,2", "[1,]", "{\"a\"}", #"{"a":1,"a":2}"#, #"{"a":1,}"#, "[1]x", "", "[}", "tru", #"{"a":[1}"#,
    ])
  func agreement(text: String) throws {
    let whole = Result { try Fields(object(text)) }
    let pieces = Result { try Fields(.object([.init(name: "x", value: parseInPieces(text))])) }

    switch (whole, pieces) {
    case (.success, .success): #expect(try parseInPieces(text) == JSON(parsing: Array(text.utf8)))
    case (.failure(let one as FieldError), .failure(let other as FieldError)): #expect(one == other)
    default: Issue.record("\(text): \(whole), \(pieces)")
    }
  }

  private func object(_ text: String) throws -> JSON {
    let bytes = Array(text.utf8)
    do throws(SyntaxError) {
      return .object([.init(name: "x", value: try JSON(parsing: bytes))])
    } catch {
      throw FieldError(error, in: bytes)
    }
  }

  @Test("a document in pieces has the limits of a whole one")
  func limits() {
    let limits = JSON.Limits(depth: 2, values: 4)
    #expect(throws: FieldError.self) { try parseInPieces("[[[]]]", limits: limits) }
    #expect(throws: FieldError.self) { try parseInPieces("[1,2,3,4]", limits: limits) }
    #expect(throws: Never.self) { try parseInPieces("[[1],2]", limits: limits) }
  }

  @Test("a reader finds members and items, and can read a part again")
  func reader() throws {
    var reader = JSONReader(Array(#" {"a": {"b}": "]\"", "c": [1, {"d": 2}]}, "e": [3 , [4]]} "#.utf8))
    try reader.enterObject()
    #expect(try reader.nextMember() == "a")
    let mark = reader
    try reader.skipValue(atMost: 100)
    #expect(try reader.nextMember() == "e")
    try reader.enterArray()
    var items: [JSON] = []
    while try reader.nextItem() { items.append(try reader.value()) }
    #expect(items == [.integer(3), .array([.integer(4)])])
    #expect(try reader.nextMember() == nil)
    try reader.finish()

    reader = mark
    #expect(try reader.value()["b}"] == .string(#"]""#))
  }

  @Test(
    "a reader refuses what is no document",
    arguments: ["[]", "{", "{\"a\"", "{\"a\":", #"{"a":1 "b":2}"#, #"{"a":1,"a":2}"#, "{} x", #"{"a":"x}"#])
  func malformed(text: String) {
    #expect(throws: FieldError.self) {
      var reader = JSONReader(Array(text.utf8))
      try reader.enterObject()
      while try reader.nextMember() != nil { try reader.skipValue(atMost: 100) }
      try reader.finish()
    }
  }

  @Test("a value that is too long is refused before it is parsed")
  func longValue() throws {
    var reader = JSONReader(Array(#"{"a":[1,2,3]}"#.utf8))
    try reader.enterObject()
    _ = try reader.nextMember()

    let error = #expect(throws: FieldError.self) { try reader.value(atMost: 6) }

    #expect(error?.expected == "a value of at most 6 bytes at byte 5")
  }
}
