import Domain
import HTTP
import JSON
import ProviderKit

// Push verification: a challenge is sent to the registered device, and its user approves or denies it.
// Source: contract 5.2, 5.4.2, 5.4.3 and 5.5.

func decideOnDevice(_ context: HandsetContext) throws -> Response {
  let fields = try context.request.lenientJSON
  guard let answer = try fields.word("decision", of: Challenge.Answer.self) else {
    throw fields.mismatch("decision", expected: "one of \(Challenge.Answer.allCases.map(\.rawValue))")
  }
  let device = try registeredDevice(fields.string("device_id"), context)
  let challenge = try pendingChallenge(for: device, context)
  _ = try context.sandbox.challenges.answer(answer, to: challenge)
  let state = try context.currentState()
  return context.respond(answer == .approve ? 3900 : 3904) { $0.member("state", state) }
}

func reportPushStatus(_ context: HandsetContext) throws -> Response {
  let fields = try context.request.lenientJSON
  guard let mark = try fields.word("push_status", of: Push.Mark.self) else {
    throw fields.mismatch("push_status", expected: "one of \(Push.Mark.allCases.map(\.rawValue))")
  }
  guard let challenge = try latestChallenge(context), challenge.push != nil else {
    throw APIError(3931, in: .omnichannel).because("no push was sent")
  }
  try context.sandbox.challenges.record(mark, of: challenge)
  return context.respond(mark == .read ? 3005 : 3000)
}

private func latestChallenge(_ context: HandsetContext) throws -> Challenge? {
  try context.sandbox.challenges.latest(about: context.reference, provider: TelesignProvider.name)
}

/// A registered device of the verification's number.
private func registeredDevice(_ id: String, _ context: HandsetContext) throws -> Device {
  guard let device = try context.sandbox.devices.find(id), device.end == nil,
    device.draft.holder == context.holder, device.draft.provider == TelesignProvider.name
  else {
    throw APIError(3110, 404, statusText(3110), in: .omnichannel)
      .because("device_id: the number has no registered device with this id")
  }
  return device
}

/// The challenge that the device may answer now. If it was not pushed, the device scans it with its answer.
private func pendingChallenge(for device: Device, _ context: HandsetContext) throws -> Challenge {
  guard let challenge = try latestChallenge(context) else {
    throw APIError(3931, in: .omnichannel).because("no device was asked")
  }
  switch challenge.state(at: context.sandbox.clock.now) {
  case .approved, .denied: throw APIError(3931, in: .omnichannel).because("it was answered before")
  case .expired: throw APIError(3908, in: .omnichannel).because("the challenge has expired")
  case .pending: break
  }
  guard let scanned = try context.sandbox.challenges.scan(challenge, with: device) else {
    throw APIError(3110, 404, statusText(3110), in: .omnichannel)
      .because("device_id: the challenge was sent to another device")
  }
  return scanned
}

/// Sends a challenge to the registered device, by push or as a code to scan. Without a device the next method
/// starts.
func sendChallenge(
  in step: Step, of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  let isPushed = details.policy.entries.contains { $0.method == .push }
  let devices = try sandbox.devices.all(of: verification.claim.destination, provider: TelesignProvider.name)
  let device = devices.last { !isPushed || $0.draft.pushToken == details.recipient.pushToken }
  guard let device, let end = step.endsAt, try !isPushed || sandbox.devices.countPush(to: device) == .ok
  else {
    return try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
  }
  var draft = Challenge.Draft(
    provider: TelesignProvider.name, reference: referenceID(.verification, verification.ordinal, in: sandbox),
    holder: device.draft.holder, lifetime: end - sandbox.clock.now)
  draft.defaultReaction = details.recipient.number?.ending?.pushReaction
  if isPushed {
    draft.device = device
    draft.push = push(
      draft, to: device, MobileAppToken(of: verification, in: sandbox), until: end, at: sandbox.clock.now)
  }
  _ = try sandbox.challenges.create(draft)
}

/// Completes the verification. If a setting says so, a denial starts the next method instead.
func handleAnswer(to challenge: Challenge, in sandbox: Sandbox) throws {
  guard let (verification, _) = try findVerification(challenge.reference, in: sandbox) else { return }
  let mayFallBack = try Settings.current(in: sandbox).pushDenyFallback
  if challenge.answer == .deny, mayFallBack, let step = try sandbox.fallbacks.activeStep(of: verification) {
    return try sandbox.fallbacks.fail(step, of: verification, for: .denied, at: challenge.answeredAt)
  }
  _ = try sandbox.verifications.finish(
    verification, as: challenge.answer == .approve ? .approved : .denied, at: challenge.answeredAt)
}

/// Stores the app's report about its push in the method, and schedules a callback. Source: contract 13.4.
func handlePushMark(_ mark: Push.Mark, of challenge: Challenge, in sandbox: Sandbox) throws {
  guard let (verification, details) = try findVerification(challenge.reference, in: sandbox),
    let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == .push
  else { return }
  _ = try sandbox.fallbacks.save(mark == .read ? .read : .delivered, of: step)
  try scheduleCallback(about: verification, details, at: sandbox.clock.now, in: sandbox)
}

/// Withdraws the latest challenge of a verification that has ended.
func withdrawChallenge(
  of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  guard details.policy.entries.contains(where: { $0.method.channel == .push }) else { return }
  let reference = referenceID(.verification, verification.ordinal, in: sandbox)
  guard let challenge = try sandbox.challenges.latest(about: reference, provider: TelesignProvider.name)
  else { return }
  try sandbox.challenges.withdraw(challenge)
}

/// The push message with its payload for the app. Source: contract 5.4.5.
private func push(
  _ draft: Challenge.Draft, to device: Device, _ token: MobileAppToken, until end: Timestamp,
  at now: Timestamp
) -> (message: MessageDraft, payload: String) {
  let message = MessageDraft(
    provider: TelesignProvider.name, reference: draft.reference, channel: .push,
    destination: device.draft.holder, sender: device.draft.app, text: defaultPushText, code: nil)
  let data = Texts([
    ("provider", TelesignProvider.name), ("type", "push_verify"), ("reference_id", draft.reference),
    ("mobile_app_token", token.text), ("expires_on", end.iso8601Microseconds),
  ])
  return (message, payload(of: data, to: device, text: message.text, lifetime: draft.lifetime, at: now))
}

/// The sandbox's text; the provider's is not public.
let defaultPushText = "Is it you who signs in?"

/// The entry of the sandbox's push list. The provider's pushes travel by Firebase, also to iOS. Source:
/// contract 5.4.5 and `push-gateway.md` 3.2
func payload(
  of data: Texts, to device: Device, text: String, lifetime: Duration, at now: Timestamp
) -> String {
  var push = AppPush(
    of: TelesignProvider.name, to: device, token: device.draft.pushToken ?? "", data: data)
  (push.gateway, push.text, push.lifetime) = ("fcm-v1", text, lifetime.wholeSeconds)
  return push.payload(at: now)
}
