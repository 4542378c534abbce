import Domain
import HTTP
import Sinch
import Support
import Testing

@Suite("Sinch · authentication", .contract("sinch-verification.md 1"))
struct SinchAuthenticationTests {
  static let now = "2030-01-01T00:00:00Z"
  /// The request of the contract's vector.
  static let body = #"{"identity":{"type":"number","endpoint":"+12025550100"},"method":"sms"}"#
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  private func post(_ body: String = body, to path: String = SinchWorld.base, as headers: Headers) throws
    -> Exchange
  {
    try sinch.world.send(.to(path, .post, headers: headers, body: Array(body.utf8)))
  }

  @Test("S10: a public application is verified if its callback allows it, with its options ignored")
  func publicApplication() throws {
    let headers: Headers = ["Authorization": "application \(SinchWorld.key)"]
    try sinch.callBack()
    #expect(try sinch.start(as: headers).sinchError() == "401 40104")
    try sinch.configure(#""minimumAuth":"public""#)

    let started = try SinchStarted(
      sinch.start("sms", SinchWorld.number, #","smsOptions":{"codeType":"Alpha"}"#, as: headers))
    let report = try sinch.report(sinch.code(), of: started.id, as: headers)

    #expect(started.codeType == "Numeric")
    #expect(try report.sinchOutcome() == "SUCCESSFUL")
    #expect(try sinch.inbox().count == 1)
    #expect(
      try sinch.send(.get, "\(SinchWorld.base)/id/\(started.id)", as: headers).sinchError() == "401 40104")
  }

  @Test("S12: a GET may sign a Content-Type without a body")
  func typeWithoutBody() throws {
    try sinch.set(clock: Self.now)
    let path = "\(SinchWorld.base)/id/\(try sinch.started().id)"
    let headers = SinchWorld.signature(
      "GET", path, type: "application/json; charset=UTF-8", at: Self.now)

    #expect(try sinch.world.send(.to(path, headers: headers)).sinchOutcome() == "PENDING")
  }

  @Test(
    "46 B9: a signature covers the path with the prefixes of the sandbox and the provider, or without",
    arguments: ["/s/default", "/sinch", "/s/default/sinch"], ["all", "provider", "none"])
  func prefix(sent: String, signed: String) throws {
    try sinch.set(clock: Self.now)
    let provider = sent.hasSuffix("/sinch") ? "/sinch" : ""
    let prefix = ["all": sent, "provider": provider, "none": ""][signed] ?? ""

    let answer = try post(
      to: sent + SinchWorld.base,
      as: SinchWorld.signature("POST", prefix + SinchWorld.base, Self.body, at: Self.now))

    #expect(answer.answer.hasPrefix("200"))
  }

  @Test(
    "46 B1: a signature may cover the slashes of a base URL",
    arguments: ["/", "/s/default/", "/sinch//", "/s/default//sinch/"])
  func slashes(sent: String) throws {
    try sinch.set(clock: Self.now)
    for (number, signed) in [sent, ""].enumerated() {
      let (path, body) = (signed + SinchWorld.base, Self.body.replacing("0100", with: "010\(number)"))
      let headers = SinchWorld.signature("POST", path, body, at: Self.now)

      let answer = try post(body, to: sent + SinchWorld.base, as: headers)
      #expect(answer.answer.hasPrefix("200"), "\(signed)")
    }
  }

  @Test("46 B9: a signature of another sandbox's path is refused, and a mistake under a prefix is named")
  func foreignPrefix() throws {
    try sinch.set(clock: Self.now)
    let path = "/s/default\(SinchWorld.base)"
    func post(signing signed: String, _ body: String = Self.body) throws -> Exchange {
      try self.post(to: path, as: SinchWorld.signature("POST", signed, body, at: Self.now))
    }

    #expect(try post(signing: "/s/other\(SinchWorld.base)").sinchError() == "401 40102")
    #expect(try post(signing: SinchWorld.base, "").why == "wrong signature: signed without the body")
  }

  @Test("a repeated request is signed anew")
  func repeated() throws {
    try sinch.set(clock: Self.now)
    _ = try post(
      to: "/s/default\(SinchWorld.base)",
      as: SinchWorld.signature("POST", SinchWorld.base, Self.body, at: Self.now))
    try sinch.advance(3600)

    _ = try sinch.world.answer(.json(.post, "/control/requests", #"{"like":"latest"}"#))

    #expect(sinch.sandbox.journal.exchanges.map(\.status) == [200, 200])
    #expect(try sinch.inbox().count == 2)
  }
}
