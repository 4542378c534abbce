import CatalogSupport
import Control
import Guides
import HTTP
import JSON
import Support
import Testing

@testable import Console

@Suite("Console · documentation")
struct DocsTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  private func body(_ path: String, _ status: Status = 200) throws -> String {
    let response = try world.answer(.to(path))
    #expect(response.status == status, "\(path)")
    return String(decoding: response.body, as: UTF8.self)
  }

  @Test("every page is shown, and its links lead to pages and headings that there are", arguments: Guide.all)
  func pages(guide: Guide) throws {
    let html = try body("/console/docs/\(guide.path)")

    #expect(html.contains("<article class=\"docs\"><h1"))
    #expect(!html.contains("```") && !html.contains("]("), "\(guide.path)")
    for link in html.matches(of: /href="\/console\/docs\/([^"#]+)(?:#([^"]+))?"/) {
      let other = try #require(Guide.named(String(link.1)), "\(link.1)")
      guard let anchor = link.2 else { continue }
      #expect(try body("/console/docs/\(other.path)").contains("id=\"\(anchor)\""), "\(link.0)")
    }
    for link in html.matches(of: /href="#(doc-[^"]+)"/) { #expect(html.contains("id=\"\(link.1)\"")) }
    #expect(try body(guide.address) == guide.text)
  }

  @Test("the lists have every page, and a misspelt page gets the nearest")
  func lists() throws {
    let html = try body("/console/docs")
    let json = try JSON(parsing: Array(body("/control/docs").utf8))
    guard case .array(let listed)? = json["pages"] else {
      Issue.record("no list")
      return
    }
    #expect(listed.count == Guide.all.count && listed.count > 40)
    for guide in Guide.all { #expect(html.contains("/console/docs/\(guide.path)\"")) }
    #expect(try body("/control/docs/carrier.md") == body("/control/docs/Carrier.md"))
    #expect(
      try body("/control/docs/Carier.md", 404).contains("there is no page Carier; did you mean carrier?"))
    #expect(try body("/console/docs/Carier", 404).contains("There is no page Carier; did you mean carrier?"))
  }

  @Test(
    "what Markdown becomes",
    arguments: [
      ("a `b*c*` **d** *e* \\* f", "<p>a <code>b*c*</code> <strong>d</strong> <em>e</em> * f</p>"),
      (
        "[a `b`](x.md#y) <http://c.test>",
        #"<p><a href="/x.md#y">a <code>b</code></a> <a href="http://c.test">"#
      ),
      ("[a](none)", "<p>a</p>"),
      ("* a\n  b\n* c\n  * d\n\ne", "<ul><li>a\nb</li><li><p>c</p><ul><li>d</li></ul></li></ul><p>e</p>"),
      ("1. a\n\n   ```sh\n   b <c>\n   ```", "<ol><li><p>a</p><pre><code>b &lt;c&gt;</code></pre></li></ol>"),
      ("| a | b |\n| --- | --- |\n| `c|d` | e\\|f |", "<td><code>c|d</code></td><td>e|f</td>"),
      ("## A b\n## A b", #"<h2 id="doc-a-b">A b</h2><h2 id="doc-a-b-1">A b</h2>"#),
      ("<script>", "<p>&lt;script&gt;</p>"), ("a * b ` c [d", "<p>a * b ` c [d</p>"),
      ("<!-- x -->\n![p](q.jpg)\n```\nopen", "<p></p><pre><code>open</code></pre>"),
    ])
  func markdown(text: String, html: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let made = Markdown { $0 == "none" ? nil : "/\($0)" }.html(of: lines)
    #expect("\(made)".contains(html), "\(made)")
  }
}
