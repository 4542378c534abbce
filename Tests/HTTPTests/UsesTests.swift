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
    let outcome = Router([acme]).find(.get, "/v1/codes/7", host: "api.acme.example").outcome

    guard case .found(let route, let owner, let parameters) = outcome else {
      Issue.record("found no route")
      return
    }
    #expect([route.name, owner.name, parameters["id"]] == ["fetchCode", "acme", "7"])
  }

  @Test("a long answer is made in pieces")
  func pieces() throws {
    func reply() -> Reply {
      var lines = ["a", "b"][...]
      return .streamed(Response(200), BodyPieces { lines.popFirst().map { Array("\($0)\n".utf8) } })
    }

    guard case .streamed(_, let body) = reply() else {
      Issue.record("the answer is whole")
      return
    }
    #expect(try body.collect() == Array("a\nb\n".utf8))
  }
}
