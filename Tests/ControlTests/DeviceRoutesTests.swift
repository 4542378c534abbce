import Basics
import Control
import Domain
import HTTP
import JSON
import Numbers
import Silent
import Support
import Testing

@Suite("Control · devices", .contract("prelude.md 14.6"))
struct DeviceRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  /// A session whose chain ends at a page that prints its request.
  func url(fetching thing: String = "{token}") throws -> String {
    let session = try desk.sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: "acme", number: #require(PhoneNumber("+12025550100")), verification: 1,
        lifetime: .seconds(120),
        singleUse: false, returnURL: "http://127.0.0.1:5550/things/v1/things/\(thing)"))
    return try desk.sandbox.gateway.url(of: session)
  }

  func open(_ url: String) throws -> JSON {
    try JSON(
      parsing: desk.respond("POST /control/devices/+12025550100/open", #"{"url":"\#(url)"}"#).body)
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

  @Test("an answer within the timeout is awaited in the walk's own time")
  func late() throws {
    _ = try desk.ask(
      "PUT /control/faults",
      #"{"faults":[{"provider":"carrier","latencyMs":4999,"times":1},{"provider":"carrier","latencyMs":5001}]}"#
    )

    #expect(try open(try url())["ending"]?.text == "text")
    #expect(try open(try url())["why"]?.text == "timed out")
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
