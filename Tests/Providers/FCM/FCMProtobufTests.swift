import JSON
import ProviderKit
import Support
import Testing

@testable import FCM

@Suite(
  "FCM · protocol buffers in JSON",
  .contract("push-gateway.md 1.1, https://protobuf.dev/programming-guides/json/"))
struct FCMProtobufTests {
  @Test(
    "names in snake case, and enumeration values in lower case and by number are equivalent",
    arguments: [
      #"{"message":{"android":{"collapse_key":"k","priority":"high"}}}"#,
      #"{"message":{"android":{"collapseKey":"k","priority":"HIGH"}}}"#,
      #"{"message":{"android":{"collapse_key":"k","priority":1,"ttl":null}}}"#,
    ])
  func canonical(text: String) throws {
    let (read, fields) = try read(text)

    #expect(read == #"{"message":{"android":{"collapseKey":"k","priority":"HIGH"}}}"#)
    #expect(fields.isEmpty)
  }

  @Test(
    "46 B4: a whole number may have a fraction of zeros or an exponent", arguments: ["2.0", "2", "0.2e1"])
  func wholeNumbers(count: String) throws {
    let (read, fields) = try read(
      #"{"message":{"android":{"notification":{"notification_count":\#(count)}}}}"#)

    #expect(read == #"{"message":{"android":{"notification":{"notificationCount":2}}}}"#)
    #expect(fields.isEmpty)
  }

  @Test(
    "a violation has the field's path",
    arguments: [
      (#"{"message":{"notification":{"title":1}}}"#, "message.notification.title"),
      (
        #"{"message":{"android":{"notification":{"bodyLocArgs":["a",1]}}}}"#,
        "message.android.notification.body_loc_args[1]"
      ),
      (
        #"{"message":{"android":{"notification":{"event_time":"noon"}}}}"#,
        "message.android.notification.event_time"
      ),
      (
        #"{"message":{"android":{"notification":{"notificationCount":4294967296}}}}"#,
        "message.android.notification.notification_count"
      ),
      (
        #"{"message":{"android":{"notification":{"notificationCount":2.5}}}}"#,
        "message.android.notification.notification_count"
      ),
      (#"{"message":{"android":{"priority":2}}}"#, "message.android.priority"),
      (#"{"message":{"webpush":{"headers":[]}}}"#, "message.webpush.headers"),
      (
        #"{"message":{"apns":{"fcm_options":{"analytics_label":"a","link":"b"}}}}"#,
        "message.apns.fcm_options"
      ),
      (#"{"message":{"android":{"collapseKey":"a","collapse_key":"b"}}}"#, "message.android.collapse_key"),
      (#"{"message":5}"#, "message"), (#"{"validate_only":"x"}"#, "validate_only"), (#"{"a":1}"#, ""),
    ])
  func violations(text: String, field: String) throws {
    #expect(try read(text).fields == [field])
  }

  @Test(
    "a duration is seconds with up to nine decimals",
    arguments: [
      ("0s", 0), ("3.5s", 3500), ("-1s", -1000), ("2419200s", 2_419_200_000), ("0.001s", 1),
      ("1.123456789s", 1123),
      ("s", nil), ("5", nil), ("5 s", nil), ("5ms", nil), ("1.s", nil), (".5s", nil), ("1.2.3s", nil),
      ("1e3s", nil),
      ("1234567890123s", nil), ("1.1234567890s", nil), ("+1s", nil), ("", nil),
    ] as [(String, Int?)])
  func durations(text: String, milliseconds: Int?) {
    #expect(ProtobufDuration.milliseconds(text) == milliseconds)
  }

  private func read(_ text: String) throws -> (read: String, fields: [String]) {
    var reader = ProtobufReader()
    let json = reader.read(try JSON(parsing: Array(text.utf8)), as: sendMessageRequest)
    return (String(decoding: json?.encoded() ?? [], as: UTF8.self), reader.violations.map(\.field))
  }
}
