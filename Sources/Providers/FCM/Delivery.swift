import ProviderKit

/// Hands accepted messages to the carrier.
struct Delivery {
  /// The origin of a push. Source: contract 5
  enum Source: String {
    /// A back end, over HTTP.
    case external
    /// A provider of the sandbox.
    case `internal`
  }

  let sandbox: Sandbox
  let settings: Settings
  let project: String
  let source: Source

  /// The messages that were sent, one for each device. A dry run has the same errors, and sends nothing.
  func deliver(_ message: Message, id: String) throws -> [Domain.Message] {
    let devices = try devices(for: message)
    guard !message.isDryRun else { return [] }
    let attempts = 1 + (try sandbox.pushAttempts.failuresInARow(naming: message.target))
    let now = sandbox.clock.now
    return try devices.compactMap { device in
      let platform = device.draft.platform
      let draft = MessageDraft(
        provider: FCMProvider.name, reference: id, channel: .push, destination: device.draft.holder,
        sender: project, text: message.text(on: platform), code: nil)
      let entry = PushEntry(
        message: message, messageID: id, project: project, source: source, platform: platform,
        expiry: message.expiry(on: platform, at: now), now: now, attempts: attempts,
        owner: sandbox.providerOwningPush(message.data(on: platform)))
      return try sandbox.pushes.send(
        draft, to: device, payload: entry.encoded, until: entry.expiry, slot: message.slot(on: device))
    }
  }

  private func devices(for message: Message) throws -> [Device] {
    let value = message.target.value
    switch message.target.kind {
    case "topic": return try Topic.devices(in: sandbox) { $0.contains(value) }
    case "condition":
      let condition = Condition(value)
      return try Topic.devices(in: sandbox) { condition?.matches($0) ?? false }
    default:
      let app = message["android", "restrictedPackageName"]?.text ?? message.header("apns-topic")
      let device = try RegisteredDevice.find(of: value, app: app, settings, in: sandbox)
      let state = try sandbox.devices.countPush(to: device)
      if let error = APIError(of: state, on: device.draft.platform, settings) { throw error }
      return [device]
    }
  }
}

/// A message to one device as the control API lists it, without what `Push.content` adds. Source: contract 5
private struct PushEntry {
  let message: Message
  let messageID: String
  let project: String
  let source: Delivery.Source
  let platform: Device.Platform
  let expiry: Timestamp
  let now: Timestamp
  /// How many requests it took.
  let attempts: Int
  /// The provider whose SDK handles the data; nil for an app's own data.
  let owner: String?

  var encoded: String {
    let data = message.data(on: platform)
    return JSONWriter.text { json in
      json.object("target") {
        $0.member("kind", message.target.kind)
        $0.member("value", message.target.value)
      }
      json.member("project", project)
      json.member("via", "fcm-v1")
      json.member("source", source.rawValue)
      json.member("provider", owner ?? "custom")
      json.member("attempts", attempts)
      json.member("priority", message.priority(on: platform))
      json.member("ttlSeconds", Int((expiry - now).milliseconds / 1000))
      json.member("visible", message.isVisible(on: platform))
      json.object("data") { data.write(to: &$0) }
      json.member("notification", message["notification"])
      json.member("apns", platform == .ios ? apns : nil)
      json.member("raw", message.body)
    }
  }

  private var apns: JSON {
    .object([
      .init(name: "headers", value: message["apns", "headers"] ?? .object([])),
      .init(name: "payload", value: message.apnsPayload(messageID: messageID)),
    ])
  }
}
