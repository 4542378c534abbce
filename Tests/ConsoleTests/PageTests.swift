import CatalogSupport
import Console
import Domain
import HTTP
import JSON
import Numbers
import Silent
import Support
import Testing

@Suite("Console · pages")
struct PageTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  private func page(_ path: String) throws -> String {
    let response = try world.answer(.to(path))
    #expect(response.status == 200)
    return String(decoding: response.body, as: UTF8.self)
  }

  private func send(_ text: String, to number: String = "+12025550100", code: String? = "482913") throws {
    let draft = MessageDraft(
      provider: "acme", reference: "r-1", channel: .sms, destination: number, sender: "ACME", text: text,
      code: code)
    try world.sandbox.messages.submit(
      draft, to: PhoneNumber(number).map { try world.sandbox.subscribers[$0] })
  }

  @Test("the wall shows a text, its sender and its code, newest phone first")
  func phones() throws {
    try send("Your code is 482913")
    try send("Hello", to: "+12025550101", code: nil)
    try world.sandbox.advance(by: .seconds(10))

    let html = try page("/")

    #expect(html.contains(#"<p class="text" dir="auto">Your code is 482913</p>"#))
    #expect(html.contains(#"<strong data-code="482913">482913</strong>"#))
    let sender = #"<span class="sender" title="ACME">ACME</span>"#
    #expect(html.contains(#"\#(sender)<span class="when">10:20:30 · SMS</span>"#))
    let positions = ["phone-+12025550101", "phone-+12025550100"].compactMap {
      html.firstRange(of: $0)?.lowerBound
    }
    #expect(positions == positions.sorted() && positions.count == 2)
  }

  @Test("the list has a line for each message, the newest first, and is kept until cards are chosen")
  func list() throws {
    try send("Your code is 482913")
    try send("\(String(repeating: "long ", count: 40))", to: "+12025550101", code: nil)
    try world.sandbox.advance(by: .seconds(10))

    let response = try world.answer(.to("/?phones=list&filter=0100"))
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(response.headers["Set-Cookie"] == "phones=list; Path=/; Max-Age=31536000; SameSite=Strict")
    let link = #"<a class="of-phone" href="/console/phones/%2B12025550100">(202) 555-0100</a>"#
    #expect(html.contains(link) && html.contains(#"<strong data-code="482913">"#))
    #expect(html.contains(#"href="?filter=0100&amp;phones=cards""#) && !html.contains("<article"))

    let kept = try world.answer(.to("/", headers: ["Cookie": "phones=list"]))
    let lines = String(decoding: kept.body, as: UTF8.self).split(separator: "<li id=\"msg").dropFirst()
    #expect(lines.count == 2 && lines.first?.contains("555-0101") == true)
    #expect(lines.first?.contains(" long…</p>") == true)
  }

  @Test("markup in external text stays text, on every page")
  func escaping() throws {
    let attack = "<img src=x onerror=alert(1)>"
    let encoded = PercentCoding.encode(attack)
    try send("\(attack) \"'&")
    try world.sandbox.advance(by: .seconds(10))
    let record = #"{"operator":"\#(attack)","optOut":["\#(attack)"]}"#
    _ = try world.send(.json(.put, "/control/subscribers/+12025550100", record))
    for rules in [
      #"faults {"faults":[{"contains":"\#(attack)","code":"\#(attack)"}]}"#,
      #"scenarios {"scenarios":[{"match":{"sender":"\#(attack)"},"outcome":"slow"}]}"#,
    ] {
      let words = rules.split(separator: " ", maxSplits: 1).map(String.init)
      _ = try world.answer(.json(.put, "/control/\(words[0])", words[1]))
    }
    let headers: Headers = ["User-Agent": attack, "X-Other": attack, "Content-Type": "application/json"]
    _ = try world.answer(
      .to(
        "/nope?\(encoded)=\(attack)", .post, headers: headers,
        body: Array(#"{"\#(attack)":["\#(attack)"]}"#.utf8)))
    let verification = try startVerification(to: "\(attack)@example.test")

    for path in [
      "/", "/?filter=\(encoded)&provider=\(encoded)&channel=\(encoded)", "/console/phones/%2B12025550100",
      "/console/timeline", "/console/timeline?filter=\(encoded)&provider=\(encoded)&show=\(encoded)",
      "/console/requests/1", "/console/verifications/\(verification)", "/console/break", "/console/connect",
    ] {
      let html = try page(path)
      #expect(!html.contains("<img"), "\(path)")
      #expect(html.contains("&lt;img"), "\(path): the banner has it")
    }
    for path in ["/console/\(encoded)", "/console/phones/\(encoded)", "/console/requests/\(encoded)"] {
      let html = String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
      #expect(!html.contains("<img"), "\(path)")
    }
    #expect(try page("/").contains("&lt;img src=x onerror=alert(1)&gt; &quot;&#39;&amp;"))
  }

  /// Returns its ordinal.
  private func startVerification(to destination: String) throws -> Int {
    let claim = Claim(provider: "acme", owner: destination, destination: destination)
    let start = Verifications.Start(claim, over: .email, rules: VerificationRules()) { _ in nil }
    guard case .created(let verification) = try world.sandbox.verifications.start(start) else { return 0 }
    return verification.ordinal
  }

  @Test("a message that did not arrive says why, and shows no code to copy")
  func held() throws {
    let record = #"{"reach":{"sms":false},"optOut":["OTHER"]}"#
    _ = try world.send(.json(.put, "/control/subscribers/+12025550100", record))
    try send("Your code is 482913")

    let html = try page("/console/phones/%2B12025550100")

    #expect(html.contains(#"class="message held""#))
    #expect(html.contains("Not arrived yet. "))
    #expect(!html.contains("data-code"))
    #expect(html.contains("opted out"))
  }

  @Test("a message of the number's previous holder says so, and its code is not the newest")
  func previousHolder() throws {
    try send("Your code is 111111", code: "111111")
    let number = try #require(PhoneNumber("+12025550100"))
    let event = try Fields(Array(#"{"event":"simSwap"}"#.utf8))
    _ = try world.sandbox.subscribers.apply(SubscriberChange(event), to: number)

    let html = try page("/")

    #expect(html.contains("On the phone of the number&#39;s previous holder."))
    #expect(!html.contains("newest code"))
  }

  @Test("a refused request shows why, in the list and on its page")
  func refusal() throws {
    _ = try world.answer(.to("/nope"))

    for view in ["stories", "requests"] {
      let html = try page("/console/timeline?view=\(view)")
      #expect(html.lowercased().contains("not emulated: no provider in the sandbox has this path"), "\(view)")
    }
    let html = try page("/console/requests/1")
    #expect(html.contains("<h1>GET /nope</h1>") && html.contains("Answer: 404"))
  }

  @Test("a phone writes to the newest sender or another one, and shows what it has sent")
  func writing() throws {
    try send("Hello")
    #expect(try page("/console/phones/+12025550101").contains(#"name="to" value="" list="senders""#))
    #expect(try page("/console/phones/+12025550101").contains(#"<option value="ACME">"#))
    #expect(try page("/console/phones/+12025550100").contains(#"name="to" value="ACME" list="senders""#))

    let reply = Request.json(.post, "/control/inbox/+12025550101/reply", #"{"text":"hi there","to":"ACME"}"#)
    #expect(try world.answer(reply).status == 201)
    let misspelt = Request.json(.post, "/control/inbox/+12025550101/reply", #"{"text":"hi","to":"ACM"}"#)
    let refusal = String(decoding: try world.answer(misspelt).body, as: UTF8.self)
    #expect(refusal.contains(#"found \"ACM\"; did you mean \"ACME\"?"#))

    let html = try page("/console/phones/+12025550101")
    #expect(html.contains(#"<span class="sender">to ACME</span>"#) && html.contains("hi there"))
    let wall = try page("/")
    #expect(wall.contains(#"id="phone-+12025550101""#) && wall.contains("hi there"))
    #expect(!wall.contains(#"id="phone-ACME""#))
    #expect(wall.contains(#"Phones<span class="count">2</span>"#))
  }

  @Test("the number of phones counts those with a silent verification only")
  func activePhones() throws {
    try send("Hello")
    _ = try world.sandbox.silentSessions.create(
      .init(
        provider: "acme", number: try #require(PhoneNumber("+12025550101")), verification: 0,
        lifetime: .seconds(60), singleUse: true, returnURL: "http://acme.test/{token}"))

    #expect(try page("/").contains(#"Phones<span class="count">2</span>"#))
    #expect(try page("/").contains("2 active"))
  }

  @Test("the filter selects phones and requests")
  func filters() throws {
    try send("Your code is 482913")
    _ = try world.answer(.to("/nope"))
    _ = try world.answer(.to("/nada"))

    let (phones, requests) = (
      try page("/?filter=482913"), try page("/console/timeline?view=requests&filter=NADA")
    )

    #expect(phones.contains("phone-+12025550100") && !phones.contains("phone-+447700900123"))
    #expect(requests.contains("/nada") && !requests.contains("/nope"))
  }

  @Test("the filter finds a phone beyond those that fit on the page")
  func filterBeyondLimit() throws {
    for index in 0..<70 { try send("Hello", to: "+1202555\(1000 + index)", code: nil) }

    #expect(!(try page("/")).contains("phone-+12025551000"))
    #expect(try page("/?filter=2025551000").contains("phone-+12025551000"))
  }

  @Test("while something is broken, every page says so")
  func banner() throws {
    #expect(try page("/console/timeline").contains(#"aria-label="Broken on purpose" hidden"#))
    _ = try world.send(.json(.put, "/control/faults", #"{"faults":[{"status":500}]}"#))

    let words = "Broken on purpose: every provider answers 500, until stopped."
    #expect(try page("/console/timeline").contains(words))
    #expect(try page("/console/break").contains("1 failure is on."))
  }

  @Test("an unknown page, phone or request is 404 in HTML")
  func unknown() throws {
    for path in ["/console/nope", "/console/phones/nobody", "/console/requests/99", "/console/requests/x"] {
      let response = try world.answer(.to(path))
      #expect(response.status == 404, "\(path)")
      #expect(response.headers["Content-Type"] == "text/html; charset=utf-8", "\(path)")
    }
  }

  @Test("browsers get an icon where they look for it")
  func icon() throws {
    let icon = try world.answer(.to("/favicon.ico"))

    #expect(icon.status == 200 && icon.headers["Content-Type"] == "image/svg+xml")
  }

  @Test("pages allow no inline script, nothing from elsewhere, and no frames")
  func policy() throws {
    let policy = try #require(try world.answer(.to("/")).headers["Content-Security-Policy"])

    #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
    #expect(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"))
  }

  @Test("a page in a named sandbox links to that sandbox, and shows nothing of others")
  func sandboxes() throws {
    _ = try world.send(.json(.post, "/control/sandboxes", #"{"name":"team-a"}"#))
    try send("Your code is 482913")

    let html = try page("/s/team-a/")

    #expect(html.contains(#"href="/s/team-a/console/timeline""#))
    #expect(!html.contains("482913"))
  }

  @Test("pages are neither in the journal nor broken by faults")
  func ownPages() throws {
    _ = try world.send(.json(.put, "/control/faults", #"{"faults":[{"status":500}]}"#))
    _ = try page("/")

    #expect(world.sandbox.journal.last == nil)
  }
}
