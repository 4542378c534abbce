import Domain
import JSON
import ProviderKit

/// How a message fares on a platform: what its parts for Android and for Apple's gateway say. Source: contract 1.1, 2.
extension Message {
  /// How long it waits for an Android device, where it says.
  var androidTTL: Duration? {
    self["android", "ttl"]?.text.flatMap(Span.milliseconds).map { .milliseconds($0) }
  }

  /// A field of the request that Apple's gateway would get.
  func header(_ name: String) -> String? {
    self["apns", "headers"]?.members.first { $0.name.lowercased() == name }?.value.text
  }

  /// Until when it is worth something.
  func end(on platform: Device.Platform, at now: Timestamp) -> Timestamp {
    switch platform {
    case .android: return now + (androidTTL ?? Self.longest)
    case .ios:
      let expiration = header("apns-expiration").flatMap(Int64.init)
      return expiration.map { max(now, Timestamp(milliseconds: min($0, 1 << 40) * 1000)) } ?? now
        + Self.longest
    }
  }

  /// `high` or `normal`.
  func priority(on platform: Device.Platform) -> String {
    switch platform {
    case .android: self["android", "priority"]?.text == "HIGH" ? "high" : "normal"
    case .ios: header("apns-priority") ?? "10" == "10" ? "high" : "normal"
    }
  }

  /// What the app reads on a platform.
  func data(on platform: Device.Platform) -> Texts {
    guard platform == .android, let own = self["android", "data"] else { return data }
    return Texts(own)
  }

  /// Whether the handset shows something of it by itself.
  func isVisible(on platform: Device.Platform) -> Bool {
    if self["notification"] != nil { return true }
    return switch platform {
    case .android: self["android", "notification"] != nil
    case .ios: self["apns", "payload", "aps", "alert"] != nil
    }
  }

  /// What the handset shows, in one text; for a message that shows nothing, what the app reads.
  func text(on platform: Device.Platform) -> String {
    let own = platform == .android ? self["android", "notification"] : self["apns", "payload", "aps", "alert"]
    let shown = ["title", "body"].compactMap { own?[$0]?.text ?? self["notification", $0]?.text }
    if !shown.isEmpty { return shown.joined(separator: ": ") }
    return own?.text ?? data(on: platform).pairs.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
  }

  /// Whether it asks Apple's gateway for a background push at once, which it refuses. Source: contract 1.1, 6 (P15)
  var asksTooMuchOfBackground: Bool {
    !isVisible(on: .ios) && header("apns-push-type") == "background" && header("apns-priority") == "10"
  }

  /// What Apple's gateway would get of it: the alert follows from the notification where none is given, data stand
  /// beside `aps`; of members with the same name the first stays. Source: contract 2
  func applePayload(messageID: String) -> JSON {
    var aps = self["apns", "payload", "aps"]?.members ?? []
    if !aps.contains(where: { $0.name == "alert" }), let notification = self["notification"] {
      let alert = notification.members.filter { ["title", "body"].contains($0.name) }
      if !alert.isEmpty { aps.append(.init(name: "alert", value: .object(alert))) }
    }
    var taken: Set = ["aps", "gcm.message_id"]
    let custom = self["apns", "payload"]?.members ?? []
    let data = data.pairs.map { JSON.Member(name: $0.name, value: .string($0.text)) }
    return .object(
      [.init(name: "aps", value: .object(aps))] + (custom + data).filter { taken.insert($0.name).inserted }
        + [.init(name: "gcm.message_id", value: .string(messageID))])
  }
}
