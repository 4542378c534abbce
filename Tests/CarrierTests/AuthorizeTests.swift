import Domain
import Foundation
import HTTP
import Silent
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

  @Test("a proxy's user name counts only where the request went through a proxy, over plain HTTP")
  func proxy() throws {
    #expect(try proxied("+12025550100") == "grant")
    #expect(try proxied("default", password: "+12025550100") == "grant")
    #expect(try proxied("+12025550100", .direct) == "error=not_mobile")
    #expect(try proxied("+12025550100", .tunnel(authorization: nil)) == "error=not_mobile")
    #expect(try proxied("+12025550100", scheme: "https") == "error=not_mobile")
    #expect(try proxied("default") == "error=not_mobile")
  }

  @Test("an address is that of a handset, or not on mobile data")
  func address() throws {
    #expect(try bound(to: "127.10.1.1:40000") == "grant")
    #expect(try bound(to: "127.0.0.1:40000") == "error=not_mobile")
    #expect(try bound(to: "[::1]:40000") == "error=not_mobile")
  }

  @Test("an operator's header from outside is ignored, and the journal warns of it")
  func spoofed() throws {
    let world = try GatewayWorld(mode: .strict)

    let exchange = try world.ask(headers: ["X-MSISDN": "+12025550100"])

    exchange.matches(golden: "spoofed")
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

  @Test("an unknown token is 404")
  func unknown() throws {
    let exchange = try GatewayWorld().world.send(.to("/carrier/v1/authorize?session=s_nobody&state=1"))

    exchange.matches(golden: "unknown-session")
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
