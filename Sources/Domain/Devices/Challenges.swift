import Basics
import Numbers

/// The challenges of a sandbox.
///
/// ```
/// provider            carrier               handset
///   create ── push ──────> message ────────> app: delivered, read
///   create ── QR code on a screen ─────────> scan
///   its routes <── requests of MobileSDK ── approve, deny: by the person, or by the number's reaction
///   └─> answer(_:to:) ──> handleEvent
/// ```
/// A provider without an SDK gets the answer directly.
package struct Challenges {
  package enum AnswerOutcome: Equatable {
    case accepted(Challenge)
    /// The challenge has expired, or was answered before.
    case ended(Challenge)
  }

  let sandbox: Sandbox

  /// Creates a challenge, and submits its push to the carrier. `sendPush` sends it in another way.
  package func create(
    _ draft: Challenge.Draft, sendPush: ((Device) throws -> Message?)? = nil
  ) throws -> Challenge {
    let now = sandbox.clock.now
    let ordinal = sandbox.nextOrdinal()
    let message = try draft.device.flatMap { device -> Message? in
      if let sendPush { return try sendPush(device) }
      return try draft.push.flatMap {
        try sandbox.pushes.send(
          $0.message, to: device, payload: $0.payload, addressing: draft.pushToken)
      }
    }
    let challenge = Challenge(
      ordinal: ordinal, provider: draft.provider, reference: draft.reference, holder: draft.holder,
      device: draft.device?.ordinal, push: message?.ordinal, createdAt: now, expiresAt: now + draft.lifetime,
      defaultReaction: draft.defaultReaction)
    try insert(challenge)
    try append(.challengeAsked, challenge, at: now)
    if let arrival = draft.isKnownToApp ? now : message?.arrivesAt {
      try scheduleReaction(to: challenge, at: arrival)
    }
    return challenge
  }

  /// Records an answer that has reached the provider, and notifies the provider.
  package func answer(_ answer: Challenge.Answer, to challenge: Challenge) throws -> AnswerOutcome {
    let now = sandbox.clock.now
    guard challenge.state(at: now) == .pending else { return .ended(challenge) }
    var challenge = challenge
    challenge.answer = answer
    challenge.answeredAt = now
    try update(challenge)
    try append(answer == .approve ? .challengeApproved : .challengeDenied, challenge, at: now)
    try sandbox.report(.answered(challenge), to: challenge.provider)
    return .accepted(challenge)
  }

  /// Scans a challenge with a device; nil if the challenge is another device's, or has ended.
  package func scan(_ challenge: Challenge, with device: Device) throws -> Challenge? {
    let now = sandbox.clock.now
    guard challenge.state(at: now) == .pending, challenge.holder == device.draft.holder,
      challenge.provider == device.draft.provider, challenge.device ?? device.ordinal == device.ordinal
    else { return nil }
    guard challenge.device == nil else { return challenge }
    var challenge = challenge
    challenge.device = device.ordinal
    try update(challenge)
    try append(.challengeScanned, challenge, at: now)
    try scheduleReaction(to: challenge, at: now)
    return challenge
  }

  /// Records an app's receipt for the push of a challenge, and notifies the provider.
  package func record(_ mark: Push.Mark, of challenge: Challenge) throws {
    guard let ordinal = challenge.push, let push = try sandbox.pushes.find(ordinal),
      try sandbox.pushes.record(mark, of: push)
    else { return }
    try append(mark == .read ? .pushRead : .pushDelivered, challenge, at: sandbox.clock.now)
    try sandbox.report(.marked(challenge, mark), to: challenge.provider)
  }

  /// Ends a challenge whose answer is no longer needed.
  package func withdraw(_ challenge: Challenge) throws {
    let now = sandbox.clock.now
    guard challenge.state(at: now) == .pending else { return }
    var challenge = challenge
    challenge.expiresAt = now
    try update(challenge)
  }

  /// A person answers on the handset: the app sends the answer as the provider's SDK does, signed with its
  /// key. Throws an `AppRefusal`, which is also recorded as an event.
  package func answerOnHandset(
    _ answer: Challenge.Answer, to challenge: Challenge, fault: AnswerFault? = nil
  ) throws -> AnswerOutcome {
    guard fault == .late || challenge.state(at: sandbox.clock.now) == .pending else {
      return .ended(challenge)
    }
    let sdk = sandbox.mobileSDK(of: challenge.provider)
    do {
      let device = try device(asked: challenge)
      if let obstacle = device?.obstacle(to: answer) { throw AppRefusal(obstacle) }
      guard let sdk else { return try self.answer(answer, to: challenge) }
      guard let device else {
        throw AppRefusal(
          "no app of \(challenge.provider) on a handset of \(challenge.holder); see POST /control/devices")
      }
      let app = HandsetApp(device, answeringWith: fault, in: sandbox)
      try sdk.answer(app, answer, challenge)
      guard let answered = try find(challenge.ordinal), answered.answer == answer else {
        throw AppRefusal("\(challenge.provider) has not accepted the answer to \(challenge.reference)")
      }
      return .accepted(answered)
    } catch let refusal as AppRefusal {
      try append(.challengeRefused, challenge, at: sandbox.clock.now)
      throw refusal
    }
  }

  /// The device that was asked; for a challenge to scan, the newest one that may scan it.
  private func device(asked challenge: Challenge) throws -> Device? {
    let device =
      try challenge.device.map { try sandbox.devices.find(ordinal: $0) }
      ?? sandbox.devices.all(of: challenge.holder, provider: challenge.provider).last
    return device?.end == nil ? device : nil
  }

  /// Answers with the person's automatic reaction, if the handset allows it and nobody has answered before.
  func react(_ item: Agenda.Item) throws {
    guard let challenge = try find(item.subject), let answer = try reaction(to: challenge)?.answer,
      challenge.state(at: item.dueAt) == .pending, try device(asked: challenge)?.obstacle(to: answer) == nil
    else { return }
    try sandbox.withClock(at: item.dueAt) {
      do { _ = try answerOnHandset(answer, to: challenge) } catch is AppRefusal {}
    }
  }

  /// Schedules the reaction to a push that was held and has arrived now.
  func pushArrived(_ message: Message, at time: Timestamp) throws {
    guard let challenge = try find(push: message.ordinal) else { return }
    try scheduleReaction(to: challenge, at: time)
  }

  /// Schedules the reactions to the challenges that the app already has, after a change of the handset.
  func resume(on device: Device) throws {
    var filter = Filter()
    (filter.holder, filter.provider) = (device.draft.holder, device.draft.provider)
    let now = sandbox.clock.now
    for challenge in try all(filter)
    where challenge.device == device.ordinal && challenge.state(at: now) == .pending {
      let message = try challenge.push.flatMap { try sandbox.messages.find($0) }
      if challenge.push == nil || message?.arrivesAt.map({ $0 <= now }) == true {
        try scheduleReaction(to: challenge, at: now)
      }
    }
  }

  private func scheduleReaction(to challenge: Challenge, at time: Timestamp) throws {
    guard try reaction(to: challenge)?.answer != nil else { return }
    let delay = try device(asked: challenge)?.draft.handset.answerAfter ?? .zero
    try sandbox.agenda.schedule(.answerChallenge, on: challenge.ordinal, at: time + delay)
  }

  /// The behaviour of the device, else that of the number's record, else the provider's.
  private func reaction(to challenge: Challenge) throws -> PushReaction? {
    try device(asked: challenge)?.draft.handset.behaviour
      ?? PhoneNumber(challenge.holder).flatMap { try sandbox.subscribers[$0].pushReaction }
      ?? challenge.defaultReaction
  }

  private func append(_ kind: Event.Kind, _ challenge: Challenge, at time: Timestamp) throws {
    try sandbox.events.append(
      kind, provider: challenge.provider, subject: challenge.ordinal, destination: challenge.holder, at: time)
  }
}
