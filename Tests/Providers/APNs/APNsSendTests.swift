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

  @Test("46 A2: the reason of too many tokens fits the summary of `run`, which shows 240 characters")
  func tokenUpdates() throws {
    _ = try apns.send(authorization: "bearer \(apns.providerToken(age: 300))")

    let why = try #require(try apns.send(authorization: "bearer \(apns.providerToken(age: 299))").why)
    #expect(why.contains("issued 1 s after the last one") && why.contains("signs a token for each push"))
    #expect(why.contains("limitsTokenUpdates") && why.count <= 240)
  }
}
