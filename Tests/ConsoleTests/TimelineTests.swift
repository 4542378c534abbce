import CatalogSupport
import Console
import Crypto
import Domain
import HTTP
import Support
import Testing

@Suite("Console · timeline, request, verification")
struct TimelineTests {
  private let world: TestSandbox
  private static let service = "/v2/Services/VA00000000000000000000000000000001"
  private static let account = "AC00000000000000000000000000000001:0123456789abcdef0123456789abcdef"

  init() throws { world = try TestSandbox.withCatalog() }

  private func page(_ path: String) throws -> String {
    String(decoding: try world.answer(.to(path)).body, as: UTF8.self)
  }

  /// A form to the default account.
  private func post(_ path: String, _ form: String, as account: String = account) throws -> Response {
    let headers: Headers = [
      "Authorization": "Basic \(Base64.encode(Array(account.utf8)))",
      "Content-Type": "application/x-www-form-urlencoded",
    ]
    return try world.answer(.to(path, .post, headers: headers, body: Array(form.utf8)))
  }

  /// Sends a code, and checks a wrong one.
  private func verify() throws {
    _ = try post("\(Self.service)/Verifications", "To=%2B12025550100&Channel=sms")
    _ = try post("\(Self.service)/VerificationCheck", "To=%2B12025550100&Code=000000")
  }

  @Test("the lines of one verification have its mark: its requests, also a failed check, and its events")
  func marks() throws {
    try verify()
    _ = try post("\(Self.service)/Verifications", "To=1&Channel=sms")

    let html = try page("/console/timeline?view=requests&show=everything")
    let verification = try #require(try world.sandbox.verifications.all().first).ordinal

    #expect(html.matches(of: try Regex("aria-label=\"Verification \(verification)\"")).count == 4)
    #expect(html.contains("verification started") && html.contains("message sent"))
    #expect(html.contains("To: expected a phone number"))
    // The search finds V12; nobody needs to see it.
    for path in ["timeline?view=requests", "timeline", "verifications/\(verification)"] {
      #expect(try !page("/console/\(path)").contains(">V\(verification)"))
    }
    #expect(try page("/console/timeline?filter=V\(verification)").contains("story-\(verification)"))
    #expect(try !page("/console/timeline?view=requests").contains("verification started"))
  }

  @Test("a request is in columns: time, operation in words, number, status and how long it took")
  func columns() throws {
    _ = try world.answer(
      .json(.put, "/control/faults", #"{"faults":[{"route":"checkVerification","latencyMs":2000}]}"#))
    try verify()

    let html = try page("/console/timeline?view=requests")

    let columns = """
      <span class="what" title="checkVerification">Check verification</span>\
      <span class="about"> +12025550100</span> <span class="status">200</span> \
      <span class="duration">2 s</span>
      """
    #expect(html.contains(columns))
    #expect(html.contains("<span>Time</span><span>Operation</span><span>Number</span><span>Status</span>"))
  }

  @Test("an event without a request of its own has the mark of its verification")
  func laterEvents() throws {
    try verify()
    try world.sandbox.advance(by: .seconds(601))

    let lines = try page("/console/timeline?show=events").split(separator: "<li ")
    let expiry = try #require(lines.first { $0.contains("verification expired") })

    #expect(expiry.contains("aria-label=\"Verification "))
  }

  @Test(
    "the filter in the address selects lines",
    arguments: [
      ("show=requests", "createVerification", "message sent"),
      ("show=events", "message sent", "createVerification"),
      ("show=refusals", "To: expected", "checkVerification"),
      ("provider=prelude", "Nothing matches.", "message sent"),
      ("filter=0101", "Nothing matches.", "createVerification"),
      ("filter=wrong+code", "checkVerification", "createVerification"),
      ("filter=check+verification", "checkVerification", "createVerification"),
    ])
  func filters(query: String, shown: String, hidden: String) throws {
    try verify()
    _ = try post("\(Self.service)/Verifications", "To=1&Channel=sms")

    let html = try page("/console/timeline?view=requests&\(query)")

    #expect(html.contains(shown), "\(query)")
    #expect(!html.contains(hidden), "\(query)")
  }

  @Test("a request shows what it caused, its verification, and a curl command with variables for secrets")
  func request() throws {
    try verify()

    let html = try page("/console/requests/1")

    #expect(html.contains("What it caused") && html.contains("verification started"))
    #expect(html.contains("-u &quot;$TWILIO_ACCOUNT_SID:$TWILIO_AUTH_TOKEN&quot;"))
    #expect(html.contains("--data-raw &#39;To=%2B12025550100&amp;Channel=sms&#39;"))
    #expect(!html.contains("0123456789abcdef0123456789abcdef"))
    #expect(try page("/console/requests/2").contains("wrong code: check 1 of 5"))
    #expect(try page("/console/requests/2").contains("Enter the code of the newest message."))
  }

  @Test("an error leads to the provider's page about it")
  func documentation() throws {
    _ = try post("\(Self.service)/Verifications", "To=1&Channel=sms")

    #expect(try page("/console/requests/1").contains(#"<a href="https://www.twilio.com/docs/errors/60200""#))
  }

  @Test("two signed strings are compared line by line, and the difference is marked")
  func signature() throws {
    let why =
      "lines end in CR LF instead of LF; the first difference is at byte 5\nexpected: POST\\n/a\nreceived: POST\\r\\n/a"
    world.sandbox.journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: "acme", route: nil, method: "POST", target: "/", requestHead: [],
        requestBody: [], status: 401, responseHead: [], responseBody: [], why: why, unread: [], nearest: []))

    let html = try page("/console/requests/1")

    #expect(html.contains(#"<td><code>POST<mark>(ends here)</mark></code></td>"#))
    #expect(html.contains(#"<td><code>POST<mark>\r</mark></code></td>"#))
    #expect(html.contains(#"<tr class="same"><td>2</td><td><code>/a</code></td>"#))
  }

  @Test("secrets in a body and in unknown fields become variables too")
  func otherSecrets() throws {
    let body = #"{"client_secret":"sesame","a":"it's"}"#
    world.sandbox.journal.record(
      Journal.Exchange(
        at: TestSandbox.start, owner: "prove", route: nil, method: "POST", target: "/token?api_key=k",
        requestHead: Array("X-Api-Key: k\r\nHost: platform.uat.proveapis.com\r\n".utf8),
        requestBody: Array(body.utf8), status: 200, responseHead: [], responseBody: [], why: nil, unread: [],
        nearest: []))

    let html = try page("/console/requests/1").replacing("&quot;", with: "\"").replacing("&#39;", with: "'")

    #expect(html.contains(#"'{"client_secret":"'"$PROVE_CLIENT_SECRET"'","a":"it'\''s"}'"#))
    #expect(html.contains(#"-H 'X-Api-Key: '"$X_API_KEY""#))
    #expect(html.contains("-H 'Host: platform.uat.proveapis.com'"))
    #expect(!html.contains("sesame"))
  }

  @Test("a verification shows what is left, and can be locked like after too many wrong codes")
  func lock() throws {
    try verify()
    let verification = try #require(try world.sandbox.verifications.all().first)
    let path = "/console/verifications/\(verification.ordinal)"
    let html = try page(path)

    #expect(html.contains("<dt>Checks</dt><dd class=\"\">1 of 5</dd>"))
    #expect(html.contains("10 min 0 s") && html.contains(">10:00</span>"))
    #expect(html.contains("/control/verifications/\(verification.ordinal)/lock"))

    _ = try world.answer(.to("/control/verifications/\(verification.ordinal)/lock", .post))

    #expect(try page(path).contains(#"id="state">exhausted<"#))
    let check = try post(
      "\(Self.service)/VerificationCheck", "To=%2B12025550100&Code=\(verification.code)")
    #expect(String(decoding: check.body, as: UTF8.self).contains("60202"))
  }

  @Test("a lost message names the scenario that lost it")
  func scenario() throws {
    _ = try world.answer(
      .json(
        .put, "/control/scenarios",
        #"{"scenarios":[{"match":{"channel":"call"},"outcome":"busy"},{"outcome":"undeliverable"}]}"#))
    try verify()
    try world.sandbox.advance(by: .seconds(1))

    let html = try page("/")
    #expect(html.contains("Not delivered. "))
    let rule = #"<a href="/console/break#rule-scenario-2">Scenario 2</a>"#
    #expect(html.contains("The phone cannot be reached. \(rule) (undeliverable) did this."))
  }

  @Test("a silent verification can be opened on its phone, and shows how it ended")
  func silent() throws {
    _ = try post("\(Self.service)/Verifications", "To=%2B12025550100&Channel=sna")
    let button = #/data-urls="([^"]*open)" data-json="([^"]*)"/#

    let found = try #require(try page("/?channel=silent").firstMatch(of: button))
    let body = String(found.2).replacing("&quot;", with: "\"")
    let opened = try world.answer(.json(.post, String(found.1), body))

    #expect(opened.status == 200)
    #expect(try page("/").contains(#"<span class="pill">matched</span>"#))
  }
}
