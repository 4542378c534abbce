/// The verifications of a sandbox: start, send again, check, end.
///
/// ```
/// start ──> pending ──right code──> approved
///              │ ├──cancel───────> canceled
///              │ ├──time is up───> expired       (agenda)
///              │ └──one check too many──> exhausted
///              └─start again: the same verification and code, sent once more
/// ```
package struct Verifications {
  let sandbox: Sandbox

  /// What a start asks for.
  package struct Start {
    /// Who, for whom, to where.
    package let claim: Claim
    /// How the code is to travel.
    package let channel: Channel
    /// The limits.
    package let rules: VerificationRules
    /// A code that the caller brings.
    package var customCode: String?
    /// What the provider keeps with it: a JSON object.
    package var details = "{}"
    /// Words the message that carries the code; nil where none is sent, as for a silent proof.
    package let compose: (Verification) -> MessageDraft?
    /// Told of each message that the carrier has taken over.
    package var onSent: (Verification, Message) throws -> Void = { _, _ in }

    /// A start from its parts.
    package init(
      _ claim: Claim, over channel: Channel, rules: VerificationRules,
      compose: @escaping (Verification) -> MessageDraft?
    ) {
      self.claim = claim
      self.channel = channel
      self.rules = rules
      self.compose = compose
    }
  }

  /// What came of a start.
  package enum StartOutcome {
    /// A new verification with a new code, sent.
    case created(Verification)
    /// The one that waits already, its code sent once more.
    case resent(Verification)
    /// Nothing: the one that waits was sent as often as allowed.
    case sendsExhausted(Verification)
    /// Nothing: the last one was checked too often and its time has not ended.
    case checksExhausted(Verification)
  }

  /// What came of a check.
  package enum CheckOutcome {
    /// The code is right; the verification is approved.
    case approved(Verification)
    /// The code is wrong; the verification goes on waiting.
    case wrongCode(Verification)
    /// One check too many, or the last of them wrong: the verification is locked, whatever the code.
    case checksExhausted(Verification)
    /// There is nothing to check against.
    case nothingPending(MissingReason)
  }

  /// Starts a verification, or sends the waiting one's code again.
  package func start(_ start: Start) throws -> StartOutcome {
    let now = sandbox.clock.now
    let newest = try newest(start.claim.provider, to: start.claim.destination)
    let latest = try latest(start.claim, knowing: newest)
    if start.rules.refusesStartWhileLocked, let latest, latest.isLocked(at: now) {
      return .checksExhausted(latest)
    }
    guard start.rules.resendsWhilePending, let latest, latest.isLive(at: now) else {
      return .created(try create(start, series: (newest?.series ?? 0) + 1, at: now))
    }
    let recent = latest.attempts.all.filter { $0.sentAt + start.rules.sendWindow > now }
    guard recent.count < start.rules.sendLimit else { return .sendsExhausted(latest) }
    return .resent(try resend(latest, start, at: now))
  }

  /// Holds a code against a verification; `limit` checks get an honest answer.
  package func check(_ code: String, of verification: Verification?, limit: Int) throws -> CheckOutcome {
    var rules = VerificationRules()
    rules.checkLimit = limit
    return try check(code, of: verification, by: rules)
  }

  /// Holds a code against a verification.
  package func check(
    _ code: String, of verification: Verification?, by rules: VerificationRules
  ) throws -> CheckOutcome {
    guard var verification else { return .nothingPending(.neverStarted) }
    let now = sandbox.clock.now
    if verification.isLocked(at: now) { return .checksExhausted(verification) }
    guard verification.isLive(at: now) else { return .nothingPending(.ended(verification)) }
    if let validity = rules.codeValidity, let absence = verification.absentCode(after: validity, at: now) {
      return .nothingPending(absence)
    }
    verification.checks += 1
    verification.updatedAt = now
    if verification.checks > rules.checkLimit {
      return .checksExhausted(try end(verification, as: .exhausted))
    }
    if verification.accepts(code) {
      verification.attempts = verification.attempts.answered(with: code)
      return .approved(try end(verification, as: .approved))
    }
    if rules.locksOnLastFailure, verification.checks == rules.checkLimit {
      return .checksExhausted(try end(verification, as: .exhausted))
    }
    try update(verification)
    return .wrongCode(verification)
  }

  /// Ends a waiting verification on the caller's word; nil when it waits no longer. `attempt` is the sending that
  /// led to it, where one did; `time` is when the word was said, now where nothing is said of it.
  package func conclude(
    _ verification: Verification, as state: Verification.State, answering attempt: Int? = nil,
    at time: Timestamp? = nil
  ) throws -> Verification? {
    var verification = verification
    let now = time ?? sandbox.clock.now
    guard verification.isLive(at: now) else { return nil }
    if let attempt { verification.attempts = verification.attempts.answered(attempt) }
    verification.updatedAt = now
    return try end(verification, as: state)
  }

  /// The newest verification of a claim; mostly that is the newest of its destination.
  private func latest(_ claim: Claim, knowing newest: Verification?) throws -> Verification? {
    guard let newest, newest.claim.owner != claim.owner else { return newest }
    return try latest(claim)
  }

  private func create(_ start: Start, series: Int, at now: Timestamp) throws -> Verification {
    let subscriber = try subscriber(of: start)
    let code = code(for: start, series: series, attempt: 1, subscriber)
    let verification = Verification(
      ordinal: sandbox.nextOrdinal(), claim: start.claim, series: series, channel: start.channel,
      state: .pending, code: code, checks: 0, createdAt: now, updatedAt: now,
      expiresAt: now + start.rules.lifetime,
      attempts: Attempts(first: start.channel, at: now, code: start.ownCode(code)), details: start.details)
    try insert(verification)
    try scheduleExpiry(of: verification)
    try send(start, verification, to: subscriber)
    return verification
  }

  private func resend(_ latest: Verification, _ start: Start, at now: Timestamp) throws -> Verification {
    let subscriber = try subscriber(of: start)
    var verification = latest
    verification.channel = start.channel
    verification.updatedAt = now
    if start.customCode != nil || start.rules.codes == .perAttempt || latest.code.isEmpty {
      let attempt = latest.attempts.all.count + 1
      verification.code = code(for: start, series: latest.series, attempt: attempt, subscriber)
    }
    verification.attempts = latest.attempts.adding(
      start.channel, at: now, code: start.ownCode(verification.code))
    try update(verification)
    try send(start, verification, to: subscriber)
    return verification
  }

  private func send(_ start: Start, _ verification: Verification, to subscriber: Subscriber?) throws {
    guard let draft = start.compose(verification) else { return }
    try start.onSent(verification, sandbox.messages.submit(draft, to: subscriber))
  }

  /// A silent sending has no code before it is proven.
  private func code(for start: Start, series: Int, attempt: Int, _ subscriber: Subscriber?) -> String {
    if start.channel == .silent { return "" }
    return start.customCode
      ?? sandbox.codes.code(
        for: start.claim, series: series, attempt: attempt, length: start.rules.codeLength,
        subscriber: subscriber)
  }

  /// Ends a verification, and tells its provider.
  func end(_ verification: Verification, as state: Verification.State) throws -> Verification {
    var verification = verification
    verification.state = state
    try update(verification)
    try sandbox.events.append(Event.Kind(ending: state), of: verification, at: verification.updatedAt)
    try sandbox.report(.ended(verification), to: verification.claim.provider)
    return verification
  }

  private func subscriber(of start: Start) throws -> Subscriber? {
    try PhoneNumber(start.claim.destination).map { try sandbox.subscribers[$0] }
  }
}

extension Verifications.Start {
  /// The code as its sending has it, where each has its own.
  fileprivate func ownCode(_ code: String) -> String? {
    rules.codes == .perAttempt && !code.isEmpty ? code : nil
  }
}
