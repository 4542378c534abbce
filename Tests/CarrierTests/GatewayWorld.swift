import Domain
import HTTP
import Numbers
import Silent
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
    var settings = Gateway.Settings()
    settings.mode = mode
    try world.sandbox.gateway.set(settings)
  }

  /// The request of a handset that follows the session's URL.
  func request(headers: Headers = [:]) throws -> Request {
    let url = try world.sandbox.gateway.url(of: session)
    return .to(String(url.dropFirst("http://127.0.0.1:5550".count)), headers: headers)
  }

  /// The gateway's answer to it.
  func ask(headers: Headers = [:]) throws -> Exchange {
    try world.send(try request(headers: headers))
  }

  /// Where the gateway sends a handset: the query of the return address without the state, or status and
  /// body.
  func finding(of exchange: Exchange) -> String {
    guard let location = exchange.headers["Location"] else { return exchange.answer }
    let query = location.split(separator: "?").last ?? ""
    let words = query.split(separator: "&").filter { !$0.hasPrefix("state=") }
      .map { $0.hasPrefix("grant=") ? "grant" : $0 }
    return words.joined(separator: "&")
  }

  /// The verdict that the provider gets on the claimed handset.
  func verdict() throws -> SilentVerdict {
    let location = try ask(headers: ["X-Sandbox-Handset": "+12025550100"]).headers["Location"] ?? ""
    let grant = location.split { $0 == "?" || $0 == "&" }.first { $0.hasPrefix("grant=") }
    var session = try #require(try world.sandbox.silentSessions.find(session.token))
    return try world.sandbox.silentSessions.finish(
      &session, grant: grant.map { String($0.dropFirst("grant=".count)) })
  }
}
