import HTTP
import Support
import Testing
import Twilio

@Suite("Twilio · operations that are not emulated", .contract("twilio-verify.md 2.5, 13.1"))
struct NotEmulatedTests {
  static let absent = ((try? TestSandbox(of: TwilioProvider.self))?.routes ?? []).filter {
    $0.owner == "twilio" && !$0.isMounted
  }

  @Test("an operation that is not emulated answers 20404, and the journal says why", arguments: absent)
  func notEmulated(route: RouteEntry) throws {
    let path = route.path.replacing(#/\{[a-z]+\}/#, with: "x1")
    let method = try #require(HTTP.Method.allCases.first { $0.rawValue == route.method })

    let exchange = try TwilioWorld().send(.to(path, method, headers: TwilioWorld.credentials))

    exchange.matches(golden: "not-emulated")
    #expect(exchange.route == route.name)
    #expect(exchange.answer == notFound(path))
    #expect(exchange.why == "not emulated: twilio has this operation, the sandbox does not")
  }
}
