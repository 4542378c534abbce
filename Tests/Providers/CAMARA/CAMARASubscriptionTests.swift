import Domain
import HTTP
import JSON
import Support
import Testing

@testable import CAMARA

@Suite("CAMARA · subscriptions", .contract("camara.md 11"))
struct CAMARASubscriptionTests {
  let camara: CAMARAWorld

  init() throws { camara = try CAMARAWorld() }

  private static let swaps = "/sim-swap-subscriptions/v0.3/subscriptions"
  private static let roaming = "/device-roaming-status-subscriptions/v0.8/subscriptions"
  private static let reachability = "/device-reachability-status-subscriptions/v0.8/subscriptions"

  private static func type(_ path: String, _ event: String) -> String {
    "org.camaraproject.\(path.split(separator: "/")[0]).v0.\(event)"
  }

  private static let credential =
    #""sinkCredential":{"credentialType":"ACCESSTOKEN","accessToken":"receiver-token","#
    + #""accessTokenExpiresUtc":"2026-02-01T00:00:00Z","accessTokenType":"bearer"}"#

  /// A body; `detail` names the line.
  private func body(
    _ path: String, _ event: String, _ detail: String, config: String = "", _ more: String = ""
  ) -> String {
    #"{"protocol":"HTTP","sink":"https://app.example.com/hook","types":["\#(Self.type(path, event))"],"#
      + #""config":{"subscriptionDetail":{\#(detail)}\#(config)}\#(more.isEmpty ? "" : ",")\#(more)}"#
  }

  private func swapBody(_ config: String = "", _ more: String = "") -> String {
    body(Self.swaps, "swapped", #""phoneNumber":"\#(CAMARAWorld.a)""#, config: config, more)
  }

  private func create(
    _ path: String, _ event: String, _ config: String = "", as number: String? = nil
  ) throws -> Exchange {
    let device = #""device":{"phoneNumber":"\#(CAMARAWorld.a)"}"#
    return try camara.ask(path, body(path, event, number == nil ? device : "", config: config), as: number)
  }

  private func id(_ exchange: Exchange) throws -> String { try camara.fields(of: exchange).string("id") }

  /// Type and data of each notification, without the name of the API.
  private func notifications() throws -> [String] {
    try camara.world.receiver.deliveries.map { delivery in
      let event = try Fields(delivery.request.body)
      let type = try event.string("type").split(separator: ".").last ?? ""
      let data = try event.object("data")
      let members = try data.names.filter { $0 != "subscriptionId" }.map { name in
        "\(name)=\(String(decoding: try data.json(name).encoded(), as: UTF8.self))"
      }
      return ([String(type)] + members).joined(separator: " ")
    }
  }

  @Test("M52: the last notification ends the subscription")
  func maxEvents() throws {
    let created = try camara.ask(Self.swaps, swapBody(#","subscriptionMaxEvents":1"#, Self.credential))
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)

    created.matches(golden: "created")
    #expect(
      try notifications() == [
        #"swapped phoneNumber="+12025550100""#, #"subscription-ended terminationReason="MAX_EVENTS_REACHED""#,
      ])
    let delivery = try #require(camara.world.receiver.deliveries.first)
    #expect(delivery["Content-Type"] == "application/cloudevents+json")
    #expect(delivery["Authorization"] == "Bearer receiver-token" && delivery["x-correlator"] != nil)
    let event = try JSON(parsing: delivery.request.body)
    #expect(
      OpenAPIDocument.camara.disagreements(of: event, withSchema: "sim-swap-subscriptions.EventSimSwap") == []
    )
    let fields = try Fields(delivery.request.body)
    #expect(try fields.string("source") == "http://127.0.0.1:5550/sim-swap-subscriptions/v0.3")
    #expect(try fields.string("time") == "2026-01-05T10:20:30.000Z")
    #expect(try fields.object("data").string("subscriptionId") == id(created))
    #expect(
      try camara.ask("\(Self.swaps)/\(id(created))", method: .get).answer.contains(#""status":"EXPIRED""#))
  }

  @Test("M53: two types, and one that is unknown")
  func refused() throws {
    let good = body(Self.roaming, "roaming-on", #""device":{"phoneNumber":"\#(CAMARAWorld.a)"}"#)
    let type = #""\#(Self.type(Self.roaming, "roaming-on"))""#
    _ = try camara.ask(Self.roaming, good.replacing("https://app.example.com/hook", with: "nowhere"))

    try camara.ask(Self.roaming, good.replacing(type, with: "\(type),\(type)")).matches(golden: "two-types")
    _ = try camara.call(Self.roaming, good, token: camara.token(scopes: ["openid"]))
    try create(Self.reachability, "reachability-on").matches(golden: "unknown-type")
  }

  @Test("M54: answers to the token of a subscriber name no line, and no answer has the credential")
  func answers() throws {
    let own = try camara.ask(Self.swaps, body(Self.swaps, "swapped", ""), as: CAMARAWorld.a)
    _ = try camara.ask(Self.swaps, swapBody().replacing("0100", with: "0101"))
    let named = try camara.ask(Self.swaps, swapBody("", Self.credential))
    let foreign = try camara.ask(Self.swaps, swapBody(), of: "other-app")

    try camara.ask(Self.swaps, as: CAMARAWorld.a, method: .get).matches(golden: "own")
    try camara.ask(Self.swaps, method: .get).matches(golden: "all")
    try camara.ask("\(Self.swaps)/\(id(own))", as: CAMARAWorld.a, method: .get).matches(golden: "own")
    try camara.ask("\(Self.swaps)/\(id(foreign))", method: .get).matches(golden: "foreign")
    #expect(!own.answer.contains(CAMARAWorld.a) && !named.answer.contains("receiver-token"))
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)
    #expect(try notifications().first == "swapped")
  }

  @Test("M55: a deleted subscription and one whose time is over say so once")
  func ends() throws {
    let expire = #","subscriptionExpireTime":"2026-01-05T10:30:00Z""#
    let deleted = try camara.ask(Self.swaps, swapBody(expire))
    let path = try "\(Self.swaps)/\(id(deleted))"
    let gone = try camara.ask(path, method: .delete)
    let again = try camara.ask(path, method: .delete)
    _ = try camara.ask(Self.swaps, swapBody(expire, Self.credential))
    try camara.advance(600)
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)
    _ = try camara.ask(Self.swaps, swapBody("", Self.credential))
    try camara.advance(40 * 86_400)

    gone.matches(golden: "deleted")
    again.matches(golden: "unknown")
    #expect(
      try notifications() == [
        #"subscription-ended terminationReason="SUBSCRIPTION_DELETED""#,
        #"subscription-ended terminationReason="SUBSCRIPTION_EXPIRED""#,
        #"subscription-ended terminationReason="ACCESS_TOKEN_EXPIRED""#,
      ])
    let last = try Fields(#require(camara.world.receiver.deliveries.last).request.body)
    #expect(try last.string("time") == "2026-01-31T23:59:00.000Z")
  }

  @Test("M56: the initial event is sent at once, and counts")
  func initialEvent() throws {
    try camara.subscriber(CAMARAWorld.a, #"{"roaming":{"on":true,"mcc":"262","countries":["DE"]}}"#)
    let config = #","initialEvent":true,"subscriptionMaxEvents":1"#
    let created = try create(Self.roaming, "roaming-on", config)
    _ = try create(Self.roaming, "roaming-off", config)

    created.matches(golden: "created")
    #expect(
      try notifications() == [
        #"roaming-on device={"phoneNumber":"+12025550100"}"#,
        #"subscription-ended device={"phoneNumber":"+12025550100"} terminationReason="MAX_EVENTS_REACHED""#,
      ])
  }

  @Test("roaming is reported by its kinds")
  func roamingEvents() throws {
    for event in ["roaming-status", "roaming-on", "roaming-off", "roaming-change-country"] {
      _ = try create(Self.roaming, event, as: CAMARAWorld.a)
    }
    try camara.event(CAMARAWorld.a, #""event":"roam","roaming":{"mcc":"262","countries":["DE"]}"#)
    try camara.event(CAMARAWorld.a, #""event":"roam","roaming":{"mcc":"208","countries":["FR"]}"#)
    try camara.event(CAMARAWorld.a, #""event":"roam","roaming":{"on":false}"#)

    #expect(
      try notifications() == [
        #"roaming-status roaming=true countryCode=262 countryName=["DE"]"#, "roaming-on",
        #"roaming-change-country countryCode=208 countryName=["FR"]"#, "roaming-status roaming=false",
        "roaming-off",
      ])
    let schema = "device-roaming-status-subscriptions.EventRoamingStatus"
    let first = try JSON(parsing: #require(camara.world.receiver.deliveries.first).request.body)
    #expect(OpenAPIDocument.camara.disagreements(of: first, withSchema: schema) == [])
  }

  @Test("reachability is reported by its kinds, also after a change of the record")
  func reachabilityEvents() throws {
    for event in ["reachability-data", "reachability-disconnected"] {
      _ = try create(Self.reachability, event)
    }
    try create(Self.reachability, "reachability-sms").matches(golden: "created")
    camara.world.receiver.clear()
    try camara.event(CAMARAWorld.a, #""event":"detach""#)
    try camara.event(CAMARAWorld.a, #""event":"attach""#)
    try camara.subscriber(CAMARAWorld.a, #"{"reach":{"data":false}}"#)

    let device = #" device={"phoneNumber":"+12025550100"}"#
    #expect(
      try notifications() == [
        "reachability-disconnected\(device)", "reachability-data\(device)", "reachability-sms\(device)",
      ])
  }

  @Test(
    "lists, single subscriptions and deletions are the same in every API", arguments: [roaming, reachability])
  func otherAPIs(path: String) throws {
    let event = path == Self.roaming ? "roaming-on" : "reachability-sms"
    let created = try create(
      path, event, #","subscriptionExpireTime":"2027-01-05T10:30:00+01:00","initialEvent":false"#)
    let one = try "\(path)/\(id(created))"

    let list = try camara.ask(path, method: .get)
    let fetched = try camara.ask(one, method: .get)
    let missing = try camara.ask("\(path)/none", method: .get)
    let deleted = try camara.ask(one, method: .delete)
    let again = try camara.ask(one, method: .delete)

    list.matches(golden: "one")
    fetched.matches(golden: "one")
    missing.matches(golden: "unknown")
    deleted.matches(golden: "deleted")
    again.matches(golden: "unknown")
    #expect(list.answer == "200 [\(created.answer.dropFirst(4))]")
    #expect(fetched.answer.dropFirst(4) == created.answer.dropFirst(4))
    #expect(
      fetched.answer.contains(#""subscriptionExpireTime":"2027-01-05T10:30:00+01:00","initialEvent":false"#))
    #expect(fetched.answer.contains(#""expiresAt":"2027-01-05T09:30:00.000Z""#))
    #expect(try camara.error(missing) == "404 NOT_FOUND" && deleted.answer == "204")
    #expect(try camara.ask(path, method: .get).answer == "200 []")
  }

  @Test("the same subscription again is a conflict")
  func again() throws {
    _ = try camara.ask(Self.swaps, swapBody())
    let again = try camara.ask(Self.swaps, swapBody(#","subscriptionMaxEvents":1"#))
    _ = try camara.ask(Self.swaps, swapBody().replacing("/hook", with: "/other"))
    _ = try camara.ask(Self.swaps, swapBody(), of: "other-app")
    _ = try camara.ask(Self.swaps, body(Self.swaps, "swapped", ""), as: CAMARAWorld.a)
    _ = try create(Self.roaming, "roaming-on")
    let roaming = try create(Self.roaming, "roaming-on")
    _ = try create(Self.reachability, "reachability-sms")
    let reachability = try create(Self.reachability, "reachability-sms")

    again.matches(golden: "again")
    roaming.matches(golden: "again")
    reachability.matches(golden: "again")
  }

  @Test(
    "46 C5: a receiver that refuses its token or is gone ends the subscription, and gets nothing twice",
    arguments: [(401, "ACCESS_TOKEN_EXPIRED"), (410, "NETWORK_TERMINATED")])
  func refusing(status: Int, reason: String) throws {
    let created = try camara.ask(Self.swaps, swapBody("", Self.credential))
    camara.world.receiver.answer = .answered(status: status, body: "")
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)
    try camara.advance(7200)
    try camara.event(CAMARAWorld.a, #""event":"simSwap""#)

    #expect(
      try notifications() == [
        #"swapped phoneNumber="+12025550100""#, #"subscription-ended terminationReason="\#(reason)""#,
      ])
    #expect(
      try camara.ask("\(Self.swaps)/\(id(created))", method: .get).answer.contains(#""status":"EXPIRED""#))
  }
}
