import Domain
import HTTP
import JSON
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

  @Test("a push with FCM's own names among the app's data can be listed")
  func ownNames() throws {
    let device = #"{"provider":"fcm","pushToken":"ios-1","platform":"ios"}"#
    _ = try fcm.world.send(.json(.post, "/control/devices", device))

    _ = try fcm.send(
      #"{"token":"ios-1","data":{"gcm.message_id":"x","aps":"y","a":"of data","b":"c"},"#
        + #""apns":{"payload":{"a":"of payload","gcm.message_id":"z"}}}"#)

    #expect(
      try fcm.pushes().contains(
        #""payload":{"aps":{},"a":"of payload","b":"c","gcm.message_id":"0:1767608430000"#))
  }

  @Test("attempts at a token and at a topic of the same name are counted apart")
  func attemptsByKind() throws {
    _ = try fcm.send(#"{"token":"sbx-a-flaky1"}"#)
    _ = try fcm.call(.post, "/iid/v1:batchAdd", #"{"to":"/topics/sbx-a-flaky1","registration_tokens":["b"]}"#)

    _ = try fcm.send(#"{"topic":"sbx-a-flaky1"}"#)

    #expect(try fcm.pushes().contains(#""attempts":1"#))
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

  @Test(
    "a bad message gets an error and sends nothing",
    arguments: [
      "", "{", "[]", "5", "{}", #"{"message":null}"#, #"{"message":{}}"#, #"{"message":[]}"#,
      #"{"message":{"token":5}}"#, #"{"message":{"token":""}}"#, #"{"message":{"token":"a b"}}"#,
      #"{"message":{"token":"\#(String(repeating: "a", count: 4097))"}}"#,
      #"{"message":{"topic":"\#(String(repeating: "a", count: 901))"}}"#, #"{"message":{"topic":"a b"}}"#,
      #"{"message":{"topic":"/topics/a"}}"#,
      #"{"message":{"condition":"'a' in topics &&"}}"#, #"{"message":{"token":"a","token":"b"}}"#,
      #"{"message":{"token":"a","fid":"b"}}"#, #"{"message":{"token":"a","data":{"a":null}}}"#,
      #"{"message":{"token":"a"},"validateOnly":"yes"}"#, #"{"message":{"token":"a"},"messages":[]}"#,
    ])
  func malformed(body: String) throws {
    let refused = try fcm.call(.post, "/v1/projects/\(FCMWorld.project)/messages:send", body)

    #expect(refused.answer.hasPrefix("400 {\n  \"error\": {\n    \"code\": 400,\n"))
    #expect(refused.answer.contains(#""status": "INVALID_ARGUMENT""#))
    #expect(try fcm.sandbox.messages.submitted(.init()).isEmpty)
    #expect(try fcm.sandbox.pushAttempts.page().map(\.status) == [400])
  }

  @Test(
    "a body that is no JSON gets the parser's finding, and the place",
    arguments: [
      ("", "Unexpected end of string. Expected a value.\n\n^"),
      ("token=a", "Unexpected token.\ntoken=a\n^"), ("<a/>", "Expected a value.\n<a/>\n^"),
      ("{\"a\":}", "Unexpected token.\n{\"a\":}\n     ^"),
      ("{\"a\":tru}", "Unexpected token.\n{\"a\":tru}\n     ^"),
      ("[1,", "Unexpected end of string. Expected a value or ] within an array.\n[1,\n   ^"),
      ("[\u{7}", "Expected a value or ] within an array.\n[\u{7}\n ^"),
      ("{'a':1}", "Expected an object key or }.\n{'a':1}\n ^"),
      ("{\"a\"", "Unexpected end of string. Expected : between key:value pair.\n{\"a\"\n    ^"),
      ("{\"a\":1;}", "Expected , or } after key:value pair.\n{\"a\":1;}\n      ^"),
      ("[1 2]", "Expected , or ] after array value.\n[1 2]\n   ^"),
      ("[\"é", "Closing quote expected in string.\n[\"é\n    ^"),
      ("[\"\\x\"]", "Invalid escape sequence.\n[\"\\x\"]\n   ^"),
      ("[\"\\u00g0\"]", "Invalid escape sequence.\n[\"\\u00g0\"]\n      ^"),
      ("-", "Unable to parse number.\n-\n ^"),
      ("{}, {}", "Parsing terminated before end of input.\n{}, {}\n  ^"),
      ("[1e999]", "Expected a number of at most 1.8e308.\n[1e999]\n ^"),
      (
        "{\"message\":{\"token\":\"sbx-a\" \"data\":{\"a\":\"b\"}}}",
        "Expected , or } after key:value pair.\ne\":{\"token\":\"sbx-a\" \"data\":{\"a\":\"b\"}}}\n                    ^"
      ),
    ])
  func notJSON(body: String, finding: String) throws {
    let exchange = try fcm.call(.post, "/v1/projects/\(FCMWorld.project)/messages:send", body)

    let answer = try JSON(parsing: Array(exchange.answer.dropFirst(4).utf8))
    #expect(answer["error"]?["message"] == .string("Invalid JSON payload received. \(finding)"))
    #expect(answer["error"]?["status"] == .string("INVALID_ARGUMENT"))
    #expect(exchange.why?.hasPrefix("body: expected ") == true)
  }

  @Test("a setting says why Apple refuses the key")
  func apnsKeyError() throws {
    _ = try fcm.send(#"{"token":"sbx-a-noapns"}"#)
    _ = try fcm.world.send(
      .json(.post, "/control/seed", #"{"fcm":{"settings":{"apnsKeyError":"InvalidProviderToken"}}}"#))

    try fcm.send(#"{"token":"sbx-a-noapns"}"#).matches(golden: "noapns-reason")
  }

  @Test("a fault gets FCM's error, and is listed as an attempt")
  func faults() throws {
    let token = try fcm.token()
    _ = try fcm.world.send(
      .json(
        .put, "/control/faults",
        #"{"faults":[{"provider":"fcm","code":"UNREGISTERED","times":1},{"provider":"fcm","status":418}]}"#))

    let first = try fcm.send(#"{"token":"sbx-a"}"#, token: token)
    let second = try fcm.send(#"{"token":"sbx-a"}"#, token: token)

    #expect(first.answer.contains(#""errorCode": "UNREGISTERED""#))
    #expect(
      second.answer.hasPrefix("418 ")
        && second.answer.contains(#""message": "The request was refused on purpose.""#))
    #expect(try fcm.sandbox.pushAttempts.page(naming: "sbx-a").map(\.code) == ["UNREGISTERED", nil])
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
