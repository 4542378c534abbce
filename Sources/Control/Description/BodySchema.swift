import JSON

/// What the body of an operation holds: JSON Schema, written once for the OpenAPI document.
enum BodySchema: String, CaseIterable {
  case sandbox = "NewSandbox"
  case seed = "Seed"
  case clock = "ClockChange"
  case entropy = "Entropy"
  case gateway = "Gateway"
  case device = "Device"
  case deviceChange = "DeviceChange"
  case newToken = "NewToken"
  case opening = "Opening"
  case scan = "Scan"
  case subscriber = "Subscriber"
  case subscriberEvent = "SubscriberEvent"
  case reply = "Reply"
  case keys = "Keys"
  case scenarios = "Scenarios"
  case faults = "Faults"
  case journalClaim = "JournalClaim"

  /// The schema's members: name, type, meaning. A type in brackets is an array of that schema.
  private var members: [(String, String, String)] {
    switch self {
    case .sandbox:
      [
        ("name", "string", "1 to 64 letters, digits, -, _ or .; made up when absent."),
        ("entropySeed", "integer", "The number behind all chance; 1 when absent."),
        ("clock", "string", "Freezes the clock at this time, such as 2026-01-05T10:20:30Z."),
        ("seeds", "[string]", "The stories to load; default when absent."),
      ]
    case .seed:
      [
        ("subscribers", "[object]", "Numbers with what the carrier knows of them."),
        ("devices", "[object]", "Apps on handsets: number, provider, app, platform, pushToken, publicKey."),
        ("scenarios", "[object]", "What becomes of messages; replaces those there are."),
        ("faults", "[object]", "What becomes of requests; replaces those there are."),
        ("keys", "object", "webhooks: the private key that signs them, in PEM; accounts: that of clients."),
      ]
    case .clock:
      [
        ("mode", "string", "frozen or real."), ("set", "string", "The time it is now."),
        ("advance", "string", "A span such as 11m or 1h30m."), ("advanceMs", "integer", "A span in ms."),
      ]
    case .entropy: [("entropySeed", "integer", "The number behind codes to come.")]
    case .gateway:
      [
        (
          "mode", "string", "magic: a handset that says nothing has the claimed number; strict: it is nobody."
        ),
        ("hops", "integer", "Redirects that the gateway makes to itself, 0 to 20."),
        ("tls", "boolean", "Whether a chain stays on the listener that it began on."),
        ("url", "string", "Where handsets reach it; cannot be changed."),
      ]
    case .device:
      [
        ("number", "string", "The phone number, such as +12025550100; absent: known by pushToken only."),
        ("provider", "string", "The provider that an app registers with; no app when absent."),
        ("app", "string", "The app's own name; made up when absent."),
        ("pushToken", "string", "Where pushes to it go; made up when absent."),
        ("platform", "string", "android or ios; android when absent."),
        ("publicKey", "string", "SubjectPublicKeyInfo in base64; a pair is made when absent."),
      ] + Self.reach
    case .deviceChange:
      [("pushToken", "string", "Another token; the old one is worth nothing then.")] + Self.reach
    case .newToken: [("pushToken", "string", "The new token; made up when absent.")]
    case .scan: [("text", "string", "What the QR code says; the reference of a question stands in it.")]
    case .opening:
      [
        ("url", "string", "The silent URL that the app was given."),
        ("as", "string", "The kind of client: ios or android; ios when absent."),
        ("bearer", "string", "cellular, wifi, vpn or tether."),
        ("own", "boolean", "Whether the first answer must be a redirect, as on the app's own endpoint."),
      ]
    case .subscriber: Self.subscriberMembers
    case .subscriberEvent:
      [
        ("event", "string", "simSwap, port, recycle, deactivate, roam, attach or detach."),
        ("at", "string", "When; now when absent."),
        ("endedAt", "string", "recycle: when the last holder gave the number up; at when absent."),
        ("operator", "string", "port: the new network's name."), ("mcc", "string", "port: its country code."),
        ("mnc", "string", "port: its code."), ("coversSilent", "boolean", "port: whether it takes part."),
        ("imsi", "string", "simSwap, port, recycle: the new card's; made up when absent."),
        ("iccid", "string", "simSwap, port, recycle: the new card's number; made up when absent."),
        ("kyc", "object", "recycle: the new person."), ("email", "string", "recycle: their address."),
        ("roaming", "object", "roam: mcc and countries; on: false is home."),
        ("session", "object", "attach: ip, port, natIp, natPort."),
      ]
    case .reply:
      [
        ("text", "string", "What the person writes."),
        ("to", "string", "The sender who is answered; the newest message's when absent."),
        ("channel", "string", "sms, whatsapp, rcs, viber, telegram or zalo; the message's when absent."),
      ]
    case .keys: [("keys", "string", "Digits, * and #, in order.")]
    case .scenarios:
      [
        (
          "scenarios", "[object]",
          "match (number, channel, sender, provider, nth), outcome, afterMs, err, keys, times."
        )
      ]
    case .faults:
      [
        (
          "faults", "[object]",
          "provider, route, number, nth, times; status, code, retryAfter, latencyMs, damage (reset, truncate, garble)."
        )
      ]
    case .journalClaim:
      [
        ("match", "object", "provider, route, method, status, contains."),
        ("count", "integer", "Exactly so many requests."), ("atLeast", "integer", "So many or more."),
        ("atMost", "integer", "So many or fewer."),
      ]
    }
  }

  /// What pushes to a device meet.
  private static let reach = [
    ("state", "string", "The token's: ok, unregistered, mismatch, quota, thirdparty or flaky:N."),
    ("online", "boolean", "Whether pushes reach it; they are held as long as they are worth something."),
  ]

  /// Writes the schema as a member of `components.schemas`.
  func write(to json: inout JSONWriter) {
    json.object(named: rawValue) { json in
      json.member("type", "object")
      json.member("additionalProperties", self == .seed)
      json.object("properties") { json in
        for (name, type, meaning) in members {
          json.object(named: name) { json in
            let item = type.hasPrefix("[") ? String(type.dropFirst().dropLast()) : nil
            json.member("type", item == nil ? type : "array")
            if let item { json.object("items") { $0.member("type", item) } }
            json.member("description", meaning)
          }
        }
      }
    }
  }
}
