import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prelude

@Suite("Prelude · signals and silent verification", .contract("prelude.md 13, 14"))
struct PreludeSilentTests {
  static let signals = "/v1/signals"
  static let dispatch = "019c0000-0000-7000-8000-000000000001"
  static let number = "+33639980001"
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  private func headers(_ more: Headers = [:], features: String? = "1", key: String = PreludeWorld.sdkKey)
    -> Headers
  {
    var headers: Headers = ["X-SDK-DispatchID": Self.dispatch, "X-SDK-Key": key]
    if let features { headers.add("X-SDK-Implemented-Features", features) }
    headers.append(more)
    return headers
  }

  private func beacon(features: String? = "1") throws {
    _ = try prelude.send(.options, Self.signals, as: headers(features: features))
  }

  private func create(_ number: String = number, options: String = "{}") throws -> PreludeCreation {
    try prelude.create(
      number, options: options, as: PreludeWorld.credentials, #","dispatch_id":"\#(Self.dispatch)""#
    ).decode()
  }

  @Test("an OPTIONS request and a payload are accepted, and the connection closes")
  func dispatches() throws {
    let beacon = try prelude.send(.options, Self.signals, as: headers())
    let payload = try prelude.world.send(
      .to(
        Self.signals, .post,
        headers: headers(["Content-Encoding": "deflate", "Content-Type": "application/vnd.prelude.signals"]),
        body: [0x01, 0xFF, 0x00, 0x7F]))

    beacon.matches(golden: "beacon")
    payload.matches(golden: "payload")
    #expect(beacon.answer == "204" && payload.answer == "204")
    #expect(payload.headers["Access-Control-Allow-Origin"] == "*")
  }

  @Test("a browser's preflight allows the requested headers", .contract("prelude.md 13.4"))
  func preflight() throws {
    let exchange = try prelude.send(
      .options, Self.signals,
      as: [
        "Origin": "https://shop.test", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-sdk-key",
      ])

    exchange.matches(golden: "preflight")
    #expect(exchange.headers["Access-Control-Allow-Headers"] == "x-sdk-key")
  }

  @Test("signals without a key, with an unknown key, or without a UUID are rejected")
  func rejected() throws {
    let cases: [(Headers, String)] = [
      (["X-SDK-DispatchID": Self.dispatch], "401 missing_api_key X-SDK-Key"),
      (headers(key: ""), "401 missing_api_key X-SDK-Key"),
      (headers(key: "key"), "401 invalid_api_key X-SDK-Key"),
      (headers(key: PreludeWorld.token), "401 invalid_api_key X-SDK-Key"),
      (["X-SDK-Key": PreludeWorld.sdkKey], "400 invalid_request X-SDK-DispatchID"),
      (
        ["X-SDK-Key": PreludeWorld.sdkKey, "X-SDK-DispatchID": "019c0000-0000-7000-8000-00000000000x"],
        "400 invalid_request X-SDK-DispatchID"
      ),
    ]
    for (headers, error) in cases {
      let exchange = try prelude.send(.post, Self.signals, as: headers)
      #expect(try exchange.preludeError() == error)
      #expect(exchange.headers["Access-Control-Allow-Origin"] == "*")
    }
    try prelude.send(.post, Self.signals, as: [:]).matches(golden: "no-key")
    try prelude.send(.options, Self.signals, as: [:]).matches(golden: "no-key")
  }

  @Test("46 F6: a page can read an injected error, and its preflight uses up neither fault nor limit")
  func rulesForBrowsers() throws {
    _ = try prelude.world.send(.json(.put, "/control/faults", #"{"faults":[{"status":503,"times":1}]}"#))
    _ = try prelude.world.send(
      .json(.put, "/control/limits", #"{"limits":[{"requestsPerSecond":2}]}"#))
    let preflight: Headers = ["Origin": "https://shop.test", "Access-Control-Request-Method": "POST"]
    let requests: [(HTTP.Method, Headers)] = [
      (.options, preflight), (.post, headers()), (.options, preflight), (.post, headers()),
      (.options, preflight), (.post, headers()),
    ]

    let exchanges = try requests.map { try prelude.send($0, Self.signals, as: $1) }

    #expect(exchanges.map { $0.answer.prefix(3) } == ["204", "503", "204", "204", "204", "429"])
    #expect(exchanges.allSatisfy { $0.headers["Access-Control-Allow-Origin"] == "*" })
  }

  @Test("a key for one platform is rejected on another")
  func platform() throws {
    try prelude.configure(#""sdkKeyPlatform":"android""#)
    let agents = ["Prelude/0.6.0 Core/0.2.0 (iOS 18.2)", "Prelude/0.5.0 Core/0.2.0 (Android 15)", "curl/8"]

    let answers = try agents.map {
      try prelude.send(.options, Self.signals, as: headers(["User-Agent": $0])).answer.prefix(3)
    }

    #expect(answers == ["403", "204", "204"])
  }

  @Test("a supported number is verified silently if its device sent signals, once per verification")
  func silent() throws {
    try beacon()
    let first = try create()
    let second = try create()

    #expect((first.status, first.method, first.channels) == ("success", "silent", ["silent", "sms"]))
    #expect(first.silentURL?.hasPrefix("http://127.0.0.1:5550/silent/v1/s_") == true)
    #expect((second.id, second.status, second.method) == (first.id, "retry", "message"))
    #expect(second.channels == ["sms"] && second.silentURL == nil)
  }

  @Test(
    "without the conditions for silent verification the method is another",
    arguments: ["features", "message", "voice", "number", "stale"])
  func notSilent(lack: String) throws {
    try beacon(features: lack == "features" ? "2" : "3")
    if lack == "stale" { try prelude.advance(3601) }
    let options = ["message", "voice"].contains(lack) ? #"{"method":"\#(lack)"}"# : "{}"

    let answer = try create(lack == "number" ? PreludeWorld.number : Self.number, options: options)

    #expect(answer.method == (lack == "voice" ? "voice" : "message"))
    #expect(answer.reason == (lack == "stale" ? "expired_signature" : nil))
  }

  @Test("settings decide if a dispatch is needed and if it must come over the cellular interface")
  func settings() throws {
    try prelude.configure(#""silentNeedsCellular":true"#)
    _ = try prelude.send(.post, Self.signals, as: headers())
    let plain = try create()
    try prelude.configure(#""silentNeedsDispatch":false"#)
    let waived = try prelude.create("+33639980002").decode(PreludeCreation.self)

    #expect(plain.method == "message")
    #expect(waived.method == "silent")
  }

  @Test(
    "the last hop returns a valid code; every hop can be repeated, and no code is valid before")
  func chain() throws {
    try beacon()
    let created = try create()
    #expect(try prelude.status("123456", for: Self.number) == "failure")
    let hops = try walk(try #require(created.silentURL))
    let again = try walk(try #require(created.silentURL))

    hops[0].matches(golden: "redirect")
    hops[hops.count - 1].matches(golden: "code")
    #expect(hops.map(\.answer) == again.map(\.answer))
    let code = try Fields(Array(try #require(hops.last?.answer.dropFirst(4)).utf8)).string("code")
    #expect(try prelude.status(code, for: Self.number) == "success")
    #expect(try walk(try #require(created.silentURL)).last?.answer == hops.last?.answer)
  }

  @Test(
    "a failure is 200 without a code",
    arguments: [
      (40, #"200 {"status":"failure","reason":"phone_number_mismatch"}"#),
      (43, "200 <!doctype html><title>Error</title><h1>Something went wrong</h1>"),
    ])
  func failures(ending: Int, answer: String) throws {
    try beacon()
    let created = try create("+336399800\(ending)")

    let hops = try walk(try #require(created.silentURL))
    let last = try #require(hops.last)

    if ending == 40 { last.matches(golden: "mismatch") }
    #expect(last.answer == answer)
    #expect(try prelude.status("123456", for: "+336399800\(ending)") == "failure")
  }

  @Test("an expired session still redirects and then fails as expired; an unknown session is not found")
  func old() throws {
    try beacon()
    let created = try create()
    try prelude.advance(120)
    let hops = try walk(try #require(created.silentURL))
    let unknown = try prelude.get("/silent/v1/s_unknown", as: [:])
    let end = try prelude.get("/silent/v1/s_unknown/complete", as: [:])

    #expect(hops[0].answer == "302")
    #expect(hops.last?.answer == #"200 {"status":"failure","reason":"expired"}"#)
    unknown.matches(golden: "unknown")
    #expect(try unknown.preludeError() == "404 not_found")
    #expect(end.answer == #"200 {"status":"failure","reason":"invalid_token"}"#)
    let broken = try prelude.get("/silent/v1/s_unknown/complete?grant=%GG", as: [:])
    broken.matches(golden: "broken-query")
    #expect(try broken.preludeError() == "400 invalid_request grant")
  }

  @Test("a setting chooses the status of the redirect", arguments: [301, 303, 307, 308])
  func redirect(status: Int) throws {
    try prelude.configure(#""silentRedirect":\#(status)"#)
    try beacon()

    let created = try create()
    let first = try walk(try #require(created.silentURL))[0]

    #expect(first.answer == "\(status)")
  }

  @Test("the history shows silent attempts")
  func history() throws {
    try beacon()
    let created = try create()
    _ = try walk(try #require(created.silentURL))

    let detail = try prelude.get("/v2/verification/phone/history/\(created.id)")

    #expect(detail.answer.contains(#""status":"silent_started""#))
    #expect(detail.answer.contains(#""status":"silent_verified""#))
  }

  @Test(
    "only another number is a mismatch in the history; Wi-Fi and a gateway that fails are undeliverable",
    arguments: [
      ("+33639980001", "wifi", "not_cellular", "undeliverable"),
      ("+33639980040", "cellular", "phone_number_mismatch", "silent_mismatch"),
      ("+33639980041", "cellular", nil, nil),
    ] as [(String, String, String?, String?)])
  func losses(number: String, bearer: String, reason: String?, status: String?) throws {
    try beacon()
    let created = try create(number)
    let url = try #require(created.silentURL)

    let last = try walk("\(url)?sbx_bearer=\(bearer)").last

    if let reason { #expect(last?.answer == #"200 {"status":"failure","reason":"\#(reason)"}"#) }
    let detail = try prelude.get("/v2/verification/phone/history/\(created.id)").answer
    #expect(detail.contains(#""status":"silent_mismatch""#) == (status == "silent_mismatch"))
    if let status {
      #expect(detail.contains(#""status":"\#(status)"}]"#))
      #expect(detail.contains(#""delivery_status":"undeliverable""#))
      #expect(detail.contains(#""undeliverable_route_count":1"#))
    }
  }

  @Test("the keys of another sandbox select it, and its silent URLs stay in it", .contract("prelude.md 1.2"))
  func otherSandbox() throws {
    var origin = Sandbox.Configuration()
    origin.clock = .frozen(TestSandbox.start)
    let other = try #require(try prelude.world.sandboxes.create("other", origin))
    let keys = try PreludeProvider.credentials(of: other).map(\.value)
    _ = try prelude.send(.options, Self.signals, as: headers(key: keys[1]))

    let created = try prelude.create(
      Self.number, as: ["Authorization": "Bearer \(keys[0])"], #","dispatch_id":"\#(Self.dispatch)""#
    ).decode(PreludeCreation.self)
    let hops = try walk(try #require(created.silentURL))

    #expect(created.silentURL?.hasPrefix("http://127.0.0.1:5550/s/other/silent/v1/s_") == true)
    #expect(hops.last?.answer.hasPrefix(#"200 {"code":"#) == true)
    #expect(try prelude.sandbox.verifications.list("prelude", before: .max, limit: 1) == [])
  }

  /// Every answer of a chain of redirects, the last one included.
  private func walk(_ url: String) throws -> [Exchange] {
    var (exchanges, path) = ([Exchange](), url)
    while exchanges.count < 20 {
      let target = path.replacing(#/^https?:\/\/[^\/]+/#, with: "")
      let exchange = try prelude.get(target, as: [:])
      exchanges.append(exchange)
      guard let next = exchange.headers["Location"] else { break }
      #expect(next.hasPrefix("http://"))
      path = next
    }
    return exchanges
  }
}
