import ProviderKit

/// The body of `messages:send`, field by field, with those that the admin SDKs of today send.
/// Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages; contract 1.1
let sendShape = Shape.message(
  type: "SendMessageRequest", [("message", messageShape), ("validateOnly", .bool)])

private let messageShape = Shape.message(
  type: "Message",
  [
    ("name", .string), ("token", .string), ("fid", .string), ("topic", .string), ("condition", .string),
    ("data", .texts), ("notification", notificationShape), ("android", androidShape), ("apns", apnsShape),
    ("webpush", webpushShape), ("fcmOptions", options("FcmOptions")),
  ])

private let notificationShape = Shape.message(
  type: "Notification", [("title", .string), ("body", .string), ("image", .string)])

private let androidShape = Shape.message(
  type: "AndroidConfig",
  [
    ("collapseKey", .string), ("priority", .word(type: "AndroidMessagePriority", ["NORMAL", "HIGH"])),
    ("ttl", .duration), ("restrictedPackageName", .string), ("data", .texts),
    ("notification", androidNotificationShape), ("fcmOptions", options("AndroidFcmOptions")),
    ("directBootOk", .bool), ("bandwidthConstrainedOk", .bool), ("restrictedSatelliteOk", .bool),
  ])

private let androidNotificationShape = Shape.message(
  type: "AndroidNotification",
  [
    ("title", .string), ("body", .string), ("icon", .string), ("color", .string), ("sound", .string),
    ("tag", .string), ("clickAction", .string), ("bodyLocKey", .string), ("bodyLocArgs", .list(.string)),
    ("titleLocKey", .string), ("titleLocArgs", .list(.string)), ("channelId", .string), ("ticker", .string),
    ("sticky", .bool), ("eventTime", .time), ("localOnly", .bool),
    (
      "notificationPriority",
      .word(
        type: "AndroidNotification.NotificationPriority",
        ["UNSPECIFIED", "MIN", "LOW", "DEFAULT", "HIGH", "MAX"].map { "PRIORITY_\($0)" })
    ),
    ("defaultSound", .bool), ("defaultVibrateTimings", .bool), ("defaultLightSettings", .bool),
    ("vibrateTimings", .list(.duration)),
    (
      "visibility",
      .word(
        type: "AndroidNotification.Visibility", ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])
    ),
    ("notificationCount", .integer), ("lightSettings", lightShape), ("image", .string),
    ("bypassProxyNotification", .bool),
    (
      "proxy",
      .word(
        type: "AndroidNotification.Proxy", ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"])
    ),
  ])

private let lightShape = Shape.message(
  type: "LightSettings",
  [
    (
      "color",
      .message(
        type: "Color", [("red", .number), ("green", .number), ("blue", .number), ("alpha", .number)])
    ), ("lightOnDuration", .duration), ("lightOffDuration", .duration),
  ])

private let apnsShape = Shape.message(
  type: "ApnsConfig",
  [
    ("headers", .texts), ("payload", .object), ("fcmOptions", options("ApnsFcmOptions", ["image"])),
    ("liveActivityToken", .string),
  ])

private let webpushShape = Shape.message(
  type: "WebpushConfig",
  [
    ("headers", .texts), ("data", .texts), ("notification", .object),
    ("fcmOptions", options("WebpushFcmOptions", ["link"])),
  ])

private func options(_ type: String, _ more: [String] = []) -> Shape {
  .message(type: type, (["analyticsLabel"] + more).map { ($0, .string) })
}
