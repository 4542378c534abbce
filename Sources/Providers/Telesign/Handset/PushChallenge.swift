import ProviderKit

/// The question to a registered device of a verification's number. Source: contract 5.2, 5.4.5 and 5.5.
enum PushChallenge {
  /// Sends a challenge to the registered device, by push or as a code to scan. Without a device the next
  /// method starts.
  static func send(
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
      provider: TelesignProvider.name,
      reference: ReferenceID.text(.verification, verification.ordinal, in: sandbox),
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
  static func answered(_ challenge: Challenge, in sandbox: Sandbox) throws {
    guard let (verification, _) = try VerificationDetails.find(challenge.reference, in: sandbox) else {
      return
    }
    let mayFallBack = try Settings.current(in: sandbox).pushDenyFallback
    if challenge.answer == .deny, mayFallBack, let step = try sandbox.fallbacks.activeStep(of: verification) {
      return try sandbox.fallbacks.fail(step, of: verification, for: .denied, at: challenge.answeredAt)
    }
    _ = try sandbox.verifications.finish(
      verification, as: challenge.answer == .approve ? .approved : .denied, at: challenge.answeredAt)
  }

  /// Stores the app's report about its push in the method, and schedules a callback. Source: contract 13.4.
  static func marked(_ challenge: Challenge, _ mark: Push.Mark, in sandbox: Sandbox) throws {
    guard let (verification, details) = try VerificationDetails.find(challenge.reference, in: sandbox),
      let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == .push
    else { return }
    _ = try sandbox.fallbacks.save(mark == .read ? .read : .delivered, of: step)
    try VerificationCallbacks(verification, details, in: sandbox).schedule(at: sandbox.clock.now)
  }

  /// Withdraws the latest challenge of a verification that has ended.
  static func withdraw(
    of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
  ) throws {
    guard details.policy.entries.contains(where: { $0.method.channel == .push }) else { return }
    let reference = ReferenceID.text(.verification, verification.ordinal, in: sandbox)
    guard let challenge = try sandbox.challenges.latest(about: reference, provider: TelesignProvider.name)
    else { return }
    try sandbox.challenges.withdraw(challenge)
  }

  /// The push message with its payload for the app. Source: contract 5.4.5.
  private static func push(
    _ draft: Challenge.Draft, to device: Device, _ token: MobileAppToken, until end: Timestamp,
    at now: Timestamp
  ) -> (message: MessageDraft, payload: String) {
    let message = MessageDraft(
      provider: TelesignProvider.name, reference: draft.reference, channel: .push,
      destination: device.draft.holder, sender: device.draft.app, text: defaultText, code: nil)
    let data = Texts([
      ("provider", TelesignProvider.name), ("type", "push_verify"), ("reference_id", draft.reference),
      ("mobile_app_token", token.text), ("expires_on", end.iso8601Microseconds),
    ])
    return (message, payload(of: data, to: device, text: message.text, lifetime: draft.lifetime, at: now))
  }

  /// The sandbox's text; the provider's is not public.
  static let defaultText = "Is it you who signs in?"

  /// The entry of the sandbox's push list. The provider's pushes travel by Firebase, also to iOS. Source:
  /// contract 5.4.5 and `push-gateway.md` 3.2
  static func payload(
    of data: Texts, to device: Device, text: String, lifetime: Duration, at now: Timestamp
  ) -> String {
    var push = AppPush(
      of: TelesignProvider.name, to: device, token: device.draft.pushToken ?? "", data: data)
    (push.gateway, push.text, push.lifetime) = ("fcm-v1", text, lifetime.wholeSeconds)
    return push.payload(at: now)
  }
}
