import CatalogSupport
import Console
import Control
import Domain
import Foundation
import HTTP
import Support
import Testing

/// Issue 45, B4: pages that grow with the data are made in pieces, and none shows more than people read.
@Suite("Console · pages in pieces")
struct PiecesTests {
  private let world: TestSandbox

  init() throws {
    world = try TestSandbox.withCatalog()
    world.dispatcher.isTurnLong = { true }
  }

  private func record(_ body: String, status: Int = 200) {
    world.sandbox.journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: "prelude", route: "createVerification", method: "POST",
        target: "/v2/verification", requestHead: Array("Content-Type: application/json\r\n".utf8),
        requestBody: Array(body.utf8), status: status, responseHead: [], responseBody: Array(body.utf8),
        why: nil, unread: [], nearest: []))
  }

  /// The steps in which a page is made: an empty piece for a step without a result.
  private func steps(_ path: String) throws -> [String] {
    guard case .streamed(let response, let body) = world.reply(to: .to(path)) else { return [] }
    #expect(response.status == 200)
    var steps: [String] = []
    while true {
      switch try body.next(size: 1, until: { true }) {
      case .bytes(let piece): steps.append(String(decoding: piece, as: UTF8.self))
      case .later: steps.append("")
      case .end: return steps
      }
    }
  }

  private func large(_ number: Int) -> String {
    let members = (0..<40_000).map { #""n\#($0)":"value \#($0)""# }.joined(separator: ",")
    return #"{"password":"hush-\#(number)",\#(members)}"#
  }

  @Test("each card of a workshop is a step")
  func cards() throws {
    let wanted = #"{"name":"class","story":"first-sign-in","participants":20}"#
    #expect(try world.answer(.json(.post, "/control/workshops", wanted)).status == 201)

    let cards = try steps("/console/workshops/class/cards").filter { $0.contains("join-card") }

    #expect(cards.count == 20)
    #expect(cards.allSatisfy { $0.components(separatedBy: "join-card").count == 2 })
  }

  @Test("each line of the list of sandboxes is a step; those of workshops come last, by their numbers")
  func sandboxes() throws {
    let wanted = #"{"name":"class","story":"first-sign-in","participants":11}"#
    #expect(try world.answer(.json(.post, "/control/workshops", wanted)).status == 201)
    #expect(try world.answer(.json(.post, "/control/sandboxes", #"{"name":"zebra"}"#)).status == 201)

    let lines = try steps("/console/sandboxes").compactMap { $0.firstMatch(of: #/<tr id="sandbox-([^"]+)"/#) }

    #expect(lines.map { String($0.1) } == ["default", "zebra"] + (1...11).map { "class-\($0)" })
  }

  @Test("a search looks at one request in a step, in any case of letters, and never at what is hidden")
  func search() throws {
    for number in 1...50 { record(#"{"note":"Ärger Needle","password":"hush-\#(number)"}"#) }

    #expect(try steps("/console/search?q=nothing").count > 50)
    for found in ["nEEDLE", "\u{E4}rger", "\u{C4}RGER"] {
      let html = try steps("/console/search?q=\(PercentCoding.encode(found))").joined()
      #expect(html.components(separatedBy: "/console/requests/").count == 7, "\(found)")
    }
    #expect(try steps("/console/search?q=hush").joined().contains("Nothing found"))
  }

  @Test("of large bodies a page has the beginning", arguments: ["", "?bodies=raw"])
  func largeBodies(query: String) throws {
    record(large(1))

    let steps = try steps("/console/requests/1\(query)")
    let html = steps.joined()

    #expect(html.utf8.count < 200_000 && steps.allSatisfy { $0.utf8.count < 100_000 })
    #expect(html.contains("value 2") && html.contains("more are in the control API"))
    #expect(!html.contains("hush") && html.contains("The body is no text, or too large for this page"))
    #expect(html.contains("Copies have no body: that of the request has"))
  }

  @Test("a document with many values is shown as text")
  func manyValues() throws {
    record("[\(String(repeating: "0,", count: 10_000))0]")

    // Its copies as programs have it, too.
    #expect(try steps("/console/requests/1").joined().utf8.count < 250_000)
  }

  @Test("large bodies are compared as a whole, and of many differences the first ones are shown")
  func comparison() throws {
    record(large(1))
    record(large(2))
    record(large(2) + " ")
    for number in 1...2 {
      record("{\((0..<1_000).map { #""n\#($0)":\#($0 * number)"# }.joined(separator: ","))}")
    }

    let whole = try steps("/console/requests/2?compare=1").joined()
    #expect(whole.contains("bytes, with another content</code>") && whole.utf8.count < 200_000)
    #expect(try steps("/console/requests/3?compare=2").joined().contains("bytes</code>"))
    #expect(!(try steps("/console/requests/3?compare=3").joined().contains("bytes</code>")))
    let many = try steps("/console/requests/5?compare=4").joined()
    #expect(many.contains("and 1798 more") && many.components(separatedBy: "<td>").count < 610)
  }

  @Test("each request, row and diagram of a report is a step")
  func report() throws {
    for _ in 1...100 { record("{}") }

    let lines = try steps("/control/sandboxes/default/report").filter { $0.contains(#"<li id="request-"#) }

    #expect(lines.count == 100)
  }
}
