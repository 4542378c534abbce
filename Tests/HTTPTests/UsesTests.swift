import HTTP
import Testing

/// The code in doc comments of HTTP.
@Suite("HTTP · uses")
struct UsesTests {
  @Test("a router finds a route, its owner and the captures")
  func router() throws {
    typealias Sandbox = String

    let fetch = Route<Sandbox>.get("/v1/codes/{id}", as: "fetchCode") { request, sandbox in
      .text(200, "\(request[parameter: "id"]) of \(sandbox)")
    }
    let acme = RouteOwner(name: "acme", routes: [fetch]) { failure, _, _ in .text(404, "\(failure)") }
    let outcome = Router([acme]).match(.get, path: "/v1/codes/7", host: "api.acme.example")

    guard case .found(let route, let owner, let parameters) = outcome else {
      Issue.record("found no route")
      return
    }
    #expect([route.name, owner.name, parameters["id"]] == ["fetchCode", "acme", "7"])
  }
}
