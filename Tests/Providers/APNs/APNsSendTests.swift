import Domain
import HTTP
import Support
import Testing

@testable import APNs

@Suite("APNs · sending", .contract("push-gateway.md 2, 4 and 5"))
struct APNsSendTests {
  let apns: APNsWorld

  init() throws { apns = try APNsWorld() }

  @Test("a notification to a new token registers a device, and its push is listed in full")
  func sent() throws {
    // ECDSA signatures are random, so the golden has none: the sandbox is asked without one.
    let open = try APNsWorld(isOpen: true)
    try open.send(
      #"{"aps":{"alert":{"title":"T","body":"B"},"sound":"default"},"ref":"r-17","more":"{\"a\":1}"}"#,
      authorization:
        "bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNzY3NjA4NDMwfQ.AAAA"
    ).matches(golden: "sent")

    let device = try #require(try open.sandbox.devices.all.first)
    #expect(device.draft.apnsToken == APNsWorld.deviceToken && device.draft.platform == .ios)
    try open.world.send(.to("/control/pushes/latest")).matches(golden: "apns")
    #expect(try open.sandbox.messages.inbox(.init()).map(\.text) == ["T: B"])
  }

  @Test("a request without credentials is refused and listed as an attempt")
  func unauthenticated() throws {
    try apns.send(authorization: "").matches(golden: "no-token")

    #expect(try apns.sandbox.pushAttempts.page().map(\.code) == ["MissingProviderToken"])
    #expect(try apns.sandbox.messages.submitted(.init()).isEmpty)
  }

  @Test("the sandbox's own key signs valid tokens, and others are refused")
  func signatures() throws {
    #expect(try apns.send().answer == "200")
    let other = try #require(
      try APNsWorld(isOpen: true).sandbox.devices.register(
        .init(
          provider: "apns", holder: "a", app: "b")
      ).privateKey)
    for token in [
      try apns.providerToken(signedBy: other), try apns.providerToken(team: "ABCDEFGHIJ"),
      try apns.providerToken(keyID: "ABCDEFGHIJ"), "nonsense", "a.b.c",
    ] {
      #expect(
        try apns.send(authorization: "bearer \(token)").answer == #"403 {"reason":"InvalidProviderToken"}"#)
    }
  }

  @Test("a token is valid for an hour")
  func age() throws {
    let token = "bearer \(try apns.providerToken(age: 3600))"
    #expect(try apns.send(authorization: token).answer == "200")

    _ = try apns.world.send(.json(.post, "/control/clock", #"{"advance":"1s"}"#))

    #expect(try apns.send(authorization: token).answer == #"403 {"reason":"ExpiredProviderToken"}"#)
    _ = try apns.world.send(.json(.post, "/control/seed", #"{"apns":{"settings":{"checksTokenAge":false}}}"#))
    #expect(try apns.send(authorization: token).answer == "200")
  }

  @Test(
    "46 A1: iat may have a fraction, and be digits in a string",
    arguments: ["1767608430.75", "1.76760843e9", "1767608430.0", #""1767608430""#])
  func datesOfTokens(iat: String) throws {
    let token = try apns.providerToken(claims: #"{"iss":"RINGFENCE1","iat":\#(iat)}"#)

    #expect(try apns.send(authorization: "bearer \(token)").answer == "200")
  }

  @Test(
    "46 A1: the reason names what iat is instead of a date",
    arguments: [
      ("true", "found the boolean true"), (#""soon""#, #"found the string "soon""#),
      ("[1]", "found an array"),
      (#""1767608430.5""#, #"found the string "1767608430.5""#), ("-1", "found the number -1"),
      ("null", "missing"),
    ])
  func noDates(iat: String, found: String) throws {
    let token = try apns.providerToken(claims: #"{"iss":"RINGFENCE1","iat":\#(iat)}"#)

    let exchange = try apns.send(authorization: "bearer \(token)")

    #expect(exchange.answer == #"403 {"reason":"InvalidProviderToken"}"#)
    let why = try #require(exchange.why)
    #expect(why.hasPrefix("iat: ") && why.contains(found))
  }

  @Test("46 A2: a new token of a key less than 20 minutes after its last one is refused")
  func tokenUpdates() throws {
    func push(_ token: String, host: String = "api.push.apple.com") throws -> Exchange {
      try apns.send(authorization: "bearer \(token)", host: host)
    }
    let tooMany = #"429 {"reason":"TooManyProviderTokenUpdates"}"#
    let first = try apns.providerToken(age: 300)
    #expect(try push(first).answer == "200")

    let second = try push(apns.providerToken(age: 299))
    #expect(second.answer == tooMany)
    let why = try #require(second.why)
    #expect(why.contains("issued 1 s after the last one") && why.contains("signs a token for each push"))
    // The summary of `run` shows 240 characters of a reason.
    #expect(why.contains("limitsTokenUpdates") && why.count <= 240)
    #expect(try push(apns.providerToken(age: 298)).answer == tooMany)
    // Another of Apple's services.
    #expect(try push(apns.providerToken(age: 298), host: "api.sandbox.push.apple.com").answer == "200")

    let next = try apns.providerToken(age: 300 - 1200)
    #expect(try push(next).answer == "200")
    // A fleet's older token is no new one.
    #expect(try push(first).answer == "200")

    _ = try apns.world.send(.json(.post, "/control/clock", #"{"advance":"1199s"}"#))
    let later = try apns.providerToken(age: 300)
    #expect(try push(later).answer == tooMany)
    _ = try apns.world.send(.json(.post, "/control/clock", #"{"advance":"1s"}"#))
    #expect(try push(later).answer == "200")
  }

  @Test("46 A2: a setting allows a token for each push")
  func tokenUpdatesAllowed() throws {
    _ = try apns.world.send(
      .json(.post, "/control/seed", #"{"apns":{"settings":{"limitsTokenUpdates":false}}}"#))

    for age in 0...2 {
      #expect(try apns.send(authorization: "bearer \(apns.providerToken(age: age))").answer == "200")
    }
  }

  @Test(
    "a bad header has its reason",
    arguments: [
      (["apns-topic": ""], "MissingTopic"), (["apns-topic": "a b"], "BadTopic"),
      (["apns-topic": "com.other"], "DeviceTokenNotForTopic"), (["apns-id": "7"], "BadMessageId"),
      (["apns-priority": "7"], "BadPriority"), (["apns-expiration": "soon"], "BadExpirationDate"),
      (["apns-expiration": "-1"], "BadExpirationDate"), (["apns-push-type": "loud"], "InvalidPushType"),
      (["apns-push-type": "voip"], "BadTopic"), (["apns-topic": "com.example.app.voip"], "InvalidPushType"),
      (["apns-collapse-id": String(repeating: "a", count: 65)], "BadCollapseId"),
    ])
  func headers(headers: [String: String], reason: String) throws {
    try apns.device(#""apnsToken":"\#(APNsWorld.deviceToken)","pushToken":"sbx-p""#)

    #expect(try apns.send(headers: headers).answer == #"400 {"reason":"\#(reason)"}"#)
    #expect(try apns.sandbox.messages.submitted(.init()).isEmpty)
  }

  @Test(
    "a bad payload has its reason",
    arguments: ["", "{", "[]", "{}", "5", String(repeating: "[", count: 5000)])
  func payloads(body: String) throws {
    let reason =
      body.utf8.count > 4096 ? "413 {\"reason\":\"PayloadTooLarge\"}" : "400 {\"reason\":\"PayloadEmpty\"}"

    #expect(try apns.send(body).answer == reason)
  }

  @Test("the largest payloads: 4096 bytes, 5120 for voip")
  func sizes() throws {
    func payload(_ size: Int) -> String {
      #"{"aps":{"alert":""# + String(repeating: "a", count: size - 20) + #""}}"#
    }
    let voip = ["apns-push-type": "voip", "apns-topic": "com.example.app.voip"]

    #expect(try apns.send(payload(4096)).answer == "200")
    #expect(try apns.send(payload(4097)).answer.hasPrefix("413 "))
    #expect(try apns.send(payload(5120), headers: voip).answer == "200")
    #expect(try apns.send(payload(5121), headers: voip).answer.hasPrefix("413 "))
  }

  @Test(
    "every token state has its reason",
    arguments: [
      ("gone", #"410 {"reason":"Unregistered","timestamp":1767608430000}"#),
      ("expired", #"410 {"reason":"ExpiredToken","timestamp":1767608430000}"#),
      ("foreign", #"400 {"reason":"DeviceTokenNotForTopic"}"#),
      ("quota", #"429 {"reason":"TooManyRequests"}"#),
      ("noapns", #"403 {"reason":"InvalidProviderToken"}"#),
      ("flaky1", #"503 {"reason":"ServiceUnavailable"}"#),
    ])
  func states(suffix: String, answer: String) throws {
    #expect(try apns.send(to: "sbx-a-\(suffix)").answer == answer)
  }

  @Test("other requests under Apple's hosts get Apple's errors")
  func unknown() throws {
    #expect(try apns.send(method: .get).answer == #"405 {"reason":"MethodNotAllowed"}"#)
    #expect(try apns.send(path: "/2/device/a").answer == #"404 {"reason":"BadPath"}"#)
    #expect(try apns.send(path: "/3/device/").answer == #"400 {"reason":"MissingDeviceToken"}"#)
    #expect(try apns.send(to: "nonsense").answer == #"400 {"reason":"BadDeviceToken"}"#)
  }

  @Test("a token may have upper case, and an id is returned as it was sent")
  func cases() throws {
    #expect(try apns.send(to: APNsWorld.deviceToken.uppercased(), headers: ["apns-id": ""]).answer == "200")
    #expect(try apns.send().answer == "200")

    #expect(try apns.sandbox.devices.all.count == 1)
  }

  @Test("an offline phone keeps the newest push of a topic, and a collapse id replaces pushes")
  func replacing() throws {
    try apns.device(#""apnsToken":"sbx-off","pushToken":"sbx-p","online":false"#)
    for (text, id) in [("one", ""), ("two", "x"), ("three", "")] {
      _ = try apns.send(#"{"aps":{"alert":"\#(text)"}}"#, to: "sbx-off", headers: ["apns-collapse-id": id])
    }
    #expect(try apns.pushes().matches(of: /"status":"replaced"/).count == 2)

    _ = try apns.world.send(.json(.put, "/control/devices/latest", #"{"online":true}"#))

    #expect(try apns.sandbox.messages.inbox(.init()).map(\.text) == ["three"])
  }

  @Test("faults have Apple's reasons")
  func faults() throws {
    for (fault, answer) in [
      (#""code":"Shutdown""#, #"503 {"reason":"Shutdown"}"#),
      (#""status":429"#, #"429 {"reason":"TooManyRequests"}"#),
      (#""status":500"#, #"500 {"reason":"InternalServerError"}"#),
    ] {
      _ = try apns.world.send(
        .json(.put, "/control/faults", #"{"faults":[{"provider":"apns",\#(fault),"times":1}]}"#))
      #expect(try apns.send().answer == answer)
    }
    #expect(try apns.sandbox.pushAttempts.page().map(\.status) == [503, 429, 500])
  }
}
