import CatalogSupport
import Console
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Console · the stream of a board")
struct BoardStreamTests {
  private let world: TestSandbox

  init() throws {
    world = try TestSandbox.withCatalog()
    try create("tuesday", #"["Ana","Ben","Cem"]"#)
  }

  private func create(_ name: String, _ participants: String) throws {
    let story = #""story":"first-sign-in","flavour":"twilio""#
    try control(.post, "workshops", #"{"name":"\#(name)",\#(story),"participants":\#(participants)}"#)
  }

  private func control(
    _ method: HTTP.Method, _ path: String, _ body: String = "{}", in prefix: String = ""
  ) throws {
    let response = try world.answer(.json(method, "\(prefix)/control/\(path)", body))
    #expect(200..<300 ~= response.status.code, "\(String(decoding: response.body, as: UTF8.self))")
  }

  private func page() throws -> String {
    String(decoding: try world.answer(.to("/console/workshops/tuesday")).body, as: UTF8.self)
  }

  private func follow(
    after known: Int? = nil, lastID: String? = nil, view: String = "tiles"
  ) throws -> BodyPieces {
    let path = "/console/workshops/tuesday/stream?view=\(view)" + (known.map { "&after=\($0)" } ?? "")
    let request = Request.to(path, headers: lastID.map { ["Last-Event-ID": $0] } ?? [:])
    guard case .streamed(let response, let body) = world.reply(to: request) else { throw NoStream() }
    #expect(response.headers["Content-Type"] == "text/event-stream")
    return body
  }

  private struct NoStream: Error {}

  private struct Event {
    var id = ""
    var name = ""
    /// Of `parts`.
    var html = ""
    /// The ids of the tiles or rows.
    var rows: [String] {
      html.matches(of: #/<(?:tr|article) id="participant-(\d+)"/#).map { String($0.1) }
    }
  }

  /// The single event that a stream has now; nil if it has none.
  private func event(_ body: BodyPieces) throws -> Event? {
    guard body.hasNews else { return nil }
    let lines = String(decoding: try body.collect(), as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ": ", maxSplits: 1).map(String.init)
    }
    guard !lines.isEmpty else { return nil }
    #expect(lines.map { $0[0] } == ["id", "event", "data"])
    guard case .string(let html) = try JSON(parsing: Array(lines[2][1].utf8)) else {
      return Event(id: lines[0][1], name: lines[1][1])
    }
    return Event(id: lines[0][1], name: lines[1][1], html: html)
  }

  @Test("what happens to a participant sends this tile, with the summary and the time, and nothing else")
  func tiles() throws {
    let board = try follow()
    #expect(!board.hasNews)

    #expect(try world.sendCode(2) == 201)
    let done = try #require(try event(board))
    #expect(done.name == "parts" && done.rows == ["2"])
    #expect(done.html.contains(#"aria-label="1 of 5 tasks are done""#))
    #expect(done.html.contains("Not started: 2. Joined, but sent nothing: 0."))
    #expect(done.html.contains(#"id="clock" aria-label="Time of the boards""#))
    #expect(!done.html.contains("<button"))

    try control(.post, "workshops/tuesday/note", #"{"participants":["Cem","Ana"],"note":"Go on"}"#)
    #expect(try event(board)?.rows == ["1", "3"])
    try control(.post, "workshops/tuesday/reset", #"{"participants":["Ben"]}"#)
    let reset = try #require(try event(board))
    #expect(reset.rows == ["2"] && reset.html.contains(#"aria-label="0 of 5 tasks are done""#))
    #expect(try event(board) == nil)
  }

  @Test("the table gets rows instead of tiles")
  func table() throws {
    let board = try follow(view: "table")
    #expect(try world.sendCode(2) == 201)

    let done = try #require(try event(board))

    #expect(done.rows == ["2"] && done.html.contains(#"<tr id="participant-2">"#))
    #expect(done.html.contains(#"<td class="result done">"#) && !done.html.contains("<article"))
  }

  @Test("a tile that is sent is equal to that of the page")
  func samePage() throws {
    let board = try follow()
    #expect(try world.sendCode(1) == 201)
    #expect(try world.sendCode(1, to: "+1") == 400)

    let sent = try #require(try event(board)?.html)

    let page = try page()
    for pattern in [
      #/<article id="participant-1".*?<\/article>/#, #/<section id="board-summary".*?<\/section>/#,
      #/<section class="clock".*?<\/section>/#,
    ] {
      let part = try #require(sent.firstMatch(of: pattern)?.0)
      #expect(page.contains(part))
    }
  }

  @Test("failures send the row: of the trainer, of the participant, and when they are used up or fixed")
  func failures() throws {
    let board = try follow()
    let fault = #"{"faults":[{"status":500,"times":2}]}"#
    try control(.put, "faults", fault, in: "/s/tuesday-1")
    let own = try #require(try event(board))
    let line = #"Broken by themselves</span> for Ana: every provider answers 500 "#
    #expect(own.rows == ["1"] && own.html.contains(line))

    #expect(try world.sendCode(1) == 500)
    #expect(try event(board)?.html.contains(line) == true)
    #expect(try world.sendCode(1) == 500)
    let used = try #require(try event(board))
    #expect(used.rows == ["1"] && !used.html.contains("Broken by themselves"))

    try control(.post, "workshops/tuesday/break", #"{"participants":["Cem"],"faults":[{"status":503}]}"#)
    #expect(
      try event(board)?.html.contains(#"Broken</span> for Cem: every provider answers 503 "#) == true)
    try control(.delete, "faults", in: "/s/tuesday-3")
    let fixed = try #require(try event(board))
    #expect(fixed.rows == ["3"] && !fixed.html.contains("Broken"))
    try control(.post, "workshops/tuesday/break", #"{"faults":[{"status":503}]}"#)
    #expect(try event(board)?.html.contains("for all 3: every provider answers 503 ") == true)
  }

  @Test("texts of participants and trainers stay text")
  func escaping() throws {
    let board = try follow()

    try control(.post, "workshops/tuesday/note", #"{"participants":["Ana"],"note":"<img src=x>\n\"&"}"#)

    let html = try #require(try event(board)?.html)
    #expect(html.contains("Note</span> for Ana: &lt;img src=x&gt;\n&quot;&amp;") && !html.contains("<img"))
  }

  @Test("a move of the default clock sends the time, those of participants and other boards send nothing")
  func clocks() throws {
    let board = try follow()

    try control(.post, "workshops/tuesday/clock", #"{"advance":"10m"}"#)
    try create("friday", "1")
    _ = try event(board)
    try control(.post, "workshops/friday/note", #"{"note":"Go on"}"#)
    #expect(try event(board) == nil)

    try control(.post, "clock", #"{"advance":"12m"}"#)
    let moved = try #require(try event(board))
    #expect(moved.name == "parts" && moved.rows.isEmpty && moved.html.contains("10:32:30"))
    try control(.post, "reset")
    #expect(try event(board)?.html.contains("10:20:30") == true)
  }

  @Test("a page that comes back gets what it missed, once")
  func reconnection() throws {
    let position = try #require(try page().firstMatch(of: #/data-position="(\d+)"/#).flatMap { Int($0.1) })
    #expect(try page().contains(#"data-stream="/console/workshops/tuesday/stream""#))
    let first = try follow(after: position)
    try control(.post, "workshops/tuesday/note", #"{"participants":["Ana"],"note":"1"}"#)
    let seen = try #require(try event(first))
    for name in ["Ben", "Cem", "Ben"] {
      try control(.post, "workshops/tuesday/note", #"{"participants":["\#(name)"],"note":"2"}"#)
    }

    let missed = try #require(try event(follow(after: position, lastID: seen.id)))
    #expect(missed.rows == ["2", "3"])
    #expect(try event(follow(lastID: missed.id)) == nil)
    #expect(try event(follow(after: position))?.rows == ["1", "2", "3"])
  }

  @Test("other participants, another server's id and the end of the workshop ask for the page again")
  func everything() throws {
    let board = try follow()
    #expect(try event(follow(lastID: "1"))?.name == "change")
    #expect(try event(follow(lastID: "x"))?.name == "change")

    try control(.delete, "sandboxes/tuesday-2")
    #expect(try event(board)?.name == "change")
    #expect(try world.sendCode(3) == 201)
    #expect(try event(board)?.rows == ["3"])

    try control(.delete, "workshops/tuesday")
    #expect(try event(board)?.name == "change")
    #expect(try board.next(size: 100) == .end)
    guard case .now(let response) = world.reply(to: .to("/console/workshops/tuesday/stream")) else {
      throw NoStream()
    }
    #expect(response.status == 404)
  }
}
