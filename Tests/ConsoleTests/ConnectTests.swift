import Console
import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Console · connect")
struct ConnectTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox() }

  private func page(_ path: String = "/console/connect") throws -> String {
    String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
  }

  @Test("every provider is there with its variables, and no program has a value missing")
  func providers() throws {
    let html = try page()

    for provider in world.sandboxes.seeds.sections.map(\.name) {
      #expect(html.contains(#"id="setup-\#(provider)""#), "\(provider)")
    }
    #expect(html.contains("export TWILIO_ACCOUNT_SID=&#39;AC00000000000000000000000000000001&#39;"))
    #expect(!html.contains("{{"))
  }

  @Test("another sandbox has its own address and credentials")
  func namedSandbox() throws {
    let created = try world.answer(.json(.post, "/control/sandboxes", #"{"name":"team-a"}"#))
    let credentials = try #require(try JSON(parsing: created.body)["credentials"]?["twilio"])
    guard case .string(let token)? = credentials["authToken"] else {
      Issue.record("no auth token")
      return
    }

    let html = try page("/s/team-a/console/connect")

    #expect(html.contains(token))
    #expect(html.contains(#"client.verify.base_url = &quot;http://127.0.0.1:5550/s/team-a&quot;"#))
    #expect(html.contains("--sandbox team-a"))
    #expect(!html.contains("0123456789abcdef0123456789abcdef"))
  }

  @Test("the page waits for a request, then shows it, or what is wrong with it")
  func firstRequest() throws {
    #expect(try page().contains("Waiting for the first request…"))

    _ = try world.answer(.to("/v2/Service"))

    let html = try page()
    #expect(html.contains("something is wrong with it"))
    #expect(html.contains("Similar routes: "))
    #expect(!html.contains("Waiting for"))
  }

  @Test("a page has the programs of one language only")
  func languages() throws {
    let (python, node) = (try page(), try page("/console/connect?language=node"))

    #expect(python.contains("from twilio.rest import Client") && !python.contains("await fetch"))
    #expect(node.contains("await fetch(") && !node.contains("from twilio.rest"))
    #expect(node.contains(#"<a href="/console/connect?language=node" aria-current="true">Node</a>"#))
    #expect(
      try page("/console/connect?language=go").contains("No program in Go. There are some in Node, curl."))
  }

  @Test("an unknown language is not found")
  func unknownLanguage() throws {
    for name in ["cobol", "", "Python"] {
      #expect(try world.answer(.to("/console/connect?language=\(name)")).status == 404, "\(name)")
    }
  }

  @Test("what needs nothing of Ringfence comes before ringfence run")
  func order() throws {
    let html = try page()

    let places = try [
      "export RINGFENCE_URL=", "export TWILIO_ACCOUNT_SID=", "from twilio.rest", "ringfence run --",
    ].map { try #require(html.firstRange(of: $0)?.lowerBound, "\($0)") }
    #expect(places == places.sorted())
    #expect(!html.contains("RINGFENCE_TOKEN"))
  }

  @Test("hints about the server's options are only for those who run it")
  func hints() throws {
    let tokens = AccessTokens(admin: "secret", sandboxKey: Array(repeating: 7, count: 32))
    let world = try TestSandbox(tokens: tokens)
    func page(_ token: String) throws -> String {
      let headers: Headers = ["Authorization": "Bearer \(token)"]
      return String(decoding: try world.answer(.to("/console/connect", headers: headers)).body, as: UTF8.self)
    }
    let own = tokens.token(for: world.sandbox)

    #expect(try page("secret").contains("Start the server with --http"))
    let html = try page(own)
    #expect(!html.contains("Start the server with") && !html.contains("ringfence ca"))
    #expect(html.contains("export RINGFENCE_TOKEN=&#39;\(own)&#39;"))
    #expect(html.contains("--admin-token \(own)"))
  }
}
