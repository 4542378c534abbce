import Basics
import Domain
import HTTP
import Numbers
import ProviderKit
import Silent
import Support
import Testing

@Suite("Hops of silent verification", .contract("carrier.md 4.5"))
struct SilentHopsTests {
  let world: TestSandbox

  init() throws { world = try TestSandbox(of: Acme.self) }

  /// A session of one minute, whose URLs are those of `hops`.
  private func session(
    _ hops: any SilentHops.Type = AcmeURL.self, provider: String = Acme.name, singleUse: Bool = false
  ) throws -> SilentSession {
    try world.sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: provider, number: #require(PhoneNumber("+12025550100")), verification: 1,
        lifetime: .seconds(60), singleUse: singleUse,
        returnURL: hops.returnURL(for: .to("/"), in: world.sandbox)))
  }

  private func target(_ url: String) -> String { url.replacing("http://127.0.0.1:5550", with: "") }

  /// Every response of a chain, the last one included.
  private func walk(_ url: String) throws -> [Exchange] {
    var exchanges = [try world.send(.to(target(url)))]
    while let location = exchanges.last?.headers["Location"] {
      exchanges.append(try world.send(.to(target(location))))
    }
    return exchanges
  }

  @Test("the first hop redirects to the gateway; the last one gives the provider's answer")
  func chain() throws {
    let session = try session()
    let url = AcmeURL.url(of: session)

    let hops = try walk(url)

    #expect(url == "http://127.0.0.1:5550/door/\(session.token)")
    #expect(session.draft.returnURL == "\(url)/complete")
    #expect(hops.map(\.answer) == ["302", "302", "200 matched, first time"])
    #expect(try walk(url).last?.answer == "200 matched, again")
  }

  @Test("every hop is never cached and closes its connection")
  func headers() throws {
    let hops =
      try walk(AcmeURL.url(of: session())) + [
        world.send(.to("/door/x")), world.send(.to("/door/x/complete")),
      ]

    #expect(hops.map { $0.headers["Cache-Control"] } == Array(repeating: "no-store", count: 5))
    for hop in hops {
      #expect(String(decoding: hop.responseBytes, as: UTF8.self).contains("\r\nConnection: close\r\n"))
    }
  }

  @Test("fields of the sandbox and of the gateway are known on every hop; others are not")
  func unread() throws {
    let fields = "sbx_handset=%2B12025550104&sbx_bearer=cellular&sbx_outcome=match&sbx_delay=1"

    let hops = try walk(AcmeURL.url(of: session()) + "?\(fields)&mine=1")
    let error = try world.send(.to("\(target(session().draft.returnURL))?error=expired&state=1&mine=1"))

    #expect(hops.map(\.unread) == [["mine"], [], []])
    #expect(error.unread == ["mine"])
  }

  @Test("a token of another provider, or of nobody, is unknown")
  func unknown() throws {
    let foreign = try session(provider: "prelude")

    #expect(try world.send(.to("/door/x")).answer == "404 first hop")
    #expect(try world.send(.to("/door/x/complete")).answer == "404 last hop")
    #expect(try world.send(.to("/door/\(foreign.token)")).answer == "404 first hop")
    #expect(try world.send(.to("/door/\(foreign.token)/complete")).answer == "404 last hop")
  }

  @Test("a session that has ended is redirected, unless the provider refuses it")
  func ended() throws {
    let (one, other) = (try session(), try session(StrictAcmeURL.self, singleUse: true))
    #expect(StrictAcmeURL.url(of: other).hasSuffix("/strict-door/\(other.token)/knock"))
    _ = try walk(StrictAcmeURL.url(of: other))
    #expect(try walk(StrictAcmeURL.url(of: other)).map(\.answer) == ["200 used"])
    let late = try session(StrictAcmeURL.self)
    try world.sandbox.advance(by: .seconds(60))

    #expect(try walk(AcmeURL.url(of: one)).map(\.answer) == ["302", "302", "200 expired, again"])
    #expect(try walk(StrictAcmeURL.url(of: late)).map(\.answer) == ["200 expired"])
  }

  @Test("the provider's delay applies to every hop, unless the query has one")
  func delay() throws {
    #expect(try delays(of: session()) == [0, 0, 0])
    #expect(try delays(of: session(), "?sbx_delay=40") == [40, 40, 40])
    #expect(try delays(of: session(StrictAcmeURL.self)) == [250, 250, 250])
    #expect(try delays(of: session(StrictAcmeURL.self), "?sbx_delay=40") == [40, 40, 40])
    #expect(try delays(of: session(StrictAcmeURL.self), "?sbx_delay=0") == [0, 0, 0])
  }

  /// The delay of each hop, in milliseconds.
  private func delays(of session: SilentSession, _ query: String = "") throws -> [Int64] {
    var (delays, next) = ([Int64](), Optional(AcmeURL.url(of: session) + query))
    while let url = next {
      switch world.reply(to: .to(target(url))) {
      case .now(let response), .streamed(let response, _):
        delays.append(0)
        next = response.headers["Location"]
      case .after(let delay, let response):
        delays.append(delay.milliseconds)
        next = response.headers["Location"]
      case .pending(let reply):
        delays.append(try #require(reply.delay).milliseconds)
        next = try reply.onTimeout().headers["Location"]
      case .blocked, .webSocket: next = nil
      }
    }
    return delays
  }
}
