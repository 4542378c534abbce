import HTTP
import Prelude
import Support
import Testing

@Suite("Prelude · unknown and unsupported operations", .contract("prelude.md 11"))
struct PreludeAbsentTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  static let absent = ((try? TestSandbox(of: PreludeProvider.self))?.routes ?? []).filter {
    $0.owner == "prelude" && !$0.isMounted
  }

  @Test("an operation that is not emulated answers not_found, and the journal says so", arguments: absent)
  func notEmulated(route: RouteEntry) throws {
    let path = route.path.replacing(#/\{[a-z]+\}/#, with: "x1")
    let method = try #require(HTTP.Method.allCases.first { $0.rawValue == route.method })

    let exchange = try prelude.send(method, path)

    exchange.matches(golden: "not-emulated")
    #expect(exchange.route == route.name)
    #expect(try exchange.preludeError() == "404 not_found")
    #expect(exchange.why == "not emulated: prelude has this operation, the sandbox has not")
  }

  @Test(
    "an unknown path under the provider's prefix or host is not_found, with the nearest routes in the journal"
  )
  func unknownPath() throws {
    let exchange = try prelude.world.send(
      Request(.get, Target("/v2/verifications"), headers: ["Host": "api.prelude.dev"]))
    let prefixed = try prelude.get("/prelude/v2/verification/phone/histories")

    exchange.matches(golden: "unknown-path")
    #expect(try exchange.preludeError() == "404 not_found")
    #expect(try prefixed.preludeError() == "404 not_found")
    #expect(prefixed.nearest.first == "GET /v2/verification/phone/history")
  }

  @Test(
    "a wrong method is 405 with the allowed methods", arguments: [HTTP.Method.get, .put, .patch, .delete])
  func wrongMethod(method: HTTP.Method) throws {
    let exchange = try prelude.send(method, PreludeWorld.check)

    if method == .put { exchange.matches(golden: "wrong-method") }
    #expect(try exchange.preludeError() == "405 method_not_allowed")
    #expect(exchange.headers["Allow"] == "POST")
  }

  @Test("every response is marked as the sandbox's and has a request id in body and header")
  func everyAnswer() throws {
    let exchange = try prelude.get("/prelude/v2/nothing")

    #expect(exchange.headers["X-Sandbox-Provider"] == "prelude")
    #expect(try exchange.decode(PreludeError.self).requestID == exchange.headers["X-Request-Id"])
  }

  @Test(
    "an injected fault is the provider's error of its code, or the general error of its status",
    arguments: [
      (#""code":"insufficient_balance""#, "400 insufficient_balance"), (#""status":500"#, "500 internal"),
      (#""status":503"#, "503 internal"), (#""status":429"#, "429 too_many_attempts"),
      (#""status":401"#, "401 invalid_api_key"), (#""code":"blocked","status":418"#, "418 blocked"),
    ])
  func fault(rule: String, error: String) throws {
    try prelude.seed(#"{"faults":[{"provider":"prelude",\#(rule)}]}"#)

    let exchange = try prelude.post(PreludeWorld.verification, "{}")

    #expect(try exchange.preludeError() == error)
  }
}
