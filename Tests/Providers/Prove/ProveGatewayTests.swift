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

    try ProveWorld().call(route.method, path, token: "").matches(golden: "unauthorized")
  }

  @Test("too many requests of a client in a second get 429", .contract("prove.md 3.2"))
  func rateLimit() throws {
    let prove = try ProveWorld()
    try prove.seed(#"{"settings":{"rateLimit":25}}"#)
    let token = try prove.token()

    for _ in 1...25 { _ = try prove.call(.get, "/v3/identity", token: token) }
    try prove.call(.get, "/v3/identity", token: token).matches(golden: "too-many-requests")
  }

  @Test("what a client enrolled and linked is exported, and loaded again")
  func seeds() throws {
    let prove = try ProveWorld()
    try prove.seed(#"{"clients":[{"clientId":"other","clientSecret":"s"}]}"#)
    let other = try prove.fields(of: prove.ask(id: "other", secret: "s")).string("access_token")
    let pcid = try prove.fields(of: prove.call(.get, "/v3/domain/id", token: other)).string("pcid")
    _ = try prove.call(
      .post, "/v3/identity",
      #"{"phoneNumber":"2001004031","identityAttributes":[{"attributeType":"a","attributeValue":"b"}]}"#)
    _ = try prove.call(.post, "/v3/domain/link", #"{"pcid":"\#(pcid)","scopes":["s"]}"#)
    let exported = try ProveProvider.seed.export(from: prove.sandbox)

    let copy = try ProveWorld()
    try copy.sandbox.atomically { try ProveProvider.loadAll(of: Fields(exported), into: copy.sandbox) }
    #expect(try ProveProvider.seed.export(from: copy.sandbox) == exported)
    #expect(
      try copy.call(.get, "/v3/domain/linked").answer == prove.call(.get, "/v3/domain/linked").answer)
  }
}
