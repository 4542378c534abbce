import ProviderKit

/// The body of `messages:send`, with the fields that current admin SDKs send.
/// Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages; contract 1.1
let sendMessageRequest = ProtobufType.message(
  name: "SendMessageRequest", [("message", messageType), ("validateOnly", .bool)])

private let messageType = ProtobufType.message(
  name: "Message",
  [
    ("name", .string), ("token", .string), ("fid", .string), ("topic", .string), ("condition", .string),
    ("data", .stringMap), ("notification", notificationType), ("android", androidType), ("apns", apnsType),
    ("webpush", webpushType), ("fcmOptions", options("FcmOptions")),
  ])

private let notificationType = ProtobufType.message(
  name: "Notification", [("title", .string), ("body", .string), ("image", .string)])

private let androidType = ProtobufType.message(
  name: "AndroidConfig",
  [
    ("collapseKey", .string), ("priority", .enumeration(name: "AndroidMessagePriority", ["NORMAL", "HIGH"])),
    ("ttl", .duration), ("restrictedPackageName", .string), ("data", .stringMap),
    ("notification", androidNotificationType), ("fcmOptions", options("AndroidFcmOptions")),
    ("directBootOk", .bool), ("bandwidthConstrainedOk", .bool), ("restrictedSatelliteOk", .bool),
  ])

private let androidNotificationType = ProtobufType.message(
  name: "AndroidNotification",
  [
    ("title", .string), ("body", .string), ("icon", .string), ("color", .string), ("sound", .string),
    ("tag", .string), ("clickAction", .string), ("bodyLocKey", .string), ("bodyLocArgs", .list(.string)),
    ("titleLocKey", .string), ("titleLocArgs", .list(.string)), ("channelId", .string), ("ticker", .string),
    ("sticky", .bool), ("eventTime", .time), ("localOnly", .bool),
    (
      "notificationPriority",
      .enumeration(
        name: "AndroidNotification.NotificationPriority",
        ["UNSPECIFIED", "MIN", "LOW", "DEFAULT", "HIGH", "MAX"].map { "PRIORITY_\($0)" })
    ),
    ("defaultSound", .bool), ("defaultVibrateTimings", .bool), ("defaultLightSettings", .bool),
    ("vibrateTimings", .list(.duration)),
    (
      "visibility",
      .enumeration(
        name: "AndroidNotification.Visibility", ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])
    ),
    ("notificationCount", .integer), ("lightSettings", lightType), ("image", .string),
    ("bypassProxyNotification", .bool),
    (
      "proxy",
      .enumeration(
        name: "AndroidNotification.Proxy", ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"])
    ),
  ])

private let lightType = ProtobufType.message(
  name: "LightSettings",
  [
    (
      "color",
      .message(
        name: "Color", [("red", .number), ("green", .number), ("blue", .number), ("alpha", .number)])
    ), ("lightOnDuration", .duration), ("lightOffDuration", .duration),
  ])

private let apnsType = ProtobufType.message(
  name: "ApnsConfig",
  [
    ("headers", .stringMap), ("payload", .object), ("fcmOptions", options("ApnsFcmOptions", ["image"])),
    ("liveActivityToken", .string),
  ])

private let webpushType = ProtobufType.message(
  name: "WebpushConfig",
  [
    ("headers", .stringMap), ("data", .stringMap), ("notification", .object),
    ("fcmOptions", options("WebpushFcmOptions", ["link"])),
  ])

private func options(_ type: String, _ more: [String] = []) -> ProtobufType {
  .message(name: type, (["analyticsLabel"] + more).map { ($0, .string) })
}
