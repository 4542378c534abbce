import Crypto
import Domain
import HTTP
import JSON
import ProviderKit
import Support

@testable import CAMARA

/// A sandbox whose back end is the client of `Seed.json`, which signs with the key `keys.accounts`.
struct CAMARAWorld {
  let world: TestSandbox
  var sandbox: Sandbox { world.sandbox }
  let clientID: String

  static let (a, b) = ("+12025550100", "+12025550101")

  init(seed: String = "", isOpen: Bool = false) throws {
    world = try TestSandbox(of: CAMARAProvider.self) { $0.acceptsUnknownAccounts = isOpen }
    clientID = "sandbox-app"
    if !seed.isEmpty { try load(seed) }
  }

  /// The same sandbox with another client.
  init(of world: TestSandbox, clientID: String) { (self.world, self.clientID) = (world, clientID) }

  /// Loads the member `camara` of a seed.
  func load(_ seed: String) throws {
    let exchange = try world.send(.json(.post, "/control/seed", #"{"camara":\#(seed)}"#))
    guard exchange.answer.hasPrefix("200") else { throw Refusal(answer: exchange.answer) }
  }

  struct Refusal: Error { let answer: String }

  /// Changes the record of a number.
  func subscriber(_ number: String, _ record: String) throws {
    let exchange = try world.send(.json(.put, "/control/subscribers/\(number)", record))
    guard exchange.answer.hasPrefix("200") else { throw Refusal(answer: exchange.answer) }
  }

  /// Posts a form to the authorization server.
  func post(
    _ path: String, _ fields: [(String, String?)], headers: Headers = [:], under base: String = "/camara"
  ) throws -> Exchange {
    let form = fields.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
    var all: Headers = ["Host": "127.0.0.1:5550", "Content-Type": "application/x-www-form-urlencoded"]
    all.append(headers)
    return try world.send(
      Request(.post, Target(base + path), headers: all, body: Array(form.joined(separator: "&").utf8)))
  }

  /// A token without a subscriber.
  func token(_ scope: String) throws -> String {
    try fields(
      of: post(
        "/oauth2/token",
        [
          ("grant_type", "client_credentials"), ("scope", scope), ("client_id", clientID),
          ("client_secret", "sandbox-app-secret"),
        ])
    ).string("access_token")
  }

  /// Posts JSON to an API.
  func call(
    _ path: String, _ body: String, token: String?, headers: Headers = [:], method: HTTP.Method = .post
  ) throws -> Exchange {
    var all: Headers = ["Host": "127.0.0.1:5550"]
    if !body.isEmpty, headers.bytes(of: "Content-Type") == nil { all.add("Content-Type", "application/json") }
    if let token { all.add("Authorization", "Bearer \(token)") }
    all.append(headers)
    return try world.send(Request(method, Target(path), headers: all, body: Array(body.utf8)))
  }

  /// The members of an answer.
  func fields(of exchange: Exchange) throws -> Fields {
    guard exchange.answer.count > 4, let fields = try? Fields(Array(exchange.answer.dropFirst(4).utf8)) else {
      throw Refusal(answer: exchange.answer)
    }
    return fields
  }

  /// Status and code of an error of an API.
  func error(_ exchange: Exchange) throws -> String {
    let fields = try fields(of: exchange)
    return "\(try fields.int("status")) \(try fields.string("code"))"
  }

  /// Status and code of an error of the authorization server.
  func oauthError(_ exchange: Exchange) throws -> String {
    "\(exchange.answer.prefix(3)) \(try fields(of: exchange).string("error"))"
  }
}
