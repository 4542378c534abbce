import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Sinch · seamless", .contract("sinch-verification.md 8"))
struct SinchSeamlessTests {
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  /// Opens a URL as a handset, and follows redirects. The answer to each hop.
  private func open(_ url: String, _ query: String = "", headers: Headers = [:]) throws -> [Exchange] {
    var path = url.replacing(#/^https?:\/\/[^\/]+/#, with: "") + query
    var hops: [Exchange] = []
    while hops.count < 6 {
      let exchange = try sinch.send(.get, path, as: headers)
      hops.append(exchange)
      guard let next = exchange.headers["Location"] else { break }
      path = next.replacing(#/^https?:\/\/[^\/]+/#, with: "")
    }
    return hops
  }

  private func start(_ number: String = SinchWorld.number) throws -> (id: String, url: String) {
    let started = try sinch.started("seamless", number)
    return (started.id, try #require(started.targetURI))
  }

  @Test("S32: the handset with the number proves it within five hops")
  func match() throws {
    let exchange = try sinch.start("seamless")
    let started = try exchange.decode(SinchStarted.self)
    let hops = try open(#require(started.targetURI))
    let last = try #require(hops.last)

    exchange.matches(golden: "seamless")
    hops[0].matches(golden: "redirect")
    last.matches(golden: "successful")
    #expect(hops.count <= 5)
    #expect(last.answer == #"200 {"id":"\#(started.id)","method":"seamless","status":"SUCCESSFUL"}"#)
    #expect(try sinch.status(started.id).outcome == "SUCCESSFUL")
    #expect(started.links.count == 2)
  }

  @Test(
    "S33: another handset, Wi-Fi, a VPN and a forged header do not prove it",
    arguments: [
      ("?sbx_handset=%2B12025550101", "FAIL Failed pending"),
      ("?sbx_bearer=wifi", "ERROR Network error or number unreachable"),
      ("?sbx_bearer=vpn", "ERROR Network error or number unreachable"),
      ("?sbx_outcome=userDenied", "FAIL Failed pending"),
    ])
  func mismatch(query: String, outcome: String) throws {
    let (id, url) = try start()
    _ = try open(url, query, headers: ["X-MSISDN": SinchWorld.number])

    #expect(try sinch.status(id).outcome == outcome)
  }

  @Test(
    "the carrier decides what becomes of a seamless verification",
    arguments: [
      ("40", "FAIL Failed pending", true), ("38", "ERROR Network error or number unreachable", true),
      ("41", "ERROR Network error or number unreachable", true),
      ("42", "ERROR Network error or number unreachable", true),
      ("43", "ERROR Network error or number unreachable", true),
      ("44", "ERROR Network error or number unreachable", true),
      ("99", "ERROR Network error or number unreachable", true), ("00", "FAIL Expired", false),
    ])
  func outcomes(ending: String, outcome: String, opens: Bool) throws {
    let (id, url) = try start("+120255501\(ending)")
    if opens { _ = try open(url) }
    try sinch.advance(121)

    #expect(try sinch.status(id).outcome == outcome)
  }

  @Test("S34: an operator without silent verification is no route", arguments: ["45", "50"])
  func noRoute(ending: String) throws {
    let exchange = try sinch.start("seamless", "+120255501\(ending)")

    #expect(try exchange.sinchError() == "422 42201")
    #expect(try sinch.sandbox.verifications.list("sinch", before: .max, limit: 1) == [])
  }

  @Test("S35: a seamless verification is not reported")
  func report() throws {
    let (id, _) = try start()

    #expect(try sinch.report("1234", of: id, "seamless").sinchError() == "400 40001")
    #expect(try sinch.report("1234", of: id).sinchError() == "400 40001")
  }

  @Test("a URL that is opened again answers the same and changes nothing")
  func again() throws {
    let (id, url) = try start()
    let first = try open(url).last?.answer
    let second = try open(url, "?sbx_handset=%2B12025550101").last?.answer

    #expect(first == second)
    #expect(try sinch.status(id).outcome == "SUCCESSFUL")
  }

  @Test("a late handset, and an unknown URL")
  func late() throws {
    let (_, url) = try start()
    try sinch.advance(121)
    #expect(try open(url).last?.answer.hasSuffix(#""status":"FAIL"}"#) == true)

    let unknown = try open("/verification/v1/seamless/s_0")[0]
    unknown.matches(golden: "unknown")
    try open("/verification/v1/seamless/s_0/complete")[0].matches(golden: "unknown")
    #expect(try unknown.sinchError() == "404 40400")
  }

  @Test("the last hop answers nothing if the setting says so")
  func empty() throws {
    try sinch.configure(#""seamlessBody":"empty""#)

    #expect(try open(start().url).last?.answer == "200")
  }
}
