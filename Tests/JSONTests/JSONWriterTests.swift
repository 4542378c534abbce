import JSON
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test("members are in call order, with commas between them")
  func order() {
    let bytes = JSONWriter.object {
      $0.member("b", "text")
      $0.member("a", 1)
      $0.null("n")
      $0.member("none", String?.none)
      $0.object("o") {
        $0.member("x", true)
        $0.member("y", 1.5)
      }
      $0.object("empty") { _ in }
      $0.array("list", [1, 2, 3]) { $0.value($1) }
      $0.array("objects", ["k", "l"]) { writer, name in writer.value(object: { $0.member(named: name, 1) }) }
      $0.member("strings", ["x", "y"])
      $0.member("absent", [String]?.none)
      $0.member("raw", encoded: Array(#"{"z":[]}"#.utf8))
      $0.member("last", JSON.object([.init(name: "q", value: .array([.null, .bool(false)]))]))
    }

    #expect(
      text(bytes)
        == #"{"b":"text","a":1,"n":null,"none":null,"o":{"x":true,"y":1.5},"empty":{},"list":[1,2,3],"#
        + #""objects":[{"k":1},{"l":1}],"strings":["x","y"],"absent":null,"raw":{"z":[]},"#
        + #""last":{"q":[null,false]}}"#)
  }

  @Test("computed names are escaped")
  func dynamicNames() {
    let bytes = JSONWriter.object {
      $0.member(named: "a\"b", "x")
      $0.member(named: "é\n", encoded: Array("[1]".utf8))
      $0.object(named: "\\") { $0.member("in", 1) }
    }

    #expect(text(bytes) == #"{"a\"b":"x","é\n":[1],"\\":{"in":1}}"#)
  }

  @Test("an array can be the whole document, of any sequence")
  func arrays() {
    #expect(text(JSONWriter.array(1...3) { $0.value($1) }) == "[1,2,3]")
    #expect(text(JSONWriter.array([String]()) { $0.value($1) }) == "[]")
    #expect(text(JSONWriter.array([1, nil]) { $0.value($1) }) == "[1,null]")
    #expect(text(JSONWriter.array([[1], []]) { $0.value($1) }) == "[[1],[]]")
    #expect(
      text(JSONWriter.array([[1, 2], [3]]) { writer, row in writer.value(array: row) { $0.value($1) } })
        == "[[1,2],[3]]")
    #expect(text(JSONWriter.array(["{}", "0"]) { $0.value(encoded: Array($1.utf8)) }) == "[{},0]")
  }

  @Test("a writer returns its bytes at any time")
  func ownWriter() {
    var writer = JSONWriter(capacity: 1)
    writer.value(array: 0..<1000) { $0.value($1) }

    #expect(writer.bytes == Array("[\((0..<1000).map(String.init).joined(separator: ","))]".utf8))
  }

  @Test(
    "only what must be escaped is escaped",
    arguments: [
      ("", #""""#), ("/", #""/""#), ("\u{7F}é€😀", "\"\u{7F}é€😀\""), ("\"", #""\"""#), ("\\", #""\\""#),
      ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
      ("\0\u{1}\u{F}\u{10}\u{1F}", #""\u0000\u0001\u000f\u0010\u001f""#),
      (" !#[]~", #"" !#[]~""#),
    ])
  func escapes(plain: String, encoded: String) {
    #expect(text(JSON.string(plain).encoded()) == encoded)
  }

  @Test(
    "a special character is escaped at every position of texts of every length",
    arguments: ["\"", "\\", "\u{1F}"])
  func escapePlaces(special: String) throws {
    for length in 0..<80 {
      for place in 0...length {
        let plain =
          String(repeating: "ä", count: place / 2) + String(repeating: "x", count: place % 2) + special
          + String(repeating: "y", count: length - place)
        #expect(try JSON(parsing: JSON.string(plain).encoded()) == .string(plain))
      }
    }
  }

  @Test("texts of every length are copied whole", arguments: [0...20, 60...70, 250...260, 1000...1030])
  func lengths(range: ClosedRange<Int>) {
    for length in range {
      let plain = String(decoding: (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }, as: UTF8.self)

      #expect(text(JSONWriter.object { $0.member("text", plain) }) == "{\"text\":\"\(plain)\"}")
    }
  }

  @Test(
    "integers are written in full",
    arguments: [0, 1, -1, 9, 10, 99, 100, -100, 1_234_567_890, Int64.max, Int64.min, 1 << 53])
  func integers(number: Int64) {
    #expect(text(JSON.integer(number).encoded()) == String(number))
    #expect(text(JSONWriter.array([Int(number)]) { $0.value($1) }) == "[\(number)]")
  }

  @Test(
    "doubles are parsed to the same number, and infinity and NaN are null",
    arguments: [0.1, -0.0, 1e300, .leastNonzeroMagnitude, 123_456_789.125, 1e16, 2.5e-7])
  func doubles(number: Double) throws {
    let bytes = JSON.double(number).encoded()

    guard case .double(let back) = try JSON(parsing: bytes) else { throw Unexpected(text(bytes)) }
    #expect(back.bitPattern == number.bitPattern)
    #expect(
      text(JSONWriter.array([Double.nan, .infinity, -.infinity]) { $0.value($1) }) == "[null,null,null]")
  }

  private struct Unexpected: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
