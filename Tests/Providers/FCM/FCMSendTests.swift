import Domain
import HTTP
import Support
import Testing

@Suite("FCM · sending", .contract("push-gateway.md 1.1 to 1.3, 4 and 5"))
struct FCMSendTests {
  let fcm: FCMWorld

  init() throws { fcm = try FCMWorld() }

  @Test("a message to a new token registers a device, and its push is listed in full")
  func sent() throws {
    try fcm.send(
      #"{"token":"sbx-a","data":{"kind":"login","more":"{\"a\":1}"},"notification":{"title":"T","body":"B"},"#
        + #""android":{"priority":"high","ttl":"120s"}}"#
    ).matches(golden: "sent")

    let device = try #require(try fcm.sandbox.devices.all.first)
    #expect(device.draft.pushToken == "sbx-a")
    try fcm.world.send(.to("/control/pushes/latest")).matches(golden: "fcm")
    #expect(try fcm.sandbox.messages.inbox(.init()).map(\.text) == ["T: B"])
  }

  @Test("a dry run gets a normal response and sends nothing")
  func dryRun() throws {
    try fcm.send(#"{"token":"sbx-a"}"#, more: #","validate_only":true"#).matches(golden: "dry-run")

    #expect(try fcm.sandbox.messages.submitted(.init()).isEmpty)
  }

  @Test(
    "every token state has its error",
    arguments: ["gone", "foreign", "quota", "noapns", "flaky1"])
  func states(suffix: String) throws {
    try fcm.send(#"{"token":"sbx-a-\#(suffix)"}"#).matches(golden: suffix)
  }

  @Test("an error lists at most 100 invalid fields")
  func manyViolations() throws {
    let data = (1...150).map { #""n\#($0)":5"# }.joined(separator: ",")

    let answer = try fcm.send(#"{"token":"sbx-a","data":{\#(data)}}"#).answer

    #expect(answer.hasPrefix("400 ") && answer.contains("message.data[99].value"))
    #expect(!answer.contains("message.data[100].value"))
  }

  @Test("an error lists all invalid fields")
  func violations() throws {
    try fcm.send(
      #"{"token":"sbx-a","data":{"n":5},"android":{"ttl":"5","priority":"URGENT"},"nonsense":1}"#
    ).matches(golden: "violations")
  }

  @Test("a strict sandbox accepts only its own access tokens")
  func unauthenticated() throws {
    try fcm.send(#"{"token":"sbx-a"}"#, token: "").matches(golden: "no-token")
    try fcm.send(#"{"token":"sbx-a"}"#, token: "strange").matches(golden: "strange-token")
    try fcm.send(#"{"token":"sbx-a"}"#, project: "another-project").matches(golden: "another-project")

    #expect(try fcm.sandbox.pushAttempts.page(naming: "sbx-a").map(\.status) == [401, 401, 403])
  }

  @Test("a setting says why Apple refuses the key")
  func apnsKeyError() throws {
    _ = try fcm.send(#"{"token":"sbx-a-noapns"}"#)
    _ = try fcm.world.send(
      .json(.post, "/control/seed", #"{"fcm":{"settings":{"apnsKeyError":"InvalidProviderToken"}}}"#))

    try fcm.send(#"{"token":"sbx-a-noapns"}"#).matches(golden: "noapns-reason")
  }

  @Test("the legacy API's error names the new API")
  func legacy() throws {
    try fcm.call(.post, "/fcm/send", #"{"to":"sbx-a"}"#).matches(golden: "gone")
  }

  @Test("other requests under Google's hosts get Google's errors")
  func unknown() throws {
    try fcm.call(.get, "/v2/nothing").matches(golden: "unknown")
    #expect(try fcm.call(.get, "/v1/projects/a/messages:send").answer.hasPrefix("404 "))
    #expect(try fcm.call(.get, "/token", host: "oauth2.googleapis.com").answer.hasPrefix("405 "))
  }
}
