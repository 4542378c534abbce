import Basics
import Domain
import Numbers
import Silent
import Support
import Testing

@Suite("Silent sessions", .contract("carrier.md 4.5"))
struct SilentSessionsTests {
  let world: World
  let claimed: PhoneNumber
  let other: PhoneNumber

  init() throws {
    world = try World()
    claimed = try #require(PhoneNumber("+12025550100"))
    other = try #require(PhoneNumber("+12025550104"))
  }

  var sessions: SilentSessions { world.sandbox.silentSessions }

  func mint(singleUse: Bool = false, outcome: SilentOutcome? = nil) throws -> SilentSession {
    try sessions.create(
      SilentSession.Draft(
        provider: "acme", number: claimed, verification: 7, lifetime: .seconds(120), singleUse: singleUse,
        returnURL: "http://127.0.0.1:5550/back/{token}/done", outcome: outcome))
  }

  func identify(
    _ session: SilentSession, as handset: PhoneNumber? = nil, over bearer: Bearer = .cellular
  ) throws -> SilentIdentification {
    var session = try #require(try sessions.find(session.token))
    return try sessions.identify(&session, handset: handset, bearer: bearer)
  }

  func finish(_ session: SilentSession, grant: String?) throws -> SilentVerdict {
    var session = try #require(try sessions.find(session.token))
    return try sessions.finish(&session, grant: grant)
  }

  @Test("a token is s_ with 128 bits in base32, finds its session, and is part of the return URL")
  func token() throws {
    let session = try mint()

    #expect(session.token.wholeMatch(of: /s_[a-z2-7]{26}/) != nil)
    #expect(session.draft.returnURL == "http://127.0.0.1:5550/back/\(session.token)/done")
    #expect(try sessions.find(session.token) == session)
  }

  @Test("a session without a claim takes the handset's number, and its outcome")
  func noClaim() throws {
    func find(_ handset: String?) throws -> (SilentVerdict, PhoneNumber?) {
      var session = try sessions.create(
        SilentSession.Draft(
          provider: "acme", lifetime: .seconds(120), singleUse: false,
          returnURL: "http://127.0.0.1:5550/back/{token}"))
      #expect(session.draft.verification == session.ordinal)
      #expect(session.number == nil)
      let found = try sessions.identify(&session, handset: handset.flatMap { PhoneNumber($0) })
      let grant: String? = if case .granted(let grant) = found { grant } else { nil }
      var same = try #require(try sessions.find(session.token))
      return (try sessions.finish(&same, grant: grant), same.number)
    }

    #expect(try find("+12025550104") == (.matched, other))
    #expect(try find(nil) == (.notMobile, nil))
    #expect(try find("+12025550140") == (.mismatched, PhoneNumber("+12025550140")))
    #expect(try find("+12025550145").0 == .noCoverage)
    #expect(try world.sandbox.messages.activePhoneCount(amongNewest: 10) == 3)
  }

  @Test("two sessions have very different tokens")
  func tokensDiffer() throws {
    let pairs = zip(try mint().token.dropFirst(2), try mint().token.dropFirst(2))

    #expect(pairs.filter { $0 == $1 }.count < 13)
  }

  @Test(
    "an unknown token finds no session",
    arguments: [
      "", "s_", "s_aaaaaaaaaaaaaaaaaaaaaaaaaa", "s_AAAAAAAAAAAAAAAAAAAAAAAAAA",
      "x_aaaaaaaaaaaaaaaaaaaaaaaaaa",
      "s_7777777777777777777777777z", "s_aaaaaaaaaaaaaaaaaaaaaaaaa1", "s_ååååååååååååå",
    ])
  func unknownToken(token: String) throws {
    _ = try mint()

    #expect(try sessions.find(token) == nil)
  }

  @Test("the claimed number on mobile data matches")
  func match() throws {
    let session = try mint()

    let grant = try #require(try identify(session, as: claimed).grant)
    let verdict = try finish(session, grant: grant)

    #expect(verdict == .matched)
    #expect(
      try world.sandbox.story == [
        "10:20:30.000 silent.opened +12025550100", "10:20:30.000 silent.matched +12025550100",
      ])
  }

  @Test("another handset gets a grant that tells the provider of a mismatch")
  func mismatch() throws {
    let session = try mint()

    let grant = try identify(session, as: other).grant

    #expect(grant != nil)
    #expect(try finish(session, grant: grant) == .mismatched)
  }

  @Test("connections other than mobile data prove nothing", arguments: [Bearer.wifi, .vpn, .tether])
  func bearer(bearer: Bearer) throws {
    let session = try mint()

    #expect(try identify(session, as: claimed, over: bearer).refusal == .notMobile)
    #expect(try finish(session, grant: nil) == .notMobile)
  }

  @Test("an unidentified handset is the claimed one in magic mode, and unknown in strict mode")
  func modes() throws {
    let magic = try identify(mint())
    try world.sandbox.gateway.set(.strict)
    let strict = try identify(mint())

    #expect(magic.grant != nil)
    #expect(strict.refusal == .notMobile)
  }

  @Test(
    "a draft's outcome overrides everything",
    arguments: [
      (SilentOutcome.mismatch, SilentVerdict.mismatched), (.notMobile, .notMobile),
      (.noCoverage, .noCoverage),
      (.carrierError, .carrierError), (.timeout, .carrierError), (.userDenied, .denied),
      (.expired, .expired),
    ])
  func forced(outcome: SilentOutcome, verdict: SilentVerdict) throws {
    let session = try mint(outcome: outcome)

    let grant = try identify(session, as: claimed).grant

    #expect(try finish(session, grant: grant) == verdict)
  }

  @Test("a session that ends while the gateway works is over for good")
  func expiresHalfWay() throws {
    let session = try mint(outcome: .expired)

    #expect(try identify(session, as: claimed) == .over)
    #expect(try identify(session, as: claimed) == .over)
    let ended = try #require(try sessions.find(session.token))
    #expect(ended.status(at: world.sandbox.clock.now) == .expired && ended.finding == nil)
  }

  @Test("a failing gateway fails for every handset")
  func broken() throws {
    let session = try mint(outcome: .garbage)

    #expect(try identify(session, as: other, over: .wifi).refusal == .garbage)
  }

  @Test("a grant is valid for its own session only")
  func foreignGrant() throws {
    let (one, two) = (try mint(), try mint())
    let grant = try #require(try identify(one).grant)
    _ = try identify(two)

    #expect(try finish(two, grant: grant) == .unknown)
    #expect(try finish(two, grant: nil) == .unknown)
    #expect(try finish(one, grant: grant) == .matched)
  }

  @Test("there is no verdict before the gateway was asked")
  func tooEarly() throws {
    let session = try mint()

    #expect(try finish(session, grant: nil) == .unknown)
    #expect(try sessions.find(session.token)?.verdict == nil)
  }

  @Test("each hop of a live session can be repeated, with the same grant and verdict")
  func idempotent() throws {
    let session = try mint()
    let first = try #require(try identify(session).grant)
    let verdicts = [
      try finish(session, grant: first), try finish(session, grant: first),
    ]

    #expect(verdicts == [.matched, .matched])
    #expect(try identify(session).grant == first)
    #expect(try identify(session, as: other).grant == first, "a match stays one")
    #expect(try world.sandbox.story.count == 2)
  }

  @Test("a failed handset may try again, and its old grant is invalid")
  func anotherTry() throws {
    let session = try mint()
    let old = try identify(session, as: other).grant
    _ = try finish(session, grant: old)
    let new = try identify(session, as: claimed).grant

    #expect(new != old)
    #expect(try finish(session, grant: old) == .unknown)
    #expect(try finish(session, grant: new) == .matched)
  }

  @Test("a single-use session ends with its first verdict, whatever that is")
  func singleUse() throws {
    let session = try mint(singleUse: true)
    let grant = try identify(session, as: other).grant
    _ = try finish(session, grant: grant)

    #expect(try finish(session, grant: grant) == .used)
    #expect(try identify(session, as: claimed) == .over)
    let again = try #require(try sessions.find(session.token))
    #expect(again.status(at: world.sandbox.clock.now) == .used)
    #expect(again.verdict == .mismatched)
  }

  @Test("a session expires on the sandbox's clock, to the millisecond")
  func expiry() throws {
    let session = try mint()
    let grant = try identify(session).grant
    try world.sandbox.advance(by: .milliseconds(119_999))
    #expect(try finish(session, grant: grant) == .matched)

    try world.sandbox.advance(by: .milliseconds(1))

    #expect(try finish(session, grant: grant) == .expired)
    #expect(try identify(session) == .over)
  }

  @Test("a session survives a restart of the process")
  func restart() throws {
    let directory = try TemporaryDirectory()
    let token: String
    let grant: String?
    do {
      let first = try World(directory.database)
      var session = try first.sandbox.silentSessions.create(mint().draft)
      token = session.token
      grant = try first.sandbox.silentSessions.identify(&session, handset: other).grant
      try first.sandbox.gateway.set(.strict)
      try first.sandboxes.commit()
      first.close()
    }
    let second = try World(directory.database)
    var session = try #require(try second.sandbox.silentSessions.find(token))

    #expect(try second.sandbox.gateway.settings.mode == .strict)
    #expect(try second.sandbox.silentSessions.finish(&session, grant: grant) == .mismatched)
  }

  @Test("the sessions of a verification are listed, oldest first")
  func ofVerification() throws {
    let tokens = [try mint().token, try mint().token]

    #expect(try sessions.all(of: 7).map(\.token) == tokens)
    #expect(try sessions.all(of: 8).isEmpty)
  }

  @Test("old sessions are deleted; live ones are kept")
  func history() throws {
    let world = try World(retention: .short)
    let sessions = world.sandbox.silentSessions
    let old = try sessions.create(mint().draft)
    try world.start()
    try world.sandbox.advance(by: .seconds(3 * 3600 - 60))
    let young = try sessions.create(mint().draft)
    try world.sandbox.advance(by: .seconds(60))

    #expect(try sessions.find(old.token) == nil)
    #expect(try sessions.find(young.token) != nil)
  }

  @Test("a reset deletes sessions and the gateway's settings")
  func reset() throws {
    let session = try mint()
    try world.sandbox.gateway.set(.strict)

    let fresh = try world.sandboxes.reset(world.sandbox)

    #expect(try fresh.silentSessions.find(session.token) == nil)
    #expect(try fresh.gateway.settings == Gateway.Settings())
  }
}

@Suite("Gateway addresses", .contract("carrier.md 4.5"))
struct GatewayAddressTests {
  let world: World

  init() throws { world = try World() }

  func url(_ origin: String, in sandbox: Sandbox? = nil) throws -> Substring {
    let sandbox = sandbox ?? world.sandbox
    let session = try sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: "acme", number: #require(PhoneNumber("+12025550100")), verification: 1,
        lifetime: .seconds(120), singleUse: false, returnURL: "\(origin)/back/{token}"))
    return try sandbox.gateway.url(of: session).prefix { $0 != "?" }
  }

  @Test("without its own listener, the gateway has the provider's address")
  func noListener() throws {
    #expect(try url("https://127.0.0.1:5551") == "https://127.0.0.1:5551/carrier/v1/authorize")
  }

  @Test(
    "with its own listener, it is plain HTTP on the client's host",
    arguments: [
      ("http://127.0.0.1:5550", "http://127.0.0.1:5552"), ("https://sandbox:5551", "http://sandbox:5552"),
      ("http://[::1]:5550", "http://[::1]:5552"), ("http://sandbox", "http://sandbox:5552"),
    ])
  func listener(origin: String, base: String) throws {
    world.sandboxes.addresses.gatewayPort = 5552

    #expect(try url(origin) == "\(base)/carrier/v1/authorize")
  }

  @Test("the option tls keeps the chain on its first listener")
  func tls() throws {
    world.sandboxes.addresses.gatewayPort = 5552
    var settings = Gateway.Settings()
    settings.tls = true
    try world.sandbox.gateway.set(settings)

    #expect(try url("https://127.0.0.1:5551") == "https://127.0.0.1:5551/carrier/v1/authorize")
  }

  @Test("a public URL overrides all, and other sandboxes are part of the path")
  func publicURL() throws {
    world.sandboxes.addresses.gatewayPort = 5552
    world.sandboxes.addresses.publicURL = "https://sandbox.example"
    let other = try #require(try world.sandboxes.create("ci", Sandbox.Configuration()))

    #expect(try url("http://127.0.0.1:5550") == "https://sandbox.example/carrier/v1/authorize")
    #expect(
      try url("http://127.0.0.1:5550", in: other) == "https://sandbox.example/s/ci/carrier/v1/authorize")
  }

  @Test("the URL has the session, the state and the handset's query")
  func query() throws {
    let session = try world.sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: "acme", number: #require(PhoneNumber("+12025550100")), verification: 1,
        lifetime: .seconds(120), singleUse: false, returnURL: "http://a/{token}"))

    let url = try world.sandbox.gateway.url(of: session, query: "&sbx_handset=%2B12025550104")

    #expect(
      url.wholeMatch(
        of:
          /http:..a.carrier.v1.authorize\?session=s_[a-z2-7]{26}&state=[0-9a-f]{16}&sbx_handset=%2B12025550104/
      ) != nil)
  }
}

extension SilentIdentification {
  /// The grant, where there is one.
  fileprivate var grant: String? { if case .granted(let grant) = self { grant } else { nil } }

  /// The failure, if there was one.
  fileprivate var refusal: SilentOutcome? { if case .refused(let outcome) = self { outcome } else { nil } }
}

extension Gateway.Settings {
  fileprivate static var strict: Self {
    var settings = Self()
    settings.mode = .strict
    return settings
  }
}

extension Retention {
  /// An hour.
  fileprivate static var short: Retention {
    var history = Retention()
    history.maxAge = .seconds(3600)
    return history
  }
}
