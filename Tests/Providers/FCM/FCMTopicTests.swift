import Domain
import HTTP
import ProviderKit
import Support
import Testing

@testable import FCM

@Suite("FCM · topics", .contract("push-gateway.md 1.6"))
struct FCMTopicTests {
  let fcm: FCMWorld

  init() throws { fcm = try FCMWorld() }

  private func path(_ token: String) -> String {
    "/v1/projects/\(FCMWorld.project)/registrations/\(token)/topicSubscriptions"
  }

  @Test("a token subscribes once, gets the topic's messages, and unsubscribes")
  func oneToken() throws {
    try fcm.call(.post, path("sbx-a") + "?topic_name=news", "{}").matches(golden: "subscribed")
    try fcm.call(.post, path("sbx-a") + "?topic_name=news", "{}").matches(golden: "again")
    _ = try fcm.send(#"{"topic":"news","data":{"a":"b"}}"#)
    try fcm.call(.delete, path("sbx-a") + "/news?allow_missing=true").matches(golden: "unsubscribed")
    try fcm.call(.delete, path("sbx-a") + "/news").matches(golden: "missing")
    _ = try fcm.send(#"{"topic":"news","data":{"a":"c"}}"#)

    #expect(try fcm.sandbox.messages.submitted(.init()).map(\.text) == ["a=b"])
    #expect(try fcm.call(.delete, path("sbx-a") + "/news?allow_missing=true").answer == "200 {}\n")
  }

  @Test("many tokens subscribe at a time, each with its own result")
  func manyTokens() throws {
    let body = #"{"to":"/topics/news","registration_tokens":["sbx-a","sbx-b-gone","sbx-c"]}"#

    try fcm.call(.post, "/iid/v1:batchAdd", body, host: "iid.googleapis.com").matches(golden: "added")
    _ = try fcm.send(#"{"condition":"'news' in topics","data":{"a":"b"}}"#)
    try fcm.call(.post, "/iid/v1:batchRemove", body, host: "iid.googleapis.com").matches(golden: "removed")

    let devices = try fcm.sandbox.messages.submitted(.init()).map(\.destination)
    #expect(devices == ["sbx-a", "sbx-c"])
    for word in ["batchAdd", "batchRemove"] {
      try fcm.call(.post, "/iid/v1:\(word)", #"{"to":"news","registration_tokens":["a"]}"#).matches(
        golden: "bad-topic")
    }
    for word in ["batchAdd", "batchRemove"] {
      try fcm.call(.post, "/iid/v1:\(word)", body, token: "").matches(golden: "no-token")
    }
    #expect(
      try fcm.call(.post, "/iid/v1:batchAdd", body, token: "strange").answer.hasPrefix(
        #"401 {"error":"Request had"#))
    #expect(
      try fcm.call(.post, "/iid/v1:batchAdd", #"{"to":"/topics/a","registration_tokens":[]}"#).answer
        == #"400 {"error":"InvalidArgument"}"#)
  }

  @Test(
    "a condition matches sets of topics",
    arguments: [
      ("'a' in topics", ["a"], true), ("'a' in topics", ["b"], false), ("!('a' in topics)", [], true),
      ("'a' in topics && 'b' in topics", ["a"], false), ("'a' in topics||'b' in topics", ["b"], true),
      ("'a' in topics || 'b' in topics && 'c' in topics", ["b"], false),
      ("('a' in topics || 'b' in topics) && 'c' in topics", ["b", "c"], true),
      ("!!'a' in topics", ["a"], true), (" ( 'a-_.~%1' in topics ) ", ["a-_.~%1"], true),
    ])
  func conditions(text: String, topics: [String], expected: Bool) throws {
    #expect(try #require(Condition(text)).matches(Set(topics)) == expected)
  }

  @Test(
    "a bad condition is nil",
    arguments: [
      "", "a", "'a'", "'a' in", "'a in topics", "'a' in topics &&", "('a' in topics", "'a' in topics)",
      "'a' in topics 'b' in topics", "'' in topics", "'a b' in topics", "&& 'a' in topics",
      String(repeating: "!", count: 17) + "'a' in topics", String(repeating: "(", count: 2000),
      Array(repeating: "'a' in topics", count: 6).joined(separator: " && "),
    ])
  func badConditions(text: String) {
    #expect(Condition(text) == nil)
  }
}
