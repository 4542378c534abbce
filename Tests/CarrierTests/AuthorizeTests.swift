import Domain
import Foundation
import HTTP
import Support
import Testing

@Suite("Carrier · gateway", .contract("carrier.md 4.5"))
struct AuthorizeTests {
  @Test("the claimed handset is redirected back with a grant and the state, and the provider gets a match")
  func match() throws {
    let world = try GatewayWorld()

    let exchange = try world.ask(headers: ["X-Sandbox-Handset": "+12025550100"])

    exchange.matches(golden: "granted")
    let location = try #require(exchange.headers["Location"])
    #expect(
      location.wholeMatch(
        of: /http:..127.0.0.1:5550.acme.s_[a-z2-7]{26}.done\?grant=[0-9a-f]{32}&state=[0-9a-f]{16}/) != nil)
    #expect(try world.verdict() == .matched)
  }

  @Test("another handset is a mismatch")
  func mismatch() throws {
    let world = try GatewayWorld()

    #expect(try world.verdict(["X-Sandbox-Handset": "+12025550104"]) == .mismatched)
  }

  @Test("in magic mode a request without a handset follows the claimed number's scenario")
  func magic() throws {
    let verdicts = try ["+12025550100", "+12025550140", "+12025550138", "+12025550145"].map {
      try GatewayWorld(claiming: $0).verdict()
    }

    #expect(verdicts == [.matched, .mismatched, .notMobile, .noCoverage])
  }

  @Test("in strict mode a request without a handset is not on mobile data")
  func strict() throws {
    let world = try GatewayWorld(mode: .strict)

    #expect(try world.finding() == "error=not_mobile")
    #expect(try world.verdict() == .notMobile)
  }

  @Test("each way of naming the handset works in strict mode")
  func ways() throws {
    let cookie: Headers = ["Cookie": "a=b; sbx_handset=%2B12025550100"]
    let findings = [
      try GatewayWorld(mode: .strict).finding(headers: ["X-Sandbox-Handset": "+12025550100"]),
      try GatewayWorld(mode: .strict).finding("&sbx_handset=%2B12025550100"),
      try GatewayWorld(mode: .strict).finding("&sbx_handset=+12025550100"),
      try GatewayWorld(mode: .strict).finding(headers: cookie),
      try bound(to: "127.10.1.1:40000"),
      try proxied("+12025550100"),
      try GatewayWorld(mode: .strict).finding(headers: ["x-tru-mode": "sandbox"]),
      try GatewayWorld(mode: .strict).finding(headers: ["x-silentauth-mode": "sandbox"]),
    ]

    #expect(findings[0] == "grant")
    #expect(findings[1] == "grant&sbx_handset=%2B12025550100", "carried on to the next hop")
    #expect(findings[2...].allSatisfy { $0.hasPrefix("grant") }, "\(findings)")
  }

  @Test(
    "empty cookies are ignored, and an invalid number is rejected",
    arguments: [
      ("", "error=not_mobile"), ("sbx_handset", "error=not_mobile"), ("sbx_handset=", "error=not_mobile"),
      (";;=;a", "error=not_mobile"), ("other=%2B12025550100", "error=not_mobile"),
      ("sbx_handset=%", "error=not_mobile"),
      (
        "sbx_handset=12", "400 cookie sbx_handset: expected a phone number such as +12025550100.\n"
      ),
    ])
  func cookies(text: String, finding: String) throws {
    #expect(try GatewayWorld(mode: .strict).finding(headers: ["Cookie": text]) == finding)
  }

  @Test("the first way of naming the handset wins")
  func order() throws {
    let right = "+12025550100"
    let headers: Headers = ["X-Sandbox-Handset": right, "Cookie": "sbx_handset=%2B12025550104"]

    #expect(
      try GatewayWorld(mode: .strict).verdict(headers, "&sbx_handset=%2B12025550103") == .matched)
    #expect(
      try GatewayWorld(mode: .strict).verdict(
        ["Cookie": "sbx_handset=%2B12025550104"], "&sbx_handset=%2B12025550100")
        == .matched)
  }

  @Test("a proxy's user name counts only where the request went through a proxy, over plain HTTP")
  func proxy() throws {
    #expect(try proxied("+12025550100") == "grant")
    #expect(try proxied("default", password: "+12025550100") == "grant")
    #expect(try proxied("+12025550100", .direct) == "error=not_mobile")
    #expect(try proxied("+12025550100", .tunnel(authorization: nil)) == "error=not_mobile")
    #expect(try proxied("+12025550100", scheme: "https") == "error=not_mobile")
    #expect(try proxied("default") == "error=not_mobile")
  }

  @Test("an unknown address is not on mobile data")
  func foreignAddress() throws {
    #expect(try bound(to: "127.0.0.1:40000") == "error=not_mobile")
    #expect(try bound(to: "[::1]:40000") == "error=not_mobile")
  }

  @Test("Wi-Fi, a tunnel and a tether are not mobile data", arguments: ["wifi", "VPN", "tether"])
  func bearers(word: String) throws {
    let world = try GatewayWorld()
    let headers: Headers = ["X-Sandbox-Handset": "+12025550100", "X-Sandbox-Bearer": word]

    #expect(try world.finding(headers: headers) == "error=not_mobile")
    #expect(
      try world.finding("&sbx_bearer=\(word)") == "error=not_mobile&sbx_bearer=\(word)")
  }

  @Test("an operator's header from outside is ignored, and the journal warns of it")
  func spoofed() throws {
    let world = try GatewayWorld(mode: .strict)

    let exchange = try world.ask(headers: ["X-MSISDN": "+12025550100"])

    exchange.matches(golden: "spoofed")
    #expect(world.finding(of: exchange) == "error=not_mobile")
    #expect(
      exchange.why
        == "warning: the client sent X-MSISDN, which only an operator may send; ignored")
  }

  @Test("a broken gateway answers with typical errors", arguments: [41, 43])
  func broken(ending: Int) throws {
    let world = try GatewayWorld(claiming: "+120255501\(ending)")

    let answer = try world.ask().answer

    #expect(answer.hasPrefix(ending == 41 ? "503 The gateway is out of order." : "200 <html>"))
    #expect(try world.finish(grant: nil) == .carrierError)
  }

  @Test("a gateway that hangs answers after a minute of the sandbox's time")
  func hangs() throws {
    let world = try GatewayWorld(claiming: "+12025550142")
    guard case .pending(let reply) = world.world.reply(to: try world.request()) else {
      Issue.record("answered at once")
      return
    }

    let early = try reply.answer()
    try world.world.sandbox.advance(by: .seconds(60))

    #expect(early == nil)
    #expect(try reply.answer()?.status == 504)
  }

  @Test("an endless chain continues with a new URL each time")
  func loop() throws {
    let world = try GatewayWorld(claiming: "+12025550144")
    var places: Set<String> = []
    var target = try world.request().target.text
    for _ in 1...25 {
      let location = try #require(try world.world.send(.to(target)).headers["Location"])
      places.insert(location)
      target = String(location.dropFirst("http://127.0.0.1:5550".count))
    }

    #expect(places.count == 25)
    #expect(target.hasPrefix("/carrier/v1/authorize?session="))
  }

  @Test("the configured number of hops is added, and the query is kept on them")
  func hops() throws {
    let world = try GatewayWorld(mode: .strict)
    try world.change { $0.hops = 3 }
    var target = try world.request("&sbx_handset=%2B12025550100").target.text
    var findings: [String] = []
    for _ in 1...4 {
      let exchange = try world.world.send(.to(target))
      findings.append(world.finding(of: exchange))
      target = (exchange.headers["Location"] ?? "").replacing("http://127.0.0.1:5550", with: "")
    }

    #expect(findings.prefix(3).allSatisfy { $0.hasPrefix("session=") && $0.contains("&sbx_handset=%2B1202") })
    #expect(findings.last == "grant&sbx_handset=%2B12025550100")
  }

  @Test("the request's outcome wins over the scenario")
  func trial() throws {
    #expect(try GatewayWorld().finding("&sbx_outcome=userDenied").hasPrefix("error=user_denied"))
    #expect(try GatewayWorld().finding("&sbx_outcome=noCoverage").hasPrefix("error=no_coverage"))
    #expect(try GatewayWorld().finding("&sbx_outcome=expired").hasPrefix("error=expired"))
    #expect(
      try GatewayWorld().finding("&sbx_outcome=maybe").hasPrefix("400 sbx_outcome: expected one of match"))
  }

  @Test("an expired session redirects back with that error")
  func expired() throws {
    let world = try GatewayWorld()
    try world.world.sandbox.advance(by: .seconds(120))

    #expect(try world.finding() == "error=expired")
  }

  @Test("an unknown token is 404")
  func unknown() throws {
    let exchange = try GatewayWorld().world.send(.to("/carrier/v1/authorize?session=s_nobody&state=1"))

    exchange.matches(golden: "unknown-session")
  }

  @Test("an unreadable request is rejected with its field")
  func malformed() throws {
    #expect(
      try GatewayWorld().world.send(.to("/carrier/v1/authorize")).answer
        == "400 session: expected the token of a session.\n")
    #expect(
      try GatewayWorld().finding(headers: ["X-Sandbox-Handset": "12"])
        == "400 X-Sandbox-Handset: expected a phone number such as +12025550100.\n")
    #expect(
      try GatewayWorld().finding(headers: ["X-Sandbox-Bearer": "pigeon"])
        == "400 X-Sandbox-Bearer: expected one of cellular, wifi, vpn, tether.\n")
    #expect(
      try GatewayWorld().world.send(.to("/carrier/v1/authorize", .post)).answer
        == "405 The path takes GET.\n")
  }

  @Test("every answer closes its connection, has less than 4096 bytes, and is readable by any page")
  func bytes() throws {
    for number in ["+12025550100", "+12025550138", "+12025550141", "+12025550143", "+12025550144"] {
      let world = try GatewayWorld(claiming: number)
      guard case .now(let response) = world.world.reply(to: try world.request()) else {
        Issue.record("waits")
        return
      }

      #expect(response.closesConnection)
      #expect(response.headers["Cache-Control"] == "no-store")
      #expect(response.headers["Access-Control-Allow-Origin"] == "*")
      #expect(try world.ask().responseBytes.count < 4096)
    }
  }

  private func bound(to peer: String) throws -> String {
    let world = try GatewayWorld(mode: .strict)
    var request = try world.request()
    request.peer = peer
    return world.finding(of: try world.world.send(request))
  }

  private func proxied(
    _ user: String, _ origin: RequestOrigin = .proxied, password: String = "anything", scheme: String = "http"
  ) throws -> String {
    let world = try GatewayWorld(mode: .strict)
    let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
    var request = try world.request(headers: ["Proxy-Authorization": "Basic \(credentials)"])
    request.via = origin
    request.scheme = scheme
    return world.finding(of: try world.world.send(request))
  }
}
