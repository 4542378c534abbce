import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · devices", .contract("prelude.md 14.6"))
struct DeviceRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  /// A session whose chain ends at a page that prints its request.
  func url(claiming number: String = "+12025550100", fetching thing: String = "{token}") throws -> String {
    let session = try desk.sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: "acme", number: #require(PhoneNumber(number)), verification: 1, lifetime: .seconds(120),
        singleUse: false, returnURL: "http://127.0.0.1:5550/things/v1/things/\(thing)"))
    return try desk.sandbox.gateway.url(of: session)
  }

  func open(_ url: String, on device: String = "+12025550100", _ more: String = "") throws -> JSON {
    try JSON(
      parsing: desk.respond("POST /control/devices/\(device)/open", #"{"url":"\#(url)"\#(more)}"#).body)
  }

  @Test("a handset walks the chain to its end within the process")
  func walks() throws {
    let url = try url(fetching: "lamp")

    let trip = try open(url)

    #expect(trip["ending"]?.text == "text")
    #expect(trip["text"]?.text == "lamp in default for nobody")
    #expect(trip["hops"]?.items.compactMap { $0["status"] } == [.integer(302), .integer(200)])
    #expect(try desk.sandbox.silentSessions.latest?.finding?.handset?.description == "+12025550100")
  }

  @Test("the newest session's handset is the latest device")
  func latest() throws {
    let url = try url(claiming: "+12025550103")

    _ = try open(url, on: "latest")

    #expect(try desk.sandbox.silentSessions.latest?.finding?.outcome == .match)
  }

  @Test("another device's number does not match, and the bearer is sent")
  func others() throws {
    _ = try open(try url(), on: "+12025550104")
    let other = try desk.sandbox.silentSessions.latest?.finding?.outcome
    _ = try open(try url(), on: "+12025550100", #","bearer":"wifi""#)

    #expect(other == .mismatch)
    #expect(try desk.sandbox.silentSessions.latest?.finding?.outcome == .notMobile)
  }

  @Test("a hanging gateway ends the walk without real waiting")
  func hangs() throws {
    let trip = try open(try url(claiming: "+12025550142"), on: "+12025550142")

    #expect(trip["ending"]?.text == "failure")
    #expect(trip["why"]?.text == "timed out")
    #expect(desk.sandbox.clock.now == TestSandbox.start)
  }

  @Test("an answer within the timeout is awaited in the walk's own time")
  func late() throws {
    _ = try desk.ask(
      "PUT /control/faults",
      #"{"faults":[{"provider":"carrier","latencyMs":4999,"times":1},{"provider":"carrier","latencyMs":5001}]}"#
    )

    #expect(try open(try url())["ending"]?.text == "text")
    #expect(try open(try url())["why"]?.text == "timed out")
  }

  @Test("an endless chain ends after twenty redirects")
  func loops() throws {
    let trip = try open(try url(claiming: "+12025550144"), on: "+12025550144")

    #expect(trip["why"]?.text == "more than 20 redirects")
    #expect(trip["hops"]?.items.count == 21)
  }

  @Test("a URL of another origin is not opened within the process")
  func foreign() throws {
    let trip = try open("http://example.org/")

    #expect(
      trip["why"]?.text == "http://example.org is not this sandbox; use: ringfence open URL")
    #expect(trip["hops"]?.items.isEmpty == true)
  }

  @Test("46 B5: a chain that leaves the sandbox ends with a redirect")
  func leaves() throws {
    let session = try desk.sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: "acme", number: #require(PhoneNumber("+12025550100")), verification: 1,
        lifetime: .seconds(120), singleUse: false, returnURL: "http://app.example/done"))
    let trip = try open(
      desk.sandbox.gateway.url(of: session).replacing("http://app.example", with: "http://127.0.0.1:5550"))

    #expect(trip["ending"]?.text == "redirect")
    #expect(trip["url"]?.text?.hasPrefix("http://app.example/done?grant=") == true)
    #expect(trip["hops"]?.items.count == 1)
    #expect(trip["code"] == nil && trip["why"] == nil)
  }

  @Test("a provider's host is the sandbox, with https and on any port")
  func providersHost() throws {
    desk.world.dispatcher.proxyPolicy = ProxyPolicy(providers: HostNames(["api.acme.example"]))
    let begun = try url(fetching: "lamp")

    for origin in ["https://api.acme.example", "http://api.acme.example:5552"] {
      let trip = try open(begun.replacing("http://127.0.0.1:5550", with: origin))
      #expect(trip["ending"]?.text == "text", "\(origin)")
    }
    #expect(try open("https://acme.example/")["ending"]?.text == "failure")
  }

  @Test("the journal has the hops of a walk")
  func journal() throws {
    _ = try open(try url())

    #expect(desk.sandbox.journal.exchanges.compactMap(\.route) == ["authorize", "fetchThing"])
  }
}
