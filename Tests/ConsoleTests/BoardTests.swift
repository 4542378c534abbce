import Basics
import CatalogSupport
import Console
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Console · the board")
struct BoardTests {
  private let world: TestSandbox

  init() throws {
    world = try TestSandbox.withCatalog()
    let body =
      #"{"name":"tuesday","story":"first-sign-in","flavour":"twilio","participants":["Ana","Ben","Cem","Dia"]}"#
    #expect(try world.answer(.json(.post, "/control/workshops", body)).status == 201)
  }

  private func page(_ query: String = "") throws -> String {
    let response = try world.answer(.to("/console/workshops/tuesday\(query)"))
    #expect(response.status == 200)
    return String(decoding: response.body, as: UTF8.self)
  }

  /// Names and classes of the tiles, in their order: `Ana stuck`.
  private func tiles() throws -> [String] {
    try page().matches(of: #/<article id="participant-\d+" class="tile (\w+)".*?<h2><a [^>]*>(\w+)</#)
      .map { "\($0.2) \($0.1)" }
  }

  private func join(_ position: Int) throws {
    let workshop = try #require(try world.sandboxes.workshops["tuesday"])
    let phrase = try world.sandboxes.workshops.participants(of: workshop)[position - 1].phrase
    #expect(try world.submit(["phrase": phrase], on: "/join").status == 303)
  }

  private func pass(_ minutes: Int) throws {
    let body = #"{"advance":"\#(minutes)m"}"#
    #expect(try world.answer(.json(.post, "/control/clock", body)).status == 200)
  }

  @Test("who is stuck for longest comes first, then who sent nothing, then who works")
  func order() throws {
    #expect(try tiles() == ["Ana notStarted", "Ben notStarted", "Cem notStarted", "Dia notStarted"])
    try join(4)
    _ = try world.sendCode(3)
    try pass(2)
    _ = try world.sendCode(2)
    _ = try world.sendCode(2, to: "+1")
    #expect(try tiles() == ["Dia silent", "Ben working", "Cem working", "Ana notStarted"])

    try pass(3)
    #expect(try tiles() == ["Cem stuck", "Dia silent", "Ben working", "Ana notStarted"])
    _ = try world.sendCode(2, to: "+2")
    try pass(2)

    #expect(try tiles() == ["Cem stuck", "Ben stuck", "Dia silent", "Ana notStarted"])
    let html = try page()
    #expect(html.contains("No request since 10:20. Does the program still run?"))
    #expect(html.contains(#"found &quot;+2&quot;"#))
    #expect(html.contains("Is their program set to the address on the card?"))
    #expect(html.contains("Not started: 1. Joined, but sent nothing: 1."))
    #expect(html.contains(#"<p class="label">Stuck</p><p class="big">2</p>"#))
    #expect(html.contains(", Cem</p>") && html.contains(#"data-elapsed="1767608430000">07:00</p>"#))
  }

  @Test("a participant who works says when that ends, so that the script asks again then")
  func due() throws {
    _ = try world.sendCode(1)
    let stuckAt = TestSandbox.start + .seconds(300)

    #expect(try page().contains(#"data-due="\#(stuckAt.milliseconds)""#))
    try pass(5)

    #expect(try !page().contains("data-due"))
  }

  @Test("a refusal by a failure on purpose makes nobody stuck while requests come")
  func onPurpose() throws {
    let broken = #"{"faults":[{"status":500}]}"#
    _ = try world.answer(.json(.post, "/control/workshops/tuesday/break", broken))
    _ = try world.sendCode(1)
    try pass(4)
    _ = try world.sendCode(1)
    try pass(4)

    #expect(try tiles().first == "Ana working")
    #expect(try page().contains(#"data-done="Repaired for all 4.""#))
  }

  @Test("a failure on purpose after a mistake is named first, and makes nobody stuck")
  func failureAfterMistake() throws {
    _ = try world.sendCode(1, to: "+2")
    let broken = #"{"faults":[{"status":500}]}"#
    _ = try world.answer(.json(.post, "/control/workshops/tuesday/break", broken))
    try pass(5)
    _ = try world.sendCode(1)

    #expect(try tiles().first == "Ana working")
    #expect(try page().contains("The newest answer was broken on purpose. Before it: "))
  }

  @Test("accepted requests in vain: the reason is on the tile and in the task, and they make stuck")
  func inVain() throws {
    for _ in 0..<2 {
      _ = try world.sendCode(1, to: "+12025550111")
      try pass(4)
    }
    for _ in 0..<5 {
      _ = try world.sendCode(2)
      try pass(4)
    }

    #expect(try tiles().prefix(2) == ["Ana stuck", "Ben stuck"])
    let html = try page()
    #expect(html.contains("It was for +12025550111, not for +12025550100."))
    #expect(html.contains("Requests come, but not what the task waits for. The last one was at 10:44."))
    let own = String(decoding: try world.answer(.to("/s/tuesday-1/")).body, as: UTF8.self)
    #expect(own.contains("The last request was accepted, but it was for +12025550111, not for"))
    #expect(own.contains("<code>createVerification with +12025550100, answered with 201</code>"))
  }

  @Test("the bars count the participants by the tasks that they have done")
  func bars() throws {
    _ = try world.sendCode(1)

    let counts = try page().matches(of: #/<span class="count">(\d*)<\/span>/#).map { String($0.1) }

    #expect(counts == ["3", "1", "", "", "", ""])
  }

  @Test("tiles and table have everything that actions need, and lead to each other")
  func views() throws {
    for (view, other) in [("", "?view=table"), ("?view=table", "")] {
      let html = try page(view)
      #expect(html.contains(#"href="/console/workshops/tuesday\#(other)""#))
      #expect(html.matches(of: #/name="participants" value="\w+" aria-label="Select \w+"/#).count == 4)
      #expect(html.contains(#"data-select="all""#) && html.contains(#"href="/s/tuesday-1/""#))
      #expect(html.matches(of: #/class="primary"/#).count == 1)
      for action in ["note", "break", "fix", "clock", "reset"] {
        #expect(html.contains(#"data-urls="/control/workshops/tuesday/\#(action)""#))
      }
    }
  }

  @Test("a tile says the reason first, as a sentence, then what helps; the way out is open in the task")
  func reasons() throws {
    for _ in 0..<6 { _ = try world.sendCode(1) }
    _ = try world.answer(.to("/s/tuesday-2/control/inbx"))

    let html = try page()
    #expect(html.contains("It was sent 5 times within 600 s. Press +10 min, then send a new code."))
    #expect(html.contains("Unknown path (GET /control/inbx)."))
    let own = String(decoding: try world.answer(.to("/s/tuesday-1/")).body, as: UTF8.self)
    #expect(own.contains(#"<p class="way-out">"#) && own.contains("Press +10 min at the top"))
  }

  @Test("a browser gets results with a mark that spreadsheets need, a program without")
  func results() throws {
    let path = "/control/workshops/tuesday/results.csv"
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try world.answer(.to(path, headers: ["Accept": "text/html,*/*"])).body.starts(with: mark))
    #expect(try !world.answer(.to(path, headers: ["Accept": "*/*"])).body.starts(with: mark))
  }
}
