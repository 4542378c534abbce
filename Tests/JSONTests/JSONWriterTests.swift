import JSON
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test("members stand in call order, with commas between them")
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
      $0.array("list", [1, 2, 3]) { $0.value($1) }
      $0.array("objects", ["k", "l"]) { writer, name in writer.value(object: { $0.member(named: name, 1) }) }
      $0.member("strings", ["x", "y"])
      $0.member("raw", encoded: Array(#"{"z":[]}"#.utf8))
      $0.member("last", JSON.object([.init(name: "q", value: .array([.null, .bool(false)]))]))
    }

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"b":"text","a":1,"n":null,"none":null,"o":{"x":true,"y":1.5},"list":[1,2,3],"#
        + #""objects":[{"k":1},{"l":1}],"strings":["x","y"],"raw":{"z":[]},"last":{"q":[null,false]}}"#)
  }
}
