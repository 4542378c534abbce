import ProviderKit

/// The rules of a message beyond its shape. Source: contract 1.1;
/// https://firebase.google.com/docs/cloud-messaging
extension Message {
  func validate(_ texts: Settings.ErrorTexts) throws(APIError) {
    try validateTarget()
    let violations =
      reservedKeys("data") + reservedKeys("android", "data") + optionViolations + rangeViolations
    guard violations.isEmpty else { throw APIError(violations, code: .invalidArgument) }
    let size = Texts(self["android", "data"] ?? self["data"]).size + notificationSize
    guard size <= Self.maxSize else {
      throw APIError.tooLarge(for: .android, texts)
        .because("data and notification have \(size) bytes; at most \(Self.maxSize) are allowed")
    }
    let payloadSize = self["apns", "payload"]?.encoded().count ?? 0
    guard payloadSize <= Self.maxSize else {
      throw APIError.tooLarge(for: .ios, texts)
        .because("the payload has \(payloadSize) bytes; at most \(Self.maxSize) are allowed")
    }
  }

  private func validateTarget() throws(APIError) {
    switch target.kind {
    case "topic" where !Topic.isName(target.value):
      throw APIError(
        [Violation(field: "message.topic", description: "Malformed topic name")], code: .invalidArgument)
    case "condition" where Condition(target.value) == nil:
      throw APIError(
        [Violation(field: "message.condition", description: "Invalid condition expression provided.")],
        code: .invalidArgument)
    default: break
    }
  }

  /// Keys that only FCM itself may use.
  private func reservedKeys(_ path: String...) -> [Violation] {
    let keys = path.reduce(body as JSON?) { $0?[$1] }?.members.map(\.name) ?? []
    return keys.filter { key in
      ["from", "message_type"].contains(key) || key.hasPrefix("google.") || key.hasPrefix("gcm.notification.")
    }.map {
      Violation(
        field: "message." + path.joined(separator: "."), description: "Invalid data payload key: \($0)")
    }
  }

  private var optionViolations: [Violation] {
    var found: [Violation] = []
    for (place, options) in [
      ("message.fcm_options", self["fcmOptions"]),
      ("message.android.fcm_options", self["android", "fcmOptions"]),
      ("message.apns.fcm_options", self["apns", "fcmOptions"]),
      ("message.webpush.fcm_options", self["webpush", "fcmOptions"]),
    ] {
      if let label = options?["analyticsLabel"]?.text, !Self.isLabel(label) {
        found.append(
          Violation(field: "\(place).analytics_label", description: "Invalid analytics label: \(label)"))
      }
    }
    if let link = self["webpush", "fcmOptions", "link"]?.text, !link.hasPrefix("https://") {
      found.append(
        Violation(field: "message.webpush.fcm_options.link", description: "The link must be an HTTPS URL"))
    }
    return found
  }

  private var rangeViolations: [Violation] {
    var found: [Violation] = []
    if let ttl = androidTTL, ttl < .zero || ttl > Self.maxLifetime {
      found.append(
        Violation(
          field: "message.android.ttl", description: "Invalid value: the TTL must be 0s to 2419200s"))
    }
    if let color = self["android", "notification", "color"]?.text, !Self.isColor(color) {
      found.append(
        Violation(
          field: "message.android.notification.color", description: "Invalid color: expected #rrggbb"))
    }
    if let priority = header("apns-priority"), !["1", "5", "10"].contains(priority) {
      found.append(
        Violation(field: "message.apns.headers", description: "Invalid APNs priority: \(priority)"))
    }
    if let expiration = header("apns-expiration"), Int(expiration).map({ $0 >= 0 }) != true {
      found.append(
        Violation(field: "message.apns.headers", description: "Invalid APNs expiration: \(expiration)"))
    }
    return found
  }

  private var notificationSize: Int {
    [self["notification"], self["android", "notification"]].compactMap { $0 }.flatMap(\.members)
      .reduce(0) { $0 + ($1.value.text?.utf8.count ?? 0) }
  }

  private static func isLabel(_ text: String) -> Bool {
    (1...50).contains(text.utf8.count) && text.utf8.allSatisfy(Topic.isNameByte)
  }

  private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy(\.isHexDigit)
  }
}

extension Texts {
  /// Bytes of names and texts.
  fileprivate var size: Int { pairs.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count } }
}
