import Domain
import JSON
import ProviderKit

/// What is kept of a message for one device, for whoever reads what was pushed. Source: contract 5
struct Entry {
  let message: Message
  let messageID: String
  let project: String
  let platform: Device.Platform
  /// Until when the message waits for its device.
  let end: Timestamp
  /// When it was taken.
  let now: Timestamp
  /// How many requests it took.
  let attempts: Int
  /// The provider whose SDK reads the data; nil for an app's own.
  let owner: String?

  /// The members of the entry that come from here, in their order.
  var encoded: String {
    let data = message.data(on: platform)
    let bytes = JSONWriter.object { json in
      json.object("target") {
        $0.member("kind", message.target.kind)
        $0.member("value", message.target.value)
      }
      json.member("project", project)
      json.member("via", "fcm-v1")
      json.member("source", "external")
      json.member("provider", owner ?? "custom")
      json.member("attempts", attempts)
      json.member("priority", message.priority(on: platform))
      json.member("ttlSeconds", Int((end - now).milliseconds / 1000))
      json.member("visible", message.isVisible(on: platform))
      json.object("data") { data.write(to: &$0) }
      json.object("decoded") { write(decoded: data, to: &$0) }
      json.member("notification", message["notification"])
      json.member("apns", platform == .ios ? apple : nil)
      json.member("raw", message.whole)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Data that hold JSON, taken apart; not what is nested so deep that the entry could not be read any more.
  private func write(decoded data: Texts, to json: inout JSONWriter) {
    for pair in data.pairs where pair.text.hasPrefix("{") || pair.text.hasPrefix("[") {
      if let value = try? JSON(parsing: Array(pair.text.utf8), limits: .init(depth: 32)) {
        json.member(named: pair.name, value)
      }
    }
  }

  private var apple: JSON {
    .object([
      .init(name: "headers", value: message["apns", "headers"] ?? .object([])),
      .init(name: "payload", value: message.applePayload(messageID: messageID)),
    ])
  }
}
