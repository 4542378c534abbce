import ProviderKit

/// A valid message. Source: contract 1.1
struct Message {
  let target: PushAttempt.Target
  /// The whole message, names in camel case.
  let body: JSON
  /// `message.data`: for the app, unless the Android part has its own.
  let data: Texts
  /// True if the message is only validated.
  let isDryRun: Bool

  /// A message has exactly one of these.
  static let targetKinds = ["token", "fid", "topic", "condition"]
  /// The most bytes for an app.
  static let maxSize = 4096
  /// The longest and the default time for which a message waits for its device: four weeks.
  static let maxLifetime = Duration.seconds(28 * 86_400)

  /// Reads the body of a request. Fails if it breaks the shape or a rule.
  init(_ request: JSON, _ texts: Settings.ErrorTexts) throws(APIError) {
    var reader = ProtobufReader()
    let read = reader.read(request, as: sendMessageRequest)
    guard reader.violations.isEmpty, let read else { throw APIError(reader.violations) }
    guard let message = read["message"] else {
      throw APIError(.invalidArgument, "Message is not set.").because("the body has no member message")
    }
    body = message
    isDryRun = read["validateOnly"] == .bool(true)
    target = try Self.onlyTarget(of: message)
    data = Texts(message["data"])
    try validate(texts)
  }

  /// The target in the body of a request, valid or not; for the list of attempts.
  static func target(in request: JSON) -> PushAttempt.Target? {
    targets(of: request["message"] ?? .null).first
  }

  /// The same for `validate_only`.
  static func isDryRun(_ request: JSON) -> Bool {
    (request["validate_only"] ?? request["validateOnly"]) == .bool(true)
  }

  /// A value below the message: `self["android", "notification"]`.
  subscript(path: String...) -> JSON? {
    path.reduce(body) { json, name in json?[name] }
  }

  private static func targets(of message: JSON) -> [PushAttempt.Target] {
    targetKinds.compactMap { kind in
      message[kind]?.text.map { PushAttempt.Target(kind: kind, value: $0) }
    }
  }

  private static func onlyTarget(of message: JSON) throws(APIError) -> PushAttempt.Target {
    let targets = targets(of: message)
    guard let first = targets.first else { throw .noTarget }
    if targets.count > 1 {
      let place = "Invalid value at 'message' (oneof), oneof field 'target' is already set."
      throw APIError([
        Violation(field: "message", description: "\(place) Cannot set '\(targets[1].kind)'")
      ])
    }
    return first
  }
}

/// The message on one platform. Source: contract 1.1, 2.
extension Message {
  /// Nil if the message does not say.
  var androidTTL: Duration? {
    self["android", "ttl"]?.text.flatMap(ProtobufDuration.milliseconds).map { .milliseconds($0) }
  }

  /// A header of the request to Apple's gateway.
  func header(_ name: String) -> String? {
    self["apns", "headers"]?.members.first { $0.name.lowercased() == name }?.value.text
  }

  func expiry(on platform: Device.Platform, at now: Timestamp) -> Timestamp {
    switch platform {
    case .android: return now + (androidTTL ?? Self.maxLifetime)
    case .ios:
      guard let seconds = header("apns-expiration").flatMap(Int64.init) else { return now + Self.maxLifetime }
      return max(now, Timestamp(milliseconds: min(max(seconds, 0), 1 << 40) * 1000))
    }
  }

  /// `high` or `normal`.
  func priority(on platform: Device.Platform) -> String {
    switch platform {
    case .android: self["android", "priority"]?.text == "HIGH" ? "high" : "normal"
    case .ios: header("apns-priority") ?? "10" == "10" ? "high" : "normal"
    }
  }

  func data(on platform: Device.Platform) -> Texts {
    guard platform == .android, let androidData = self["android", "data"] else { return data }
    return Texts(androidData)
  }

  /// True if the handset shows a notification without the app.
  func isVisible(on platform: Device.Platform) -> Bool {
    if self["notification"] != nil { return true }
    return switch platform {
    case .android: self["android", "notification"] != nil
    case .ios: self["apns", "payload", "aps", "alert"] != nil
    }
  }

  /// The notification as one text; for messages without one, the data.
  func text(on platform: Device.Platform) -> String {
    let notification =
      platform == .android ? self["android", "notification"] : self["apns", "payload", "aps", "alert"]
    let parts = ["title", "body"].compactMap { notification?[$0]?.text ?? self["notification", $0]?.text }
    if !parts.isEmpty { return parts.joined(separator: ": ") }
    return notification?.text
      ?? data(on: platform).pairs.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
  }

  /// Which earlier pushes it replaces. On Android, a collapse key works until the delivery; on iOS, Apple's
  /// rules apply. Source: contract 1.1, 2;
  /// https://firebase.google.com/docs/cloud-messaging/customize-messages/collapsible-message-types
  func slot(on device: Device) -> PushSlot {
    switch device.draft.platform {
    case .android: return PushSlot(storageGroup: self["android", "collapseKey"]?.text)
    case .ios:
      let app = header("apns-topic") ?? String(device.draft.app.prefix { $0 != ":" })
      return PushSlot(
        storageGroup: app, collapseID: header("apns-collapse-id").map { "\(app) \($0)" })
    }
  }

  /// True for what Apple rejects: a background push with priority 10. Source: contract 1.1, 6 (P15)
  var isBackgroundPushOfHighPriority: Bool {
    !isVisible(on: .ios) && header("apns-push-type") == "background" && header("apns-priority") == "10"
  }

  /// The payload for Apple's gateway. Without an alert, it gets one from `notification`. Data are members
  /// beside `aps`; of several members with the same name, the first one counts. Source: contract 2
  func apnsPayload(messageID: String) -> JSON {
    var aps = self["apns", "payload", "aps"]?.members ?? []
    if !aps.contains(where: { $0.name == "alert" }), let notification = self["notification"] {
      let alert = notification.members.filter { ["title", "body"].contains($0.name) }
      if !alert.isEmpty { aps.append(.init(name: "alert", value: .object(alert))) }
    }
    var names: Set = ["aps", "gcm.message_id"]
    let custom = self["apns", "payload"]?.members ?? []
    let data = data.pairs.map { JSON.Member(name: $0.name, value: .string($0.text)) }
    return .object(
      [.init(name: "aps", value: .object(aps))]
        + (custom + data).filter { names.insert($0.name).inserted }
        + [.init(name: "gcm.message_id", value: .string(messageID))])
  }

  /// To a token: `0:1767608430000003%9f2c31bd9f2c31bd`, microseconds with a counter, and the same eight hex
  /// digits twice; a message of data only has fixed digits the second time. To topics: 19 decimal digits.
  /// Source: contract 1.2 and additions.
  func id(in attempt: PushAttempt, _ sandbox: Sandbox) -> String {
    let digits = sandbox.entropy.identifier("fcm", attempt.ordinal)
    guard target.isOneDevice else {
      let number = UInt64(digits.prefix(15), radix: 16) ?? 0
      return String(1_000_000_000_000_000_000 + number)
    }
    let microseconds = attempt.at.milliseconds * 1000 + Int64(attempt.ordinal % 1000)
    let isNotification = isVisible(on: .android) || isVisible(on: .ios)
    return "0:\(microseconds)%\(digits.prefix(8))\(isNotification ? digits.prefix(8) : "f9fd7ecd")"
  }
}

extension PushAttempt.Target {
  fileprivate var isOneDevice: Bool { kind != "topic" && kind != "condition" }
}

extension Texts {
  /// The texts of an object; other members are left out.
  init(_ json: JSON?) {
    self.init((json?.members ?? []).compactMap { member in member.value.text.map { (member.name, $0) } })
  }
}

extension JSON {
  /// Nil for anything but a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// Empty for anything but an object.
  var members: [Member] { if case .object(let members) = self { members } else { [] } }
}
