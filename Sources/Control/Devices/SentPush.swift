import Domain
import JSON

/// A push with its message, its device and the question that it brought.
struct SentPush {
  let message: Message
  let push: Push
  let device: Device?
  let challenge: Challenge?
  /// What the app reads, and what else its sender has said of it.
  let content: JSON

  /// The provider whose SDK reads the data, where a gateway between has found that out; else who sent it.
  var provider: String {
    if case .string(let name)? = content["provider"] { name } else { message.provider }
  }

  /// When it came to the device: when the app said so, or by a gateway's word, where one stands between.
  func deliveredAt(by now: Timestamp) -> Timestamp? {
    let arrival = content["via"] == nil ? nil : message.arrivesAt
    return push.deliveredAt ?? arrival.flatMap { $0 <= now ? $0 : nil }
  }
}

/// Which pushes are asked for.
struct PushTest {
  var token: String?
  var provider: String?
  var type: String?
  var state: Challenge.State?

  func passes(_ sent: SentPush, at now: Timestamp) -> Bool {
    (token == nil || sent.push.token == token)
      && (provider == nil || provider == sent.provider || provider == sent.message.provider)
      && (type == nil || sent.content["data"]?["type"] == type.map(JSON.string))
      && (state == nil || sent.challenge?.state(at: now) == state)
  }
}

extension ControlAPI {
  /// What a message carries for an app; nil where it is no push.
  func sentPush(of message: Message, in sandbox: Sandbox) throws -> SentPush? {
    guard message.channel == .push, let push = try sandbox.pushes.find(message.ordinal) else { return nil }
    return SentPush(
      message: message, push: push, device: try sandbox.devices.find(ordinal: push.device),
      challenge: try sandbox.challenges.find(push: push.ordinal),
      content: try JSON(parsing: Array(push.payload.utf8)))
  }

  /// Writes a push as an entry of the list of pushes.
  func writeEntry(_ sent: SentPush, _ sandbox: Sandbox, to json: inout JSONWriter) {
    let message = sent.message
    json.member("id", message.id)
    json.member("number", PhoneNumber(message.destination)?.description)
    json.member("provider", sent.provider)
    json.member("reference", message.reference)
    json.member("text", message.text)
    json.member("acceptedAt", message.submittedAt.iso8601Milliseconds)
    json.member("status", word(for: message.state(at: sandbox.clock.now)))
    write(sent, sandbox, to: &json)
  }

  /// Writes what a push carries, and what has become of it.
  func write(_ sent: SentPush, _ sandbox: Sandbox, to json: inout JSONWriter) {
    json.member("to", sent.push.token)
    if case .object(let members) = sent.content {
      for member in members where member.name != "provider" { json.member(named: member.name, member.value) }
    }
    json.member("device", sent.device.map { sandbox.devices.identifier(of: $0) })
    json.member("app", sent.device?.draft.app)
    json.member("platform", sent.device?.draft.platform.rawValue)
    json.member("deliveredAt", sent.deliveredAt(by: sandbox.clock.now)?.iso8601Milliseconds)
    json.member("readAt", sent.push.readAt?.iso8601Milliseconds)
    if let challenge = sent.challenge { write(challenge, at: sandbox.clock.now, to: &json) }
  }

  /// What has become of a push.
  private func word(for state: DeliveryReceipt.State) -> String {
    switch state {
    case .accepted, .enroute: "sent"
    case .delivered, .read: "delivered"
    case .expired: "expired"
    case .undeliverable, .rejected, .refused: "failed"
    }
  }
}
