import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · 46 C8: older versions", .contract("camara.md 1.1"))
struct CAMARAVersionTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private func call(
    _ path: String, _ body: String, as number: String? = nil, headers: Headers = [:]
  ) throws -> Exchange {
    try camara.call(path, body, token: camara.token(for: number), headers: headers)
  }

  private func error(_ path: String, _ body: String, as number: String? = nil) throws -> String {
    try camara.error(call(path, body, as: number))
  }

  @Test(
    "older subscriptions end with subscription-ends, and a sink that is none is an invalid argument",
    arguments: [
      ("sim-swap-subscriptions", "v0.2", "swapped", #""event":"simSwap""#),
      ("device-roaming-status-subscriptions", "v0.7", "roaming-on", #""event":"roam""#),
      ("device-reachability-status-subscriptions", "v0.7", "reachability-disconnected", #""event":"detach""#),
    ])
  func subscriptions(api: String, version: String, event: String, change: String) throws {
    let (path, type) = ("/\(api)/\(version)/subscriptions", "org.camaraproject.\(api).v0.\(event)")
    let body =
      #"{"protocol":"HTTP","sink":"https://app.example.com/hook","types":["\#(type)"],"#
      + #""config":{"subscriptionDetail":{},"subscriptionMaxEvents":1}}"#
    try camara.configure(#""subscriptionLifecycleEvents":"all""#)
    let badSink = try error(path, body.replacing("https://", with: "ftp://"), as: CAMARAWorld.a)
    let created = try call(path, body, as: CAMARAWorld.a)
    let id = try camara.fields(of: created).string("id")
    let token = try camara.token(for: CAMARAWorld.a)
    let fetched = try camara.call("\(path)/\(id)", "", token: token, method: .get)
    try camara.event(CAMARAWorld.a, change)

    #expect(badSink == "400 INVALID_ARGUMENT")
    #expect(created.answer.hasPrefix("201") && fetched.answer.dropFirst(3) == created.answer.dropFirst(3))
    let events = try camara.world.receiver.deliveries.map { try Fields($0.request.body) }
    #expect(
      try events.map { try $0.string("type") } == [type, "org.camaraproject.\(api).v0.subscription-ends"])
    #expect(try events.allSatisfy { try $0.string("source").hasSuffix("/\(api)/\(version)") })
    #expect(try events.first?.object("data").has("phoneNumber") == (event == "swapped"))
    #expect(try camara.call("\(path)/\(id)", "", token: token, method: .delete).answer == "204")
  }
}
