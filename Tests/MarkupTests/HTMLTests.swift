import Markup
import Testing

@Suite("HTML")
struct HTMLTests {
  @Test("text and attribute values are escaped")
  func escaping() {
    let attack = #"<script>alert('1' & "2")</script>"#
    let html = p(.title(attack)) { attack }

    #expect(
      html.description
        == #"<p title="&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;">"#
        + "&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;</p>")
  }

  @Test("conditions and loops describe content")
  func controlFlow() {
    func list(_ names: [String], note: String?) -> HTML {
      HTML {
        if names.isEmpty { p { "none" } } else { ul { for name in names { li { name } } } }
        if let note { em { note } }
      }
    }

    #expect(list([], note: nil).description == "<p>none</p>")
    #expect(list(["a", "<"], note: "n").description == "<ul><li>a</li><li>&lt;</li></ul><em>n</em>")
  }

  @Test("void elements have no end tag, flags no value, and absent attributes are left out")
  func attributes() {
    let html = input(
      .type("text"), .init(flag: "required"), .init(flag: "disabled", false), .init("max", ifPresent: nil))

    #expect(html.description == #"<input type="text" required>"#)
  }

  @Test(
    "a link has a safe scheme or goes nowhere",
    arguments: [
      ("/a?b=c", "/a?b=c"), ("https://example.test/", "https://example.test/"), ("#top", "#top"),
      ("javascript:alert(1)", "#"), ("//example.test/", "#"), ("data:text/html,1", "#"),
      (" javascript:1", "#"),
    ])
  func links(url: String, written: String) {
    #expect(a(.href(url)).description == "<a href=\"\(written)\"></a>")
  }

  @Test("a document begins with its type, and a zero byte becomes a replacement character")
  func document() {
    let bytes = HTML.document(language: "en") { body { "a\0b" } }

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "<!DOCTYPE html>\n<html lang=\"en\"><body>a\u{FFFD}b</body></html>\n")
  }
}
