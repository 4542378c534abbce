import Domain
import HTTP
import Support
import Testing

/// A world with one silent session, and requests of handsets to the gateway.
struct GatewayWorld {
  let world: TestSandbox
  let session: SilentSession

  /// A session of two minutes for a number.
  init(claiming number: String = "+12025550100", mode: Gateway.Settings.Mode = .magic) throws {
    world = try TestSandbox()
    session = try world.sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: "acme", number: #require(PhoneNumber(number)), verification: 1, lifetime: .seconds(120),
        singleUse: false, returnURL: "http://127.0.0.1:5550/acme/{token}/done"))
    try change { $0.mode = mode }
  }

  /// Lets the gateway behave otherwise.
  func change(_ change: (inout Gateway.Settings) -> Void) throws {
    var settings = try world.sandbox.gateway.settings
    change(&settings)
    try world.sandbox.gateway.set(settings)
  }

  /// The request of a handset that follows the session's URL.
  func request(_ query: String = "", headers: Headers = [:]) throws -> Request {
    let url = try world.sandbox.gateway.url(of: session, query: query)
    return .to(String(url.dropFirst("http://127.0.0.1:5550".count)), headers: headers)
  }

  /// The gateway's answer to it.
  func ask(_ query: String = "", headers: Headers = [:]) throws -> Exchange {
    try world.send(try request(query, headers: headers))
  }

  /// Where the gateway sends a handset: the query of the return address without the state, or status and
  /// body.
  func finding(_ query: String = "", headers: Headers = [:]) throws -> String {
    try finding(of: ask(query, headers: headers))
  }

  /// The same of an answer.
  func finding(of exchange: Exchange) -> String {
    guard let location = exchange.headers["Location"] else { return exchange.answer }
    let query = location.split(separator: "?").last ?? ""
    let words = query.split(separator: "&").filter { !$0.hasPrefix("state=") }
      .map { $0.hasPrefix("grant=") ? "grant" : $0 }
    return words.joined(separator: "&")
  }

  /// The verdict that the provider gets.
  func verdict(_ headers: Headers = [:], _ query: String = "") throws -> SilentVerdict {
    let location = try ask(query, headers: headers).headers["Location"] ?? ""
    let grant = location.split { $0 == "?" || $0 == "&" }.first { $0.hasPrefix("grant=") }
    return try finish(grant: grant.map { String($0.dropFirst("grant=".count)) })
  }

  /// The provider's verdict on a handset that comes back with a grant.
  func finish(grant: String?) throws -> SilentVerdict {
    var session = try #require(try world.sandbox.silentSessions.find(session.token))
    return try world.sandbox.silentSessions.finish(&session, grant: grant)
  }
}
