import Domain
import HTTP
import JSON

/// Notifications to apps: what was pushed, what the app told of it, and what was answered. Source: DESIGN 6.
extension ControlAPI {
  func listPushes(_ request: Request, _ sandbox: Sandbox) throws -> Reply {
    let query = try request.query
    var filter = Messages.Filter()
    filter.channel = .push
    filter.destination = query["number"]
    filter.provider = query["provider"]
    filter.after = try count("after", in: query, atMost: Int.max) ?? 0
    let (state, patience, wanted) = (try state(query), try patience(query), filter)
    try query.requireAllRead()
    return try wait(patience, request, sandbox) { sandbox in
      let pushes = try sentPushes(wanted, in: state, sandbox)
      return pushes.isEmpty ? nil : list(pushes, after: wanted.after, sandbox)
    } otherwise: {
      list([], after: wanted.after, $0)
    }
  }

  /// A push with its message, its device and the question that it brought.
  struct SentPush {
    let message: Message
    let push: Push
    let device: Device?
    let challenge: Challenge?
  }

  /// What a message carries for an app; nil where it is no push.
  func sentPush(of message: Message, in sandbox: Sandbox) throws -> SentPush? {
    guard message.channel == .push, let push = try sandbox.pushes.find(message.ordinal) else { return nil }
    return SentPush(
      message: message, push: push, device: try sandbox.devices.find(ordinal: push.device),
      challenge: try sandbox.challenges.find(push: push.ordinal))
  }

  /// Writes what a push carries, and what has become of it.
  func write(_ sent: SentPush, _ sandbox: Sandbox, to json: inout JSONWriter) {
    json.member("to", sent.push.token)
    if case .object(let members)? = try? JSON(parsing: Array(sent.push.payload.utf8)) {
      for member in members { json.member(named: member.name, member.value) }
    }
    json.member("device", sent.device.map { sandbox.devices.identifier(of: $0) })
    json.member("app", sent.device?.draft.app)
    json.member("platform", sent.device?.draft.platform.rawValue)
    json.member("deliveredAt", sent.push.deliveredAt?.iso8601Milliseconds)
    json.member("readAt", sent.push.readAt?.iso8601Milliseconds)
    if let challenge = sent.challenge { write(challenge, at: sandbox.clock.now, to: &json) }
  }

  private func sentPushes(
    _ filter: Messages.Filter, in state: Challenge.State?, _ sandbox: Sandbox
  ) throws -> [SentPush] {
    let now = sandbox.clock.now
    return try sandbox.messages.submitted(filter).compactMap { try sentPush(of: $0, in: sandbox) }
      .filter { state == nil || $0.challenge?.state(at: now) == state }
  }

  private func state(_ query: Form) throws -> Challenge.State? {
    guard let word = query["state"] else { return nil }
    guard let state = Challenge.State(rawValue: word) else {
      let words = Challenge.State.allCases.map(\.rawValue).joined(separator: ", ")
      throw FormError(field: "state", expected: "one of \(words)")
    }
    return state
  }

  private func list(_ pushes: [SentPush], after: Int, _ sandbox: Sandbox) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        json.array("pushes", pushes) { json, sent in
          let message = sent.message
          json.value { json in
            json.member("id", message.id)
            json.member("number", message.destination)
            json.member("provider", message.provider)
            json.member("reference", message.reference)
            json.member("text", message.text)
            write(sent, sandbox, to: &json)
          }
        }
        json.member("cursor", pushes.last?.message.ordinal ?? after)
      })
  }
}
