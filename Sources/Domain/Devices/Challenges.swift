/// The challenges of a sandbox: ask, answer, withdraw.
///
/// ```
/// provider            carrier               handset
///   ask ── push ──────> message ──────────> app: delivered, read
///   ask ── QR code on a screen ───────────> scan
///   handleEvent <── notice ─────────────────────── approve, deny: the person, or the habit of the number
/// ```
package struct Challenges {
  /// What came of an answer.
  package enum AnswerOutcome: Equatable {
    /// It counts.
    case taken(Challenge)
    /// It comes too late, or the question was answered before.
    case over(Challenge)
  }

  let sandbox: Sandbox

  /// Asks; the push, where there is one, is handed to the carrier.
  package func ask(_ draft: Challenge.Draft) throws -> Challenge {
    let now = sandbox.clock.now
    let ordinal = sandbox.nextOrdinal()
    let message = try draft.device.flatMap { device in
      try draft.push.flatMap { try sandbox.pushes.send($0.message, to: device, payload: $0.payload) }
    }
    let challenge = Challenge(
      ordinal: ordinal, provider: draft.provider, reference: draft.reference, holder: draft.holder,
      device: draft.device?.ordinal, push: message?.ordinal, createdAt: now, expiresAt: now + draft.lifetime,
      habit: draft.habit)
    try insert(challenge)
    try append(.challengeAsked, challenge, at: now)
    if let arrival = message?.arrivesAt { try expect(habitOf: challenge, at: arrival) }
    return challenge
  }

  /// Takes what a person says; the provider takes notice.
  package func answer(_ answer: Challenge.Answer, to challenge: Challenge) throws -> AnswerOutcome {
    try self.answer(answer, to: challenge, at: sandbox.clock.now)
  }

  private func answer(
    _ answer: Challenge.Answer, to challenge: Challenge, at now: Timestamp
  ) throws -> AnswerOutcome {
    guard challenge.state(at: now) == .pending else { return .over(challenge) }
    var challenge = challenge
    challenge.answer = answer
    challenge.answeredAt = now
    try update(challenge)
    try append(answer == .approve ? .challengeApproved : .challengeDenied, challenge, at: now)
    try sandbox.report(.answered(challenge), to: challenge.provider)
    return .taken(challenge)
  }

  /// A device scans a question that no push brings; nil when it is another's, or over.
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
    try expect(habitOf: challenge, at: now)
    return challenge
  }

  /// Takes what an app tells of the push that brought a question.
  package func note(_ mark: Push.Mark, of challenge: Challenge) throws {
    guard let ordinal = challenge.push, let push = try sandbox.pushes.find(ordinal),
      try sandbox.pushes.note(mark, on: push)
    else { return }
    try append(mark == .read ? .pushRead : .pushDelivered, challenge, at: sandbox.clock.now)
    try sandbox.report(.marked(challenge, mark), to: challenge.provider)
  }

  /// Ends a question that nobody needs answered any more.
  package func withdraw(_ challenge: Challenge) throws {
    let now = sandbox.clock.now
    guard challenge.state(at: now) == .pending else { return }
    var challenge = challenge
    challenge.expiresAt = now
    try update(challenge)
  }

  /// A person does what they always do, unless somebody was faster.
  func answerByHabit(_ item: Agenda.Item) throws {
    guard let challenge = try find(item.subject), let answer = try habit(of: challenge)?.answer else {
      return
    }
    _ = try self.answer(answer, to: challenge, at: item.dueAt)
  }

  /// A push that was held has arrived after all.
  func noteArrival(of message: Message, at time: Timestamp) throws {
    guard let challenge = try find(push: message.ordinal) else { return }
    try expect(habitOf: challenge, at: time)
  }

  private func expect(habitOf challenge: Challenge, at time: Timestamp) throws {
    guard try habit(of: challenge)?.answer != nil else { return }
    try sandbox.agenda.schedule(.answerChallenge, on: challenge.ordinal, at: time)
  }

  private func habit(of challenge: Challenge) throws -> Habit? {
    try PhoneNumber(challenge.holder).flatMap { try sandbox.subscribers[$0].pushes } ?? challenge.habit
  }

  private func append(_ kind: Event.Kind, _ challenge: Challenge, at time: Timestamp) throws {
    try sandbox.events.append(
      kind, provider: challenge.provider, subject: challenge.ordinal, destination: challenge.holder, at: time)
  }
}
