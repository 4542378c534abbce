/// A provider's own push to its app, as the control API lists it: data only on Android, an alert with the
/// same data on iOS. Source: `push-gateway.md` 3.1, 3.2, 3.5 and 5
package struct AppPush {
  private let provider: String
  private let device: Device
  /// The token that the provider knows.
  private let token: String
  private let data: Texts
  /// The gateway's API, as `via` names it.
  package var gateway = ""
  /// The alert's text on iOS.
  package var text = ""
  /// The alert's category on iOS.
  package var category: String?
  /// How long the gateway tries to deliver it, in seconds.
  package var lifetime = 0

  package init(of provider: String, to device: Device, token: String, data: Texts) {
    self.provider = provider
    self.device = device
    self.token = token
    self.data = data
  }

  package func payload(at now: Timestamp) -> String {
    let isIOS = device.draft.platform == .ios
    return JSONWriter.text { json in
      json.object("target") {
        $0.member("kind", "token")
        $0.member("value", token)
      }
      json.member("via", gateway)
      json.member("source", "internal")
      json.member("provider", provider)
      json.member("priority", "high")
      json.member("ttlSeconds", lifetime)
      json.member("visible", isIOS)
      json.object("data") { data.write(to: &$0) }
      json.null("notification")
      if isIOS { json.object("apns") { writeAPNs(to: &$0, at: now) } }
    }
  }

  private func writeAPNs(to json: inout JSONWriter, at now: Timestamp) {
    json.object("headers") { headers in
      headers.member("apns-topic", String(device.draft.app.prefix { $0 != ":" }))
      headers.member("apns-push-type", "alert")
      headers.member("apns-priority", "10")
      headers.member("apns-expiration", String((now + .seconds(lifetime)).unixSeconds))
    }
    json.object("payload") { json in
      json.object("aps") { aps in
        aps.object("alert") { $0.member("body", text) }
        aps.member("category", category)
      }
      data.write(to: &json)
    }
  }
}
