import Catalog
import CatalogSupport
import Domain
import HTTP
import Numbers
import Support
import Testing

@testable import Console

@Suite("Console · long histories and moved clocks")
struct HistoryTests {
  private let world: TestSandbox
  private static let service = "/v2/Services/VA00000000000000000000000000000001"
  private static let twilio = Request.basic(
    "AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")

  init() throws { world = try TestSandbox.withCatalog() }

  private func page(_ path: String) throws -> String {
    String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
  }

  private func start(_ number: String) throws {
    _ = try world.answer(
      .post("\(Self.service)/Verifications", form: ["To": number, "Channel": "sms"], headers: Self.twilio))
  }

  private func send(_ count: Int, to number: String) throws {
    let receiver = try PhoneNumber(number).map { try world.sandbox.subscribers[$0] }
    for index in 0..<count {
      let draft = MessageDraft(
        provider: "acme", reference: "r-\(index)", channel: .sms, destination: number, sender: "ACME",
        text: "text \(index) of \(number)", code: nil)
      try world.sandbox.messages.submit(draft, to: receiver)
    }
  }

  /// The address of the link with a text.
  private func link(_ text: String, in html: String) -> String? {
    guard let end = html.firstRange(of: "\">\(text)</a>")?.lowerBound else { return nil }
    return html[..<end].split(separator: "href=\"").last.map { String($0).replacing("&amp;", with: "&") }
  }

  @Test("phones with older messages are active, and a filter finds them")
  func olderPhones() throws {
    try send(1, to: "+12025550101")
    try send(450, to: "+12025550100")

    let html = try page("/")

    #expect(html.contains(#"id="phone-+12025550101" data-item"#) && html.contains("text 0 of +12025550101"))
    #expect(html.contains(">2 active<") && html.contains(">447 earlier<"))
    for filter in ["0101", "text+0+of+%2B12025550101", "(202)+555-0101"] {
      #expect(try page("/?filter=\(filter)").contains(">1 active<"), "\(filter)")
    }
    #expect(try page("/?filter=0101&channel=call").contains("No phone matches."))
  }

  @Test("the wall goes on with older phones, and says that there are more")
  func pagesOfPhones() throws {
    for index in 0..<70 { try send(1, to: "+120255501\(index + 10)") }

    let html = try page("/")

    #expect(html.contains(">60+ active<"))
    let older = try #require(link("Older phones", in: html))
    let next = try page("/\(older)")
    #expect(next.matches(of: #/<article class="phone"/#).count == 10 && next.contains("Newest phones"))
    #expect(link("Older phones", in: next) == nil)
  }

  @Test("a phone's page says that there are earlier messages, and goes on with them")
  func pagesOfOnePhone() throws {
    try send(230, to: "+12025550100")
    var path = "/console/phones/%2B12025550100"
    var counts: [Int] = []
    while true {
      let html = try page(path)
      counts.append(html.matches(of: #/<li id="msg_/#).count)
      guard let next = link("Earlier messages", in: html) else { break }
      path = next
    }
    #expect(counts == [100, 100, 30])
  }

  @Test("a story knows its message however many came later, and the timeline goes on")
  func pagesOfStories() throws {
    try start("+12025550100")
    try send(1050, to: "+12025550101")
    let feed = try StoryFeed(of: world.sandbox, limit: 25, providers: catalog)
    #expect(feed.stories.count == 25)
    let html = try page("/console/timeline?filter=0100")
    #expect(html.contains("asked done, sent done, arrived done, checked in progress"))

    var path = "/console/timeline?view=stories"
    var ids: [Substring] = []
    while true {
      let html = try page(path)
      ids += html.matches(of: #/<li id="(story-[a-z0-9_-]+)"/#).map(\.1)
      guard let next = link("Older", in: html) else { break }
      path = "/console/timeline\(next)"
    }
    #expect(Set(ids).count == 1051 && ids.count == 1051)
  }

  @Test("requests go on, too")
  func pagesOfRequests() throws {
    for _ in 0..<450 { try start("+1") }
    var path = "/console/timeline?view=requests"
    var ids: [Substring] = []
    while true {
      let html = try page(path)
      ids += html.matches(of: #/<li id="(request-[0-9]+)"/#).map(\.1)
      guard let next = link("Older", in: html) else { break }
      path = "/console/timeline\(next)"
    }
    #expect(ids.count == 450 && Set(ids).count == 450)
    var position = "/console/timeline"
    var stories = 0
    while true {
      let html = try page(position)
      stories += html.matches(of: #/<li id="story-request-/#).count
      guard let next = link("Older", in: html) else { break }
      position = "/console/timeline\(next)"
    }
    #expect(stories == 450)
  }

  @Test("each day has a divider, and moved time is a band")
  func days() throws {
    for _ in 0..<3 {
      try start("+12025550100")
      try world.sandbox.advance(by: .seconds(86_400))
    }
    for path in ["/console/timeline", "/console/timeline?view=requests", "/console/phones/%2B12025550100"] {
      let html = try page(path)
      for day in ["Monday, 2026-01-05", "Tuesday, 2026-01-06", "Wednesday, 2026-01-07"] {
        #expect(html.contains("<li class=\"day\"><span>\(day)</span></li>"), "\(path)")
      }
      #expect(html.contains("pass: the clock was moved"), "\(path)")
      #expect(html.contains(#"<span class="zone">UTC</span>"#))
    }
  }

  @Test("a rule that is used up is not on")
  func usedUp() throws {
    let rules = #"{"faults":[{"status":500,"times":1}]}"#
    _ = try world.answer(.json(.put, "/control/faults", rules))
    #expect(try page("/").contains("Broken on purpose: "))
    try start("+12025550100")

    let html = try page("/")
    #expect(!html.contains("Broken on purpose: ") && !html.contains("count warn"))
    let board = try page("/console/break")
    #expect(board.contains("Nothing is broken: what was started is used up."))
    #expect(board.contains("used up: hit once") && !board.contains(#"aria-checked="true""#))
  }

  @Test("pages of a provider's device are nobody's request")
  func devicePage() throws {
    for file in ["handset", "handset.css", "handset.js"] {
      #expect(try world.answer(.to("/console/prove/\(file)")).status == 200)
    }
    #expect(world.sandbox.journal.lastOrdinal == 0)
    // It is a page of the console, with its frame.
    let html = try page("/console/prove/handset")
    #expect(html.contains("<title>Prove device · default · Ringfence<") && html.contains(#"id="rail""#))
    #expect(html.contains(#"<script type="module" src="handset.js">"#) && html.contains("data-kept"))
    #expect(try page("/console/connect?provider=prove").contains(#"href="/console/prove/handset">"#))
    #expect(try page("/console/connect").contains("Waiting for the first request…"))
  }

  @Test("blanks at the ends of a value are shown")
  func blanks() throws {
    let body = Array(#"{"to":" +1 2 ","from":"+1"}"#.utf8)
    _ = try world.answer(.to("/nope", .post, headers: ["Content-Type": "application/json"], body: body))

    let html = try page("/console/requests/1")

    #expect(html.contains("&quot;␣+1 2␣&quot;") && html.contains("&quot;+1&quot;"))
  }

  @Test("a wrong signature is found by that word")
  func signature() throws {
    world.sandbox.journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: "acme", route: nil, method: "POST", target: "/", requestHead: [],
        requestBody: [], status: 401, responseHead: [], responseBody: [],
        why: "wrong signature: lines end in CR LF instead of LF", unread: [], nearest: []))

    for view in ["stories", "requests"] {
      #expect(
        try page("/console/timeline?view=\(view)&filter=signature").lowercased().contains(
          "lines end in CR LF".lowercased()))
    }
  }
}
