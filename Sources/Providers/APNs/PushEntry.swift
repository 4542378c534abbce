import ProviderKit

/// A notification to one device as the control API lists it, without what `Push.content` adds. Source:
/// contract 5
struct PushEntry {
  let notification: Notification
  let target: PushAttempt.Target
  let now: Timestamp
  /// How many requests it took.
  let attempts: Int
  /// The provider whose SDK handles the data; nil for an app's own data.
  let owner: String?

  var encoded: String {
    return JSONWriter.text { json in
      json.object("target") {
        $0.member("kind", target.kind)
        $0.member("value", target.value)
      }
      json.member("via", APNsProvider.name)
      json.member("source", "external")
      json.member("provider", owner ?? "custom")
      json.member("attempts", attempts)
      json.member("priority", notification.priority.word)
      json.member("ttlSeconds", Int((notification.expiry - now).milliseconds / 1000))
      json.member("visible", notification.isVisible)
      json.member("data", JSON.object(notification.data))
      json.member("notification", alert)
      json.object("apns") { json in
        json.object("headers") { json in
          for header in notification.headers { json.member(named: header.name, header.value) }
        }
        json.member("payload", notification.payload)
      }
      json.member("raw", notification.payload)
    }
  }

  private var alert: JSON? {
    notification.alert.map { alert in
      .object(
        [("title", alert.title), ("body", alert.body)].compactMap { name, text in
          text.map { JSON.Member(name: name, value: .string($0)) }
        })
    }
  }
}
