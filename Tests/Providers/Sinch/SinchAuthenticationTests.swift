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

  @Test("S4: the contract's own vector is accepted")
  func vector() throws {
    try sinch.set(clock: Self.now)
    try sinch.configure(#""minimumAuth":"signed""#)
    let post = try post(
      as: [
        "Content-Type": "application/json", "x-timestamp": Self.now,
        "Authorization": "Application \(SinchWorld.key):QsCxe9jl3VmiyuI5JxqFha/iHSrB1RkNansU6+C3tSc=",
      ])
    let get = try sinch.world.send(
      .to(
        "\(SinchWorld.base)/id/1000000001",
        headers: [
          "x-timestamp": Self.now,
          "Authorization": "Application \(SinchWorld.key):R4lFAuRb/+PRaUXkyzysh9PmFN+4R7GM78GdU2QymOo=",
        ]))

    post.matches(golden: "signed")
    #expect(try post.decode(SinchStarted.self).method == "sms")
    #expect(try get.sinchError() == "404 40400")
  }

  @Test("S5: a signature of other bytes is refused", arguments: ["body", "path", "type", "time"])
  func wrongSignature(changed: String) throws {
    try sinch.set(clock: Self.now)
    let signed = SinchWorld.signature(
      "POST", changed == "path" ? SinchWorld.base + "/" : SinchWorld.base,
      changed == "body" ? Self.body + " " : Self.body,
      type: changed == "type" ? "application/jsoN" : "application/json", at: Self.now)
    var headers = signed
    if changed == "time" { headers.replace("x-timestamp", with: "2030-01-01T00:00:01Z") }
    if changed == "type" { headers.replace("Content-Type", with: "application/json") }

    let exchange = try post(as: headers)

    #expect(try exchange.sinchError() == "401 40102")
    #expect(exchange.why?.contains("signature mismatch") == true)
    #expect(try sinch.inbox() == [])
  }

  @Test("known mistakes of signing are named", arguments: ["secret", "body", "type"])
  func mistakes(kind: String) throws {
    try sinch.set(clock: Self.now)
    let secret = kind == "secret" ? "cmluZ2ZlbmNl" : SinchWorld.secret
    try sinch.seed(#"{"sinch":{"applications":[{"key":"\#(SinchWorld.key)","secret":"\#(secret)"}]}}"#)
    var headers = SinchWorld.signature(
      "POST", SinchWorld.base, kind == "body" ? "" : Self.body,
      type: kind == "type" ? "" : "application/json", at: Self.now,
      secret: kind == "secret" ? "Y21sdVoyWmxibU5s" : secret)
    if kind == "type" { headers.add("Content-Type", "application/json") }

    let why = try post(as: headers).why

    let expected = [
      "secret": "signed with the secret as it is spelled; decode its Base64 first",
      "body": "signed without the body", "type": "signed without the Content-Type",
    ]
    #expect(why == expected[kind])
  }

  @Test("S6: a signed request needs a recent time")
  func time() throws {
    try sinch.set(clock: Self.now)
    let headers = SinchWorld.signature("POST", SinchWorld.base, Self.body, at: Self.now)
    let without: Headers = [
      "Authorization": headers["Authorization"] ?? "", "Content-Type": "application/json",
    ]

    #expect(try post(as: without).sinchError() == "401 40101")
    try sinch.advance(300)
    #expect(try post(as: headers).decode(SinchStarted.self).method == "sms")
    try sinch.advance(1)
    let late = try post(as: headers)
    #expect(try late.sinchError() == "401 40101")
    #expect(late.why?.contains("301 s off") == true)
    try sinch.configure(#""timestampTolerance":0"#)
    #expect(try post(as: headers).decode(SinchStarted.self).method == "sms")
  }

  @Test(
    "a time of any form that the SDKs send is understood",
    arguments: ["2030-01-01T00:00:01.1234567Z", "2030-01-01T00:00:00.123456+00:00", "yesterday"])
  func forms(time: String) throws {
    try sinch.set(clock: Self.now)
    let answer = try post(as: SinchWorld.signature("POST", SinchWorld.base, Self.body, at: time))

    if time == "yesterday" {
      #expect(try answer.sinchError() == "401 40101")
    } else {
      #expect(try answer.decode(SinchStarted.self).method == "sms")
    }
  }

  @Test("S7: missing, malformed, unknown and wrong credentials")
  func credentials() throws {
    let unknown = "99999999-2222-3333-4444-555555555555"
    let cases: [(Headers, String)] = [
      ([:], "401 40100"), (["Authorization": "Basic !!"], "401 40100"),
      (["Authorization": "Application a:b:c"], "401 40100"),
      (["Authorization": "Application :b"], "401 40100"),
      (Request.basic(unknown, SinchWorld.secret), "401 40107"),
      (["Authorization": "Application \(unknown)"], "401 40107"),
      (Request.basic(SinchWorld.key, "c2VjcmV0"), "401 40102"),
    ]
    for (headers, error) in cases {
      #expect(try sinch.start(as: headers).sinchError() == error, "\(headers)")
    }
    try sinch.start(as: [:]).matches(golden: "no-authorization")
    #expect(try sinch.inbox() == [])
  }

  @Test("S8: an application that needs signatures refuses Basic")
  func minimum() throws {
    try sinch.configure(#""minimumAuth":"signed""#)

    #expect(try sinch.start().sinchError() == "401 40104")
    #expect(try sinch.inbox() == [])
    try sinch.seed(
      #"{"sinch":{"applications":[{"key":"\#(SinchWorld.key)","secret":"********","minimumAuth":"basic"}]}}"#)
    #expect(try sinch.started().method == "sms")
  }

  @Test("S9: a public application without a callback URL is refused")
  func publicWithoutURL() throws {
    try sinch.configure(#""minimumAuth":"public""#)

    let exchange = try sinch.start(as: ["Authorization": "Application \(SinchWorld.key)"])

    #expect(try exchange.sinchError() == "403 40303")
    #expect(try sinch.inbox() == [])
  }

  @Test("S10: a public application is verified if its callback allows it, with its options ignored")
  func publicApplication() throws {
    let headers: Headers = ["Authorization": "application \(SinchWorld.key)"]
    try sinch.callBack()
    #expect(try sinch.start(as: headers).sinchError() == "401 40104")
    try sinch.configure(#""minimumAuth":"public""#)

    let started = try sinch.start(
      "sms", SinchWorld.number, #","smsOptions":{"codeType":"Alpha"}"#, as: headers
    ).decode(SinchStarted.self)
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

    #expect(try sinch.world.send(.to(path, headers: headers)).decode(SinchStatus.self).status == "PENDING")
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

    #expect(try answer.decode(SinchStarted.self).method == "sms")
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
      #expect(try answer.decode(SinchStarted.self).method == "sms", "\(signed)")
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
    #expect(try post(signing: SinchWorld.base, "").why == "signed without the body")
  }

  @Test("S46: another application does not see a verification, its number or its reference")
  func otherApplication() throws {
    let other = "aaaaaaaa-2222-3333-4444-555555555555"
    try sinch.seed(#"{"sinch":{"applications":[{"key":"\#(other)","secret":"c2VjcmV0"}]}}"#)
    let headers = Request.basic(other, "c2VjcmV0")
    let first = try sinch.started("sms", SinchWorld.number, #","reference":"r1""#)
    let paths = ["/id/\(first.id)", "/sms/number/\(SinchWorld.number)", "/reference/r1"]

    for path in paths {
      #expect(try sinch.send(.get, SinchWorld.base + path, as: headers).sinchError() == "404 40400")
    }
    #expect(try sinch.report(sinch.code(), of: first.id, as: headers).sinchError() == "404 40400")
    let second = try sinch.start("sms", SinchWorld.number, #","reference":"r1""#, as: headers)
    #expect(try second.decode(SinchStarted.self).id != first.id)
    #expect(try sinch.status(first.id).status == "PENDING")
  }

  @Test("an open sandbox accepts unknown keys, without checking their signatures")
  func open() throws {
    let world = try TestSandbox(of: SinchProvider.self)
    let unknown = "99999999-2222-3333-4444-555555555555"
    let headers: Headers = [
      "Authorization": "Application \(unknown):c2ln", "x-timestamp": "2026-01-05T10:20:30Z",
    ]

    let exchange = try world.send(
      .to(SinchWorld.base, .post, headers: headers, body: Array(Self.body.utf8)))

    #expect(try exchange.decode(SinchStarted.self).method == "sms")
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
