import Domain
import HTTP
import JSON
import Prove
import Support

/// A sandbox whose back end signs in with the client of `Seeds/default`.
struct ProveWorld {
  let world: TestSandbox
  var sandbox: Sandbox { world.sandbox }

  init(isOpen: Bool = false) throws {
    world = try TestSandbox(of: ProveProvider.self) { $0.acceptsUnknownAccounts = isOpen }
  }

  init(world: TestSandbox) { self.world = world }

  /// Asks for an access token as an SDK does: at the root of the origin.
  func ask(
    id: String = "sandbox-client", secret: String = "sandbox-secret", path: String = "/token"
  ) throws -> Exchange {
    let fields = [("client_id", id), ("client_secret", secret), ("grant_type", "client_credentials")]
    let form = fields.map { "\($0)=\(PercentCoding.encode($1))" }
    return try world.send(
      Request(
        .post, Target(path),
        headers: ["Host": "127.0.0.1:5550", "Content-Type": "application/x-www-form-urlencoded"],
        body: Array(form.joined(separator: "&").utf8)))
  }

  func token() throws -> String { try fields(of: ask()).string("access_token") }

  /// Calls the platform API with a new access token, or with another one.
  func call(_ method: HTTP.Method, _ path: String, _ body: String = "", token: String? = nil) throws
    -> Exchange
  {
    let signed = try token ?? self.token()
    var headers: Headers = ["Host": "127.0.0.1:5550"]
    if !signed.isEmpty { headers.add("Authorization", "Bearer \(signed)") }
    if !body.isEmpty { headers.add("Content-Type", "application/json") }
    return try world.send(Request(method, Target("/prove\(path)"), headers: headers, body: Array(body.utf8)))
  }

  /// The members of an answer.
  func fields(of exchange: Exchange) throws -> Fields {
    try Fields(JSON(parsing: Array(exchange.answer.dropFirst(4).utf8)))
  }
}
