import Basics
import Domain
import Testing

@testable import ringfence

/// A request with its answer, in the journal's words.
private func exchange(
  _ owner: String = "twilio", _ route: String? = "createVerification", method: String = "POST",
  target: String = "/v2/x", status: Int = 201, why: String? = nil, unread: [String] = []
) -> Journal.Exchange {
  Journal.Exchange(
    at: Timestamp(milliseconds: 0), owner: owner, route: route, method: method, target: target,
    requestHead: [],
    requestBody: [], status: status, responseHead: [], responseBody: [], why: why, unread: unread, nearest: []
  )
}

private func lines(of exchanges: [Journal.Exchange]) -> [String] {
  var summary = RunSummary()
  for exchange in exchanges { summary.add(exchange) }
  return summary.lines(unreached: "no request")
}

private func summary(of sandbox: Sandbox) throws -> [String] {
  var summary = RunSummary()
  try summary.add(sandbox)
  return summary.lines(unreached: "")
}

@Suite("Command · RunSummary")
struct RunSummaryTests {
  @Test("a run without requests says so")
  func nothing() {
    #expect(lines(of: []) == ["ringfence: no request"])
  }

  @Test(
    "46 E5: a run without a request to a provider says what was seen",
    arguments: [
      (false, 0, 0, "No request reached the sandbox. If your client ignores proxy settings, use --isolated."),
      (true, 0, 0, "No request reached the sandbox. The command used none of the providers' host names."),
      (
        false, 6, 2,
        "No request to a provider reached the sandbox, only 6 requests to its own API, such as GET /livez. If"
      ),
      (true, 6, 2, "No request to a provider reached the sandbox, only 6 requests to its own API"),
      (
        true, 0, 2, "No request reached the sandbox, only 2 connections without a request. `ringfence doctor`"
      ),
    ])
  func unreached(isIsolated: Bool, ownRequests: Int, connections: Int, expected: String) {
    let run = UnreachedRun(isIsolated: isIsolated, ownRequests: ownRequests, connections: connections)

    #expect(run.text.hasPrefix(expected), "\(run.text)")
    #expect(run.text.contains("none of the providers' host names") == (isIsolated && connections == 0))
  }

  @Test("a successful request without ignored fields is only counted")
  func served() {
    #expect(lines(of: [exchange()]) == ["ringfence: 1 request, 0 messages sent, 0 rejected, 0 not emulated"])
  }

  @Test("messages are listed with their code, or the start of their text, and their failure")
  func messages() throws {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    for (code, text) in [
      ("123456", "Your code: 123456"), (nil, "On two\nlines, and longer than a line of the summary"),
    ] {
      _ = try sandbox.messages.submit(
        MessageDraft(
          provider: "twilio", reference: "", channel: code == nil ? .whatsapp : .sms,
          destination: "+12025550100",
          sender: "1", text: text, code: code), to: nil)
    }

    #expect(
      try summary(of: sandbox) == [
        "ringfence: 0 requests, 2 messages sent, 0 rejected, 0 not emulated",
        "  sent",
        "    twilio  sms       +12025550100  code 123456",
        "    twilio  whatsapp  +12025550100  \"On two lines, and longer than a line of…\"",
      ])
  }

  @Test("equal errors are one line with their count, and columns are aligned")
  func refusals() {
    let limit = exchange(status: 429, why: "the limit is reached")
    let connect = exchange(
      "", nil, method: "CONNECT", target: "example.com:443", status: 403, why: "no host of ours")

    #expect(
      lines(of: [limit, connect, limit]) == [
        "ringfence: 3 requests, 0 messages sent, 3 rejected, 0 not emulated",
        "  rejected",
        "    2 ×  twilio   createVerification  429  the limit is reached",
        "         CONNECT  example.com:443     403  no host of ours",
      ])
  }

  @Test("46 F5: providers that nobody has called are listed, if the user has credentials for them")
  func notCalled() {
    var summary = RunSummary()
    summary.add(exchange("prelude"))
    summary.addNotCalled(
      [("prelude", "API_TOKEN"), ("twilio", "TWILIO_AUTH_TOKEN")],
      advice: "if its client ignores proxy settings: --isolated")

    #expect(
      summary.lines(unreached: "no request").dropFirst() == [
        "  not called",
        "    twilio  your TWILIO_AUTH_TOKEN is set, and no request came  if its client ignores proxy settings: --isolated",
      ])
  }

  @Test("46 F5: a provider whose client did not trust the sandbox was called")
  func distrusting() {
    var summary = RunSummary()
    summary.add(exchange("", nil, method: "TLS", target: "verify.twilio.com", status: 0, why: "unknown ca"))
    summary.addNotCalled([("twilio", "TWILIO_AUTH_TOKEN")], advice: "")

    #expect(!summary.lines(unreached: "").contains("  not called"))
  }

  @Test(
    "46 F3: what another host answers is not rejected; a refusal without a status of its own is",
    arguments: [
      ("", 0, "forwarded to db.example:80; allowed by --proxy-tunnel", 0),
      ("", 200, "forwarded to db.example:443; allowed by --proxy-tunnel", 0),
      ("vonage", 200, "Missing brand", 1), ("camara", 302, "no such scope", 1),
      ("twilio", 0, "broken on purpose: fault 1 drops the connection (x)", 1), ("twilio", 200, nil, 0),
    ])
  func rejections(owner: String, status: Int, why: String?, count: Int) {
    let lines = lines(of: [exchange(owner, status: status, why: why)])

    #expect(lines[0].contains("\(count) rejected"))
  }

  @Test("46 F1: packages whose clients ignore the proxy are listed, but not of a provider that was called")
  func unreachedPackages() throws {
    let packages = MeasuredClient.all.filter { ["http", "vonage"].contains($0.package) }
      .map { UnreachedPackage(file: "Gemfile.lock", client: $0) }
    var (none, called) = (RunSummary(), RunSummary())
    none.add(packages)
    called.add(exchange("vonage"))
    called.add(packages)

    #expect(
      none.lines(unreached: "no request") == [
        "ringfence: no request", "  not reached",
        "    Gemfile.lock  http    ignores proxy settings; use --isolated",
        "    Gemfile.lock  vonage  ignores proxy settings; use --isolated",
      ])
    #expect(!called.lines(unreached: "").joined().contains("Gemfile.lock  vonage"))
  }

  @Test("a failed handshake has no status")
  func handshake() {
    let lines = lines(of: [
      exchange("", nil, method: "TLS", target: "a.example", status: 0, why: "unknown ca")
    ])

    #expect(lines.last == "    TLS  a.example  unknown ca")
  }

  @Test("ignored fields of successful requests are listed too")
  func unread() {
    #expect(
      lines(of: [exchange(unread: ["Chanel", "x"])]).suffix(2) == [
        "  ignored fields", "    twilio  createVerification  Chanel, x",
      ])
  }

  @Test("only the first twenty different lines are shown")
  func many() {
    let lines = lines(of: (1...23).map { exchange("twilio", nil, target: "/\($0)", status: 404) })

    #expect(lines.count == 23)
    #expect(lines.last == "    and 3 more")
  }

  @Test("requests that are not emulated are counted apart, with the most similar route")
  func notEmulated() {
    let missing = Journal.Exchange(
      at: Timestamp(milliseconds: 0), owner: "", route: nil, method: "GET", target: "/v2/Srvices",
      requestHead: [], requestBody: [], status: 404, responseHead: [], responseBody: [], why: "not emulated",
      unread: [], nearest: ["GET /v2/Services"])
    let known = exchange("twilio", "authorize", method: "GET", target: "/v2/authorize", status: 404)

    #expect(
      lines(of: [missing, known]) == [
        "ringfence: 2 requests, 0 messages sent, 0 rejected, 2 not emulated",
        "  not emulated",
        "    GET  /v2/Srvices    similar: GET /v2/Services",
        "    GET  /v2/authorize",
      ])
  }

  @Test("faults and scenarios that never acted are listed with their number of matches")
  func idleRules() throws {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    var fault = Fault()
    (fault.provider, fault.status) = ("telesign", 503)
    try sandbox.faults.replace(with: [fault])
    var late = try #require(Scenario(requested: "deliver"))
    late.occurrences.nth = 2
    try sandbox.scenarios.replace(with: [try #require(Scenario(requested: "deliver")), late])
    _ = try sandbox.messages.submit(
      MessageDraft(
        provider: "twilio", reference: "", channel: .sms, destination: "+12025550100", sender: "1", text: "",
        code: "1"), to: nil)

    let lines = try summary(of: sandbox)
    #expect(
      lines.suffix(3) == [
        "  rules that never acted",
        "    scenario 2  messages and calls: deliver  hits: 1",
        "    fault 1     telesign answers 503         hits: 0",
      ])
  }

  @Test("requests that have left the journal are counted")
  func forgotten() throws {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    for _ in 1...1200 { sandbox.journal.record(exchange()) }

    #expect(
      try summary(of: sandbox) == [
        "ringfence: 1200 requests, 0 messages sent, 0 rejected, 0 not emulated"
      ])
  }

  @Test("control characters are visible, and no name makes a line of its own")
  func control() {
    let lines = lines(of: [
      exchange(status: 400, why: "found \u{1B}[2J\u{9B}\r\nmore", unread: ["a\nringfence: 0 requests"])
    ])

    #expect(lines[2].hasSuffix(#"found \x1B[2J\x9B more"#))
    #expect(lines.last?.hasSuffix("createVerification  a ringfence: 0 requests") == true)
  }
}
