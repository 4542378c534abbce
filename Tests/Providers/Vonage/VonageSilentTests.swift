import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V15 to V21 of the contract, section 13. The numbers of `covered` and `uncovered` have networks with
/// and without silent authentication.
@Suite("Vonage · silent authentication", .contract("vonage-verify.md 6"))
struct VonageSilentTests {
  private static let covered = "12025550100"
  private static let mismatch = "12025550140"
  private static let failing = "12025550141"
  private static let uncovered = "12025550145"

  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  private static func silent(_ number: String = covered, _ more: String = "") -> String {
    VonageWorld.channel("silent_auth", more, to: number)
  }

  private static let sms = VonageWorld.channel("sms", to: covered)

  @Test("V15: the phone opens the URL and gets the code that completes the request")
  func v15() throws {
    let started = try vonage.startRaw([Self.silent()])
    started.matches(golden: "silent")
    let start = try started.decode(VonageStart.self)
    let url = try #require(start.checkURL)
    #expect(url == "http://127.0.0.1:5550/v2/verify/\(start.id)/silent-auth/redirect")
    #expect(try vonage.check("123456", start.id).problem() == "409 no-code")

    let hops = try vonage.walk(url)
    hops.first?.matches(golden: "redirect")
    hops.last?.matches(golden: "code")
    #expect(hops.count <= 5)
    let proof = try #require(hops.last).decode(VonageSilentCode.self)
    #expect(proof.id == start.id)
    #expect(proof.code.count == 6)
    #expect(try vonage.check(proof.code, start.id).answer.hasPrefix("200"))
    #expect(try vonage.walk(url).last?.problem() == "409 conflict")
  }

  @Test("V16: another phone and Wi-Fi fail with their reasons; without coverage there is no URL")
  func v16() throws {
    let other = try vonage.start([Self.silent(Self.mismatch)])
    let mismatch = try #require(try vonage.walk(other.checkURL ?? "").last)
    mismatch.matches(golden: "mismatch")
    #expect(try mismatch.problem() == "412 msisdn-error")

    let wifi = try vonage.start([Self.silent(), VonageWorld.channel("email", to: "ana@example.com")])
    let refused = try vonage.walk((wifi.checkURL ?? "") + "?sbx_bearer=wifi").last
    #expect(try refused?.problem() == "412 network-error")
    #expect(try vonage.inbox("ana@example.com").count == 1)

    let uncovered = try vonage.start([
      Self.silent(Self.uncovered), VonageWorld.channel("sms", to: Self.uncovered),
    ])
    #expect(uncovered.checkURL == nil)
    #expect(try vonage.inbox("+\(Self.uncovered)").map(\.channel) == [.sms])
    let only = try vonage.startRaw([Self.silent("33639980045")])
    only.matches(golden: "not-supported")
    #expect(try only.problem() == "412 precondition-failed")
  }

  @Test("V16: an operator that fails leads nowhere, and the channel expires")
  func v16Operator() throws {
    try vonage.receiveEvents()
    let start = try vonage.start([Self.silent(Self.failing)])
    #expect(try vonage.walk(start.checkURL ?? "").last?.answer.hasPrefix("503") == true)
    try vonage.advance(60)

    #expect(
      try vonage.summaries().dropFirst() == ["silent_auth expired", "summary expired: silent_auth expired"])
  }

  @Test("V17: without the coverage check there is a URL, and the hop fails")
  func v17() throws {
    let start = try vonage.start([Self.silent(Self.uncovered, #","coverage_check":false"#)])
    let url = try #require(start.checkURL)

    let end = try #require(try vonage.walk(url).last).decode(VonageProblem.self)

    #expect(end.detail == "Device number does not resolve to a supported Mobile Network Operator.")
  }

  @Test("V18: with redirect_url, the last hop leads back to the app with the result in the fragment")
  func v18() throws {
    let back = #","redirect_url":"https://shop.test/done""#
    let start = try vonage.start([Self.silent(Self.covered, back)])
    let end = try #require(try vonage.walk(start.checkURL ?? "").last)
    end.matches(golden: "back-to-app")
    let location = try #require(end.headers["Location"])
    let prefix = "https://shop.test/done#request_id=\(start.id)&code="
    #expect(location.hasPrefix(prefix))
    #expect(try vonage.check(String(location.dropFirst(prefix.count)), start.id).answer.hasPrefix("200"))

    let other = try vonage.start([Self.silent(Self.mismatch, back)])
    #expect(
      try vonage.walk(other.checkURL ?? "").last?.headers["Location"]
        == "https://shop.test/done#error_description=Device%20MSISDN%20does%20not%20match.")
  }

  @Test("46 B5: a phone of the sandbox tells the URL of the app and the code", arguments: ["ios", "android"])
  func open(platform: String) throws {
    func open(_ number: String) throws -> (id: String, walked: Fields) {
      let start = try vonage.start([Self.silent(number, #","redirect_url":"https://shop.test/done""#)])
      let body = #"{"url":"\#(start.checkURL ?? "")","as":"\#(platform)"}"#
      let answer = try vonage.world.send(.json(.post, "/control/devices/+\(number)/open", body)).answer
      return (start.id, try Fields(Array(answer.dropFirst(4).utf8)))
    }
    let (id, walked) = try open(Self.covered)
    let code = try walked.string("code")

    #expect(try walked.string("ending") == "redirect")
    #expect(try walked.string("url") == "https://shop.test/done#request_id=\(id)&code=\(code)")
    #expect(try vonage.check(code, id).answer.hasPrefix("200"))
    let mismatch = try open(Self.mismatch).walked
    #expect(try mismatch.string("ending") == "redirect" && !mismatch.has("code"))
    #expect(try mismatch.string("why") == "Device MSISDN does not match.")
  }

  @Test("V19: a wrong code ends the channel, and the next one begins")
  func v19() throws {
    let start = try vonage.start([Self.silent(), VonageWorld.channel("email", to: "ana@example.com")])
    let code = try vonage.silentCode(start.checkURL ?? "")

    #expect(try vonage.check("000000", start.id).problem() == "400 invalid-code")
    #expect(try vonage.check(code, start.id).problem() == "400 invalid-code")
    #expect(
      try vonage.check(try vonage.code(for: "ana@example.com"), start.id).answer.hasPrefix("200"))
    let last = try vonage.start([Self.silent()])
    _ = try vonage.silentCode(last.checkURL ?? "")
    #expect(try vonage.check("000000", last.id).problem() == "410 expired")
  }

  @Test("V20: without a phone that opens the URL, the next channel begins after 60 seconds")
  func v20() throws {
    try vonage.receiveEvents()
    let start = try vonage.start([Self.silent(), Self.sms])
    try vonage.advance(59)
    #expect(try vonage.inbox("+\(Self.covered)").isEmpty)
    try vonage.advance(2)

    #expect(try vonage.inbox("+\(Self.covered)").count == 1)
    #expect(try vonage.summaries() == ["silent_auth action_pending", "silent_auth expired"])
    #expect(try vonage.walk(start.checkURL ?? "").last?.problem() == "409 conflict")
  }

  @Test(
    "V21: the last digits of the virtual operator's numbers choose the outcome",
    arguments: [("990123402", "completed"), ("990123401", "user_rejected"), ("990123499", "failed")])
  func v21(number: String, status: String) throws {
    try vonage.receiveEvents()
    let start = try vonage.start([Self.silent(number)])

    let end = try #require(try vonage.walk(start.checkURL ?? "").last)
    if status == "completed" {
      let code = try end.decode(VonageSilentCode.self).code
      #expect(try vonage.check(code, start.id).answer.hasPrefix("200"))
    }

    #expect(try vonage.summaries().dropFirst().first == "silent_auth \(status)")
  }

  @Test(
    "the member sandbox chooses the outcome by the last digits of the number",
    arguments: [
      ("447700900000", "412 precondition-failed"), ("447700900001", "412 msisdn-error"),
      ("447700900002", "200"),
    ])
  func simulated(number: String, answer: String) throws {
    let start = try vonage.start([Self.silent(number, #","sandbox":true"#)])

    let end = try #require(try vonage.walk(start.checkURL ?? "").last)

    #expect(answer == "200" ? end.answer.hasPrefix("200") : try end.problem() == answer)
  }

  @Test("in a strict gateway, the client's sandbox mode stands for the phone")
  func sandboxMode() throws {
    var settings = Gateway.Settings()
    settings.mode = .strict
    try vonage.sandbox.gateway.set(settings)
    let first = try vonage.start([Self.silent()])
    #expect(try vonage.walk(first.checkURL ?? "").last?.problem() == "412 network-error")

    let second = try vonage.start([Self.silent()])
    let end = try vonage.walk(second.checkURL ?? "", ["x-silentauth-mode": "sandbox"]).last
    #expect(end?.answer.hasPrefix("200") == true)
  }

  @Test("mode advanced takes a token if the setting allows it")
  func advanced() throws {
    try vonage.configure(#""advanced":"accept""#)
    let start = try vonage.start([Self.silent(Self.covered, #","mode":"advanced""#)])
    func token() throws -> Exchange { try vonage.post("/v2/verify/\(start.id)", #"{"token":"t"}"#) }

    #expect(try token().problem() == "409 no-code")
    _ = try vonage.silentCode(start.checkURL ?? "")
    #expect(try token().answer.hasPrefix("200"))
  }
}
