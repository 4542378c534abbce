import Domain
import HTTP
import JSON
import ProviderKit

// Sending. Source: contract 1.1 to 1.3, 4 and 5

/// `POST /v1/projects/{project}/messages:send`
func sendMessage(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let read = Result { try body(of: request) }
  var attempt = begin(at: read, in: sandbox)
  let project = request[parameter: "project"]
  do {
    return try signedIn(request, for: project, in: sandbox) {
      let message = try Message(read.get())
      let identifier = identifier(of: attempt, in: sandbox)
      let reference = "projects/\(project)/messages/\(message.isDryRun ? "fake_message_id" : identifier)"
      let warning = try judgeBackground(message, in: sandbox)
      try deliver(message, as: identifier, of: project, in: sandbox)
      (attempt.status, attempt.reference) = (200, reference)
      try sandbox.pushAttempts.record(attempt)
      var response = Response.json(200, JSONWriter.object { $0.member("name", reference) })
      response.remark = warning
      return response
    }
  } catch let problem as Problem {
    attempt.refuse(problem)
    try sandbox.pushAttempts.record(attempt)
    throw problem
  }
}

/// Writes down a request that was refused before it came to its handler.
func note(_ problem: Problem, of request: Request, in sandbox: Sandbox) {
  var attempt = begin(at: Result { try body(of: request) }, in: sandbox)
  attempt.refuse(problem)
  do {
    try sandbox.pushAttempts.record(attempt)
  } catch {
    sandbox.warn("an attempt to push was not written down: \(error)")
  }
}

private func body(of request: Request) throws(Problem) -> JSON {
  do throws(SyntaxError) {
    return try JSON(parsing: request.body)
  } catch {
    throw Problem(400, "Invalid JSON payload received. \(error)")
  }
}

/// A request that comes now, with what can be read of it, be it wrong.
private func begin(at body: Result<JSON, any Error>, in sandbox: Sandbox) -> PushAttempt {
  var attempt = sandbox.pushAttempts.start(with: FCMProvider.name)
  if case .success(let json) = body { (attempt.target, attempt.isDryRun) = Message.glimpse(of: json) }
  return attempt
}

/// `0:1767608430000003%9f2c…`: microseconds that are counted, and chance. Source: contract 1.2
private func identifier(of attempt: PushAttempt, in sandbox: Sandbox) -> String {
  let microseconds = attempt.at.milliseconds * 1000 + Int64(attempt.ordinal % 1000)
  return "0:\(microseconds)%\(sandbox.entropy.identifier("fcm", attempt.ordinal).prefix(16))"
}

private func judgeBackground(_ message: Message, in sandbox: Sandbox) throws -> String? {
  guard message.asksTooMuchOfBackground else { return nil }
  let warning = "Apple refuses a background push of priority 10: apns-priority must be 5"
  guard try Settings.current(in: sandbox).strictBackground else { return warning }
  throw Problem(
    [Violation(field: "message.apns.headers", description: "Invalid APNs priority: 10")],
    code: .invalidArgument)
}

/// Brings a message to whoever it is for.
private func deliver(
  _ message: Message, as identifier: String, of project: String, in sandbox: Sandbox
) throws {
  let devices: [Device]
  switch message.target.kind {
  case "topic": devices = try Topic.devices(in: sandbox) { $0.contains(message.target.value) }
  case "condition":
    let condition = Condition(message.target.value)
    devices = try Topic.devices(in: sandbox, where: { condition?.holds(for: $0) ?? false })
  default: devices = [try device(for: message, in: sandbox)]
  }
  guard !message.isDryRun else { return }
  let attempts = 1 + (try sandbox.pushAttempts.failuresInARow(naming: message.target))
  let now = sandbox.clock.now
  for device in devices {
    let platform = device.draft.platform
    let end = message.end(on: platform, at: now)
    let draft = MessageDraft(
      provider: FCMProvider.name, reference: identifier, channel: .push, destination: device.draft.holder,
      sender: project,
      text: message.text(on: platform), code: nil)
    let entry = Entry(
      message: message, messageID: identifier, project: project, platform: platform, end: end, now: now,
      attempts: attempts, owner: sandbox.providerOwningPush(message.data(on: platform)))
    try sandbox.pushes.send(draft, to: device, payload: entry.encoded, until: end)
  }
}

/// The device of the message's token; a refusal where it has none, or its state asks for one.
private func device(for message: Message, in sandbox: Sandbox) throws -> Device {
  let app = message["android", "restrictedPackageName"]?.text ?? message.header("apns-topic")
  switch try recipient(of: message.target.value, app: app, in: sandbox) {
  case .device(let device):
    if let problem = Problem(of: try sandbox.devices.countPush(to: device)) { throw problem }
    return device
  case .former: throw Problem.unregistered(why: "the device has a new token, or has none any more")
  case .malformed(let why): throw Problem.invalidToken("message.\(message.target.kind)", why: why)
  }
}

extension PushAttempt {
  /// Notes that it was refused.
  fileprivate mutating func refuse(_ problem: Problem) {
    (status, code) = (problem.status.code, problem.code?.rawValue)
  }
}

extension Problem {
  /// The refusal of a token in this state; nil: it is taken. Source: contract 4
  fileprivate init?(of state: TokenState) {
    switch state {
    case .ok: return nil
    case .unregistered: self = .unregistered(why: "the token's state is unregistered")
    case .mismatch: self.init(.senderIDMismatch, "SenderId mismatch", why: "the token's state is mismatch")
    case .quota:
      self.init(
        .quotaExceeded, "Quota exceeded for quota metric 'Messages per device'.",
        why: "the token's state is quota")
      retryAfter = 1
    case .thirdParty:
      self.init(
        .thirdPartyAuthError, "Auth error from APNS or Web Push Service",
        why: "the token's state is thirdparty")
    case .flaky:
      self.init(
        .unavailable, "The service is currently unavailable.", why: "the token's state is \(state.text)")
    }
  }
}
