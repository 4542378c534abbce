import Domain
import HTTP
import JSON
import Support
import Testing

/// The other behaviours are in `Checks/Legacy.http`.
@Suite("Vonage · Verify legacy", .contract("vonage-verify.md 9"))
struct VonageLegacyTests {
  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  @Test(
    "an outage has an HTTP status too",
    arguments: [
      (HTTP.Method.post, "/vonage/verify/json"), (.post, "/vonage/verify/psd2/json"),
      (.get, "/vonage/verify/json"), (.get, "/vonage/verify/psd2/json"), (.get, "/vonage/verify/check/json"),
      (.post, "/vonage/verify/check/json"), (.get, "/vonage/verify/search/json"),
      (.post, "/vonage/verify/search/json"), (.get, "/vonage/verify/control/json"),
      (.post, "/vonage/verify/control/json"), (.get, "/ni/basic/json"), (.post, "/ni/basic/json"),
      (.get, "/ni/standard/json"), (.post, "/ni/standard/json"), (.get, "/ni/advanced/json"),
      (.post, "/ni/advanced/json"), (.get, "/ni/advanced/async/json"), (.post, "/ni/advanced/async/json"),
    ])
  func outage(method: HTTP.Method, path: String) throws {
    try vonage.seed(#"{"faults":[{"provider":"vonage","status":503}]}"#)

    let exchange = try vonage.send(method, path, as: VonageWorld.basic)

    exchange.matches(golden: "outage")
    #expect(exchange.answer.hasPrefix("503") && exchange.answer.contains(#""status":"#))
  }

  @Test("paths of Verify legacy belong to the provider's hosts and prefix only")
  func hostBound() throws {
    let foreign = try vonage.world.send(.to("/verify/json", .post, headers: VonageWorld.basic))
    var headers: Headers = ["Host": "api.nexmo.com"]
    headers.append(VonageWorld.basic)
    let own = try vonage.world.send(
      Request(.post, Target("/verify/json?number=12025550150&brand=Acme"), headers: headers))

    #expect(foreign.answer.hasPrefix("404"))
    #expect(own.answer.contains(#""status":"0""#))
  }
}
