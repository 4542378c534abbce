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
  return summary.lines(unreached: "nothing came")
}

@Suite("Command · RunSummary")
struct RunSummaryTests {
  @Test("where nothing came, it says so")
  func nothing() {
    #expect(lines(of: []) == ["ringfence: nothing came"])
  }

  @Test("a request that was served and read is only counted")
  func served() {
    #expect(lines(of: [exchange()]) == ["ringfence: 1 request, 0 messages sent, 0 refused"])
  }

  @Test("messages are told with their codes, or the beginning of their text, and their loss")
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
      try RunSummary(of: sandbox).lines(unreached: "") == [
        "ringfence: 0 requests, 2 messages sent, 0 refused",
        "  sent",
        "    twilio  sms       +12025550100  code 123456",
        "    twilio  whatsapp  +12025550100  \"On two lines, and longer than a line of…\"",
      ])
  }

  @Test("equal refusals are one line with their number, and columns are aligned")
  func refusals() {
    let limit = exchange(status: 429, why: "the limit is reached")
    let connect = exchange(
      "", nil, method: "CONNECT", target: "example.com:443", status: 403, why: "no host of ours")

    #expect(
      lines(of: [limit, connect, limit]) == [
        "ringfence: 3 requests, 0 messages sent, 3 refused",
        "  refused",
        "    2 ×  twilio   createVerification  429  the limit is reached",
        "         CONNECT  example.com:443     403  no host of ours",
      ])
  }

  @Test("a handshake that failed has no status")
  func handshake() {
    let lines = lines(of: [
      exchange("", nil, method: "TLS", target: "a.example", status: 0, why: "unknown ca")
    ])

    #expect(lines.last == "    TLS  a.example  unknown ca")
  }

  @Test("fields that nobody read are told of requests that succeeded too")
  func unread() {
    #expect(
      lines(of: [exchange(unread: ["Chanel", "x"])]).suffix(2) == [
        "  fields that nobody read", "    twilio  createVerification  Chanel, x",
      ])
  }

  @Test("of many different lines the first twenty are shown")
  func many() {
    let lines = lines(of: (1...23).map { exchange("twilio", nil, target: "/\($0)", status: 404) })

    #expect(lines.count == 23)
    #expect(lines.last == "    and 3 more")
  }

  @Test("requests that the journal has forgotten are counted")
  func forgotten() throws {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    for _ in 1...1200 { sandbox.journal.record(exchange()) }

    #expect(
      try RunSummary(of: sandbox).lines(unreached: "") == [
        "ringfence: 1200 requests, 0 messages sent, 0 refused"
      ])
  }

  @Test("what a terminal would obey is not passed on")
  func control() {
    let lines = lines(of: [exchange(status: 400, why: "found \u{1B}[2J\u{7F}\r\nmore")])

    #expect(
      lines.last?.hasSuffix("found  [2J  more") == true || lines.last?.hasSuffix("found  [2J   more") == true)
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
  }
}
