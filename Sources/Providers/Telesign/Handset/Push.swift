import Domain
import JSON
import ProviderKit

// A login by push: what the device is asked, and what becomes of the verification. Source: contract 5.2 and 5.5.

/// Asks the registered device, by a push or by a code to scan; without one the next method begins at once.
func askDevice(
  in step: Step, of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  let isPushed = details.policy.entries.contains { $0.method == .push }
  let devices = try sandbox.devices.all(of: verification.claim.destination, provider: TelesignProvider.name)
  let device = devices.last { !isPushed || $0.draft.pushToken == details.recipient.pushToken }
  guard let device, let end = step.endsAt else {
    return try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
  }
  var draft = Challenge.Draft(
    provider: TelesignProvider.name, reference: referenceID(.verification, verification.ordinal, in: sandbox),
    holder: device.draft.holder, lifetime: end - sandbox.clock.now)
  draft.defaultReaction = details.recipient.number?.ending?.pushReaction
  if isPushed {
    draft.device = device
    draft.push = push(draft, to: device, MobileAppToken(of: verification, in: sandbox), until: end)
  }
  _ = try sandbox.challenges.create(draft)
}

/// What a person has answered ends the verification; a setting lets a denial go on with the next method.
func recordAnswer(_ answered: Challenge, in sandbox: Sandbox) throws {
  guard let found = try findVerification(answered.reference, in: sandbox) else { return }
  let verification = found.verification
  let mayFallBack = try Settings.current(in: sandbox).pushDenyFallback
  if answered.answer == .deny, mayFallBack, let step = try sandbox.fallbacks.current(of: verification) {
    return try sandbox.fallbacks.fail(step, of: verification, for: .denied, at: answered.answeredAt)
  }
  _ = try sandbox.verifications.conclude(
    verification, as: answered.answer == .approve ? .approved : .denied, at: answered.answeredAt)
}

/// What an app has told of its push shows in the method, and callbacks tell it. Source: contract 13.4.
func recordMark(_ mark: Push.Mark, of challenge: Challenge, in sandbox: Sandbox) throws {
  guard let (verification, details) = try findVerification(challenge.reference, in: sandbox),
    let step = try sandbox.fallbacks.current(of: verification), step.channel == .push
  else { return }
  _ = try sandbox.fallbacks.note(mark == .read ? .read : .delivered, of: step)
  try tell(of: verification, details, at: sandbox.clock.now, in: sandbox)
}

/// Nobody need answer for a verification that has ended otherwise.
func withdrawQuestion(of verification: Verification, in sandbox: Sandbox) throws {
  guard try VerificationDetails(of: verification)?.asksDevice ?? false else { return }
  let reference = referenceID(.verification, verification.ordinal, in: sandbox)
  guard let challenge = try sandbox.challenges.latest(about: reference, provider: TelesignProvider.name)
  else { return }
  try sandbox.challenges.withdraw(challenge)
}

/// The message with what the app reads. Source: contract 5.4.5.
private func push(
  _ draft: Challenge.Draft, to device: Device, _ token: MobileAppToken, until end: Timestamp
) -> (message: MessageDraft, payload: String) {
  let message = MessageDraft(
    provider: TelesignProvider.name, reference: draft.reference, channel: .push,
    destination: device.draft.holder,
    sender: device.draft.app, text: "Is it you who signs in?", code: nil)
  let payload = JSONWriter.object { json in
    json.object("data") { json in
      json.member("provider", TelesignProvider.name)
      json.member("type", "push_verify")
      json.member("reference_id", draft.reference)
      json.member("mobile_app_token", token.text)
      json.member("expires_on", end.microseconds)
    }
  }
  return (message, String(decoding: payload, as: UTF8.self))
}

extension VerificationDetails {
  /// Whether a device may have been asked.
  fileprivate var asksDevice: Bool { policy.entries.contains { $0.method.channel == .push } }
}

extension Ending {
  /// What a person with such a number answers to a push, where their record does not say. Source: contract 15.1.
  fileprivate var pushReaction: PushReaction? {
    switch self {
    case .approvesPush: .approve
    case .deniesPush: .deny
    case .ignoresPush: .ignore
    default: nil
    }
  }
}
