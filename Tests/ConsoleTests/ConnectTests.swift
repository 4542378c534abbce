import CatalogSupport
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

  init() throws { world = try TestSandbox.withCatalog() }

  private func page(_ path: String = "/console/connect") throws -> String {
    String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
  }

  @Test("every provider is there with its variables, and no program has a value missing")
  func providers() throws {
    let providers = world.sandboxes.seeds.sections.map { $0.name }
    for provider in providers {
      let html = try page("/console/connect?provider=\(provider)&language=node")
      let shown = html.matches(of: #/id="setup-([a-z]+)"/#).map { String($0.1) }
      #expect(shown == [provider] && !html.contains("{{"))
      // Another language or shell keeps the provider, and another provider the language.
      #expect(html.contains("language=go&amp;provider=\(provider)\""))
      #expect(html.contains("language=node&amp;provider=\(provider)&amp;shell=fish"))
      for other in providers { #expect(html.contains("language=node&amp;provider=\(other)\"")) }
    }
    let first = try page()
    #expect(first.contains("export TWILIO_ACCOUNT_SID=&#39;AC00000000000000000000000000000001&#39;"))
    #expect(try world.answer(.to("/console/connect?provider=acme")).status == 404)
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
    let team = try #require(world.sandboxes["team-a"])
    for language in ["python", "node", "curl", "go", "java", "ruby", "php", "csharp"] {
      for section in world.sandboxes.seeds.sections {
        let html = try page("/s/team-a/console/connect?language=\(language)&provider=\(section.name)")
        let own = try section.credentials(of: team).map(\.value)
        for (name, value) in try section.credentials(of: world.sandbox) where !own.contains(value) {
          #expect(!html.contains(value), "\(language): \(section.name) \(name)")
        }
      }
    }
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
      try page("/console/connect?language=go&provider=hyphen")
        .contains("No program in Go. There are some in Node, curl."))
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
    let world = try TestSandbox.withCatalog(tokens: tokens)
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

  @Test("the lines are for the shell of the address, of the browser's choice, or of its platform")
  func shells() throws {
    func page(_ query: String = "", _ headers: Headers = [:]) throws -> (html: String, cookie: String?) {
      let response = try world.answer(.to("/console/connect\(query)", headers: headers))
      return (String(decoding: response.body, as: UTF8.self), response.headers["Set-Cookie"])
    }
    let windows: Headers = ["User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"]
    let set = "set &quot;TWILIO_ACCOUNT_SID=AC00000000000000000000000000000001&quot;"

    let cmd = try page("?shell=cmd&language=curl")
    #expect(cmd.html.contains(set) && cmd.html.contains("curl.exe -sS --fail-with-body -u"))
    #expect(cmd.cookie == "shell=cmd; Path=/; Max-Age=31536000; SameSite=Strict")
    #expect(cmd.html.contains("ringfence env --format cmd --url"))
    let updated = try page("?shell=cmd", ["Accept": "*/*"])
    #expect(updated.html.contains(set) && updated.cookie == nil)
    let kept = try page("", ["Cookie": "shell=cmd"])
    #expect(kept.html.contains(set) && kept.cookie == nil)
    #expect(try page("", windows).html.contains("$env:TWILIO_ACCOUNT_SID = &#39;AC0"))
    #expect(try page("?shell=sh", windows).html.contains("export TWILIO_ACCOUNT_SID=&#39;AC0"))
    #expect(try page("?shell=fish").html.contains("set -gx TWILIO_ACCOUNT_SID &#39;AC0"))
    for shell in ["sh", "fish", "cmd", "powershell"] {
      #expect(kept.html.contains("/console/connect?language=python&amp;shell=\(shell)"))
    }
  }

  @Test("an unknown shell is not found, and not kept")
  func unknownShell() throws {
    let response = try world.answer(.to("/console/connect?shell=tcsh"))

    #expect(response.status == 404 && response.headers["Set-Cookie"] == nil)
  }

  @Test("the check of a code has the newest one, once there is one")
  func check() throws {
    let before = try page("/console/connect?shell=powershell")
    #expect(before.contains("Once a code was sent, it is filled in here."))
    #expect(before.contains("--data-urlencode To=+12025550100 -d Code=PUT-THE-CODE-HERE"))
    for (provider, reference, code) in [("twilio", "VE1", "482913"), ("telesign", "0A1B", "55555")] {
      let draft = MessageDraft(
        provider: provider, reference: reference, channel: .sms, destination: "+12025550107", sender: "ACME",
        text: "Your code is \(code)", code: code)
      try world.sandbox.messages.submit(draft, to: nil)
    }

    let html = try page("/console/connect?shell=cmd")

    #expect(html.contains("With the newest code, 482913 to +12025550107."))
    #expect(html.contains("--data-urlencode To=+12025550107 -d Code=482913"))
    let other = try page("/console/connect?provider=telesign")
    #expect(other.contains("/verification/0A1B/state") && other.contains("55555"))
  }

  @Test("each provider says whether requests arrive, and by which host")
  func reach() throws {
    func state(_ html: String) throws -> String {
      let start = try #require(html.firstRange(of: #"id="setup-twilio""#)).upperBound
      return String(html[start...].prefix(700))
    }
    #expect(try state(page()).contains("Nothing of Twilio has arrived here lately."))
    #expect(try state(page()).contains("its client still calls <code>"))

    _ = try world.answer(.to("/v2/Services"))
    #expect(try state(page()).contains("was for <code>127.0.0.1</code>."))
    _ = try world.answer(
      Request(.get, Target("/v2/Services"), headers: ["Host": "verify.twilio.com"], body: []))
    let html = try state(page())
    #expect(html.contains("calls the provider&#39;s own host, and this server answers"))
    #expect(html.contains("<code>verify.twilio.com</code> and came through a proxy or your network."))
  }
}
