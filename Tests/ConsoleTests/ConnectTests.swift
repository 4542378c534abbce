import Console
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
}
