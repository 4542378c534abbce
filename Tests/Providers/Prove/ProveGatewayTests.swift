import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Prove

@Suite("Prove · every operation", .contract("prove.md 2.2"))
struct ProveGatewayTests {
  static var products: [Route<Sandbox>] {
    ProveProvider.preFillRoutes + ProveProvider.verifyRoutes + ProveProvider.attributeRoutes
      + ProveProvider.identityRoutes + ProveProvider.domainRoutes + ProveProvider.authRoutes
  }

  @Test("a call without a token is not authorized", arguments: products.map(\.name))
  func unauthorized(name: String) throws {
    let route = try #require(Self.products.first { $0.name == name })
    let path = route.pattern.description.replacing("{proveId}", with: "x").replacing(
      "{mobileNumber}", with: "x")
    let exchange = try ProveWorld().call(route.method, path, token: "")

    exchange.matches(golden: "unauthorized")
    #expect(exchange.answer == #"401 {"code":8002,"message":"not authorized"}"#)
  }

  @Test("too many requests of a client in a second get 429, until the next second", .contract("prove.md 3.2"))
  func rateLimit() throws {
    let prove = try ProveWorld()
    try prove.seed(#"{"settings":{"rateLimit":25}}"#)
    let token = try prove.token()
    func status() throws -> Exchange { try prove.call(.get, "/v3/identity", token: token) }

    for _ in 1...25 { #expect(try status().answer == #"200 {"results":[]}"#) }
    let refused = try status()
    refused.matches(golden: "too-many-requests")
    #expect(refused.headers["Retry-After"] == "1")
    try prove.addClient("other")
    #expect(try prove.call(.get, "/v3/identity", token: prove.token(of: "other")).answer.hasPrefix("200 "))
    try prove.advance(1)
    #expect(try status().answer.hasPrefix("200 "))
  }

  @Test(
    "wrong paths and methods are forbidden", .contract("prove.md 3.2"),
    arguments: [
      (HTTP.Method.get, "/v3/unify"), (.post, "/v3/token"), (.put, "/v3/identity"), (.get, "/v3/nothing"),
    ])
  func forbidden(method: HTTP.Method, path: String) throws {
    let prove = try ProveWorld()

    #expect(try prove.call(method, path).answer == #"403 {"message":"Forbidden"}"#)
    #expect(
      try prove.call(method, path, host: "platform.proveapis.com").answer == #"403 {"message":"Forbidden"}"#)
  }

  @Test("what a client enrolled and linked is exported, and loaded again")
  func seeds() throws {
    let prove = try ProveWorld()
    _ = try prove.enroll(
      #"{"phoneNumber":"2001004031","identityAttributes":[{"attributeType":"a","attributeValue":"b"}]}"#)
    try prove.addClient("other")
    _ = try prove.call(.post, "/v3/domain/link", #"{"pcid":"\#(prove.pcid(of: "other"))","scopes":["s"]}"#)
    let exported = try ProveProvider.seed.export(from: prove.sandbox)

    let copy = try ProveWorld()
    try copy.sandbox.atomically { try ProveProvider.loadAll(of: Fields(exported), into: copy.sandbox) }
    #expect(try ProveProvider.seed.export(from: copy.sandbox) == exported)
    #expect(
      try copy.call(.get, "/v3/domain/linked").answer == prove.call(.get, "/v3/domain/linked").answer)
  }
}
