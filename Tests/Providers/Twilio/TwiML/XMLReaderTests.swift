import Support
import Testing

@testable import Twilio

@Suite("Twilio · XML")
struct XMLReaderTests {
  private func root(_ text: String) throws -> XMLElement { try XMLReader.root(of: Array(text.utf8)) }

  private func mistake(_ text: String) -> String? {
    do throws(XMLError) {
      _ = try XMLReader.root(of: Array(text.utf8))
      return nil
    } catch {
      return error.description
    }
  }

  @Test("elements, attributes, texts, references, CDATA, comments and instructions are read")
  func document() throws {
    let root = try root(
      """
      \u{FEFF}<?xml version="1.0"?>
      <!-- a - b --><?php x ?>
      <Response a = 'x"&#x41;&#66;&lt;' b:c="1
      2"><Say>4 &amp; 2<![CDATA[ <b> ]]>&gt;<break/>end</Say ><Pause /></Response>
      <!-- end -->
      """)

    #expect(root["a"] == "x\"AB<" && root["b:c"] == "1 2" && root["d"] == nil)
    #expect(root.elements.map(\.name) == ["Say", "Pause"])
    #expect(root.elements[0].text == "4 & 2 <b> >end")
    #expect(root.elements[0].nodes.count == 3)
  }

  @Test(
    "an error has its place",
    arguments: [
      ("", "line 1, column 1: expected an element"), ("hello", "line 1, column 1: expected an element"),
      ("<a>\n <b></a>", "line 2, column 7: expected the end tag </b>"),
      ("<a", "line 1, column 3: expected > at the end of the tag a"),
      ("<a b=1>", "line 1, column 6: expected the value of b in quotation marks"),
      ("<a b='1' b='2'/>", "line 1, column 10: expected the attribute b once"),
      ("<a b='<'/>", "line 1, column 7: expected no < in the value of b"),
      ("<a b='", "line 1, column 7: expected a quotation mark after the value of b"),
      ("<a>&nbsp;</a>", "line 1, column 4: expected &amp; or another reference"),
      ("<a>&#0;</a>", "line 1, column 4: expected &amp; or another reference"),
      ("<a>&#x110000;</a>", "line 1, column 4: expected &amp; or another reference"),
      ("<a>a & b</a>", "line 1, column 6: expected &amp; or another reference"),
      ("<a/><b/>", "line 1, column 5: expected nothing after the element a"),
      (" <?xml version='1.0'?><a/>", "line 1, column 2: expected the XML declaration at the very beginning"),
      ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "line 1, column 1: expected no document type"),
      ("<a><!-- x</a>", "line 1, column 8: expected --> at the end of the comment"),
      ("<a>\u{1}</a>", "line 1, column 4: expected no control characters"),
      ("<1/>", "line 1, column 2: expected the name of an element"),
    ])
  func mistakes(_ text: String, _ expected: String) { #expect(mistake(text) == expected) }

  @Test("size, depth and number of nodes have limits, and bytes must be UTF-8")
  func limits() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    }
    #expect(mistake(nested(XMLReader.maxDepth)) == nil)
    #expect(mistake(nested(XMLReader.maxDepth + 1))?.hasSuffix("at most 16 elements in each other") == true)
    func wide(_ count: Int) -> String { "<r>\(String(repeating: "<a/>", count: count))</r>" }
    #expect(mistake(wide(XMLReader.maxNodes - 1)) == nil)
    #expect(mistake(wide(XMLReader.maxNodes))?.hasSuffix("at most 2000 elements and texts") == true)
    let long = String(repeating: "x", count: XMLReader.maxSize - 7)
    #expect(mistake("<r>\(long)</r>") == nil)
    #expect(mistake("<r>\(long)x</r>") == "line 1, column 65537: expected at most 65536 bytes")
    #expect(mistake("<r>\(String(repeating: "\u{301}", count: 40))</r>")?.contains("combining") == true)
    #expect(throws: XMLError(line: 1, column: 1, expected: "UTF-8")) {
      try XMLReader.root(of: [0x3C, 0x61, 0xFF, 0x2F, 0x3E])
    }
  }

  @Test("TwiML has the root Response")
  func response() throws {
    let document = "<Response><Say>a</Say> b <Hangup/></Response>"
    #expect(try TwiML(Array(document.utf8)).verbs.map(\.name) == ["Say", "Hangup"])
    #expect(throws: TwiMLError(.wrongRoot, "expected the root element Response; found html")) {
      try TwiML(Array("<html/>".utf8))
    }
    #expect(throws: TwiMLError(.notXML, "line 1, column 7: expected the end tag </html>")) {
      try TwiML(Array("<html>".utf8))
    }
  }
}
