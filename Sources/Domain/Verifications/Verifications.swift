package import Basics
import Numbers

/// The verifications of a sandbox: start, resend, check, finish.
///
/// ```
/// start ──> pending ──right code──────> approved
///              │ ├───cancel──────────> canceled
///              │ ├───lifetime ends───> expired       (agenda)
///              │ └───too many checks─> exhausted
///              └─ start again: same verification, sent again
/// ```
package struct Verifications {
  let sandbox: Sandbox

  /// A request to start a verification.
  package struct Start {
    package let claim: Claim
    package let channel: Channel
    package let rules: VerificationRules
    /// Replaces the generated code.
    package var customCode: String?
    package var details = ProviderDetails("{}")
    /// Writes the message with the code; nil if none is sent, as for a silent verification.
    package let compose: (Verification) -> MessageDraft?
    /// Called for each message that the carrier has accepted.
    package var onSent: (Verification, Message) throws -> Void = { _, _ in }

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

  package enum StartOutcome {
    /// A new verification with a new code, sent.
    case created(Verification)
    /// The pending verification, its code sent again.
    case resent(Verification)
    /// Rejected: the pending verification has reached its send limit.
    case sendsExhausted(Verification)
    /// Rejected: the last verification is locked by failed checks, and its lifetime has not ended.
    case checksExhausted(Verification)
  }

  package enum CheckOutcome {
    case approved(Verification)
    /// The verification is still pending.
    case wrongCode(Verification)
    /// The verification is locked, whatever the code.
    case checksExhausted(Verification)
    case nothingPending(MissingReason)
  }

  /// Starts a verification, or sends the code of the pending one again.
  package func start(_ start: Start) throws -> StartOutcome {
    let now = sandbox.clock.now
    let newest = try newest(start.claim.provider, to: start.claim.destination)
    let latest = try latest(start.claim, newestToDestination: newest)
    if start.rules.refusesStartWhileLocked, let latest, latest.isLocked(at: now) {
      return .checksExhausted(latest)
    }
    guard start.rules.resendsWhilePending, let latest, latest.isPending(at: now) else {
      return .created(try create(start, series: (newest?.series ?? 0) + 1, at: now))
    }
    let recent = latest.attempts.all.filter { $0.sentAt + start.rules.sendWindow > now }
    guard recent.count < start.rules.sendLimit else { return .sendsExhausted(latest) }
    return .resent(try resend(latest, start, at: now))
  }

  /// Checks a code; after `limit` checks the verification is locked.
  package func check(_ code: String, of verification: Verification?, limit: Int) throws -> CheckOutcome {
    var rules = VerificationRules()
    rules.checkLimit = limit
    return try check(code, of: verification, by: rules)
  }

  /// The same; the journal gets the reason why a code is not accepted.
  package func check(
    _ code: String, of verification: Verification?, by rules: VerificationRules
  ) throws -> CheckOutcome {
    let outcome = try outcome(of: code, for: verification, rules)
    sandbox.currentReason = outcome.reason(by: rules, wasLocked: verification?.state == .exhausted)
    return outcome
  }

  private func outcome(
    of code: String, for verification: Verification?, _ rules: VerificationRules
  ) throws -> CheckOutcome {
    guard var verification else { return .nothingPending(.neverStarted) }
    let now = sandbox.clock.now
    if verification.isLocked(at: now) { return .checksExhausted(verification) }
    guard verification.isPending(at: now) else { return .nothingPending(.ended(verification)) }
    if let validity = rules.codeValidity,
      let why = verification.missingCodeReason(validity: validity, at: now)
    {
      return .nothingPending(why)
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

  /// Ends a pending verification without a code check; nil when it is not pending.
  ///
  /// `attempt` is the number of the attempt that led to the result; `time` is when that happened, by default
  /// now.
  package func finish(
    _ verification: Verification, as state: Verification.State, answeredBy attempt: Int? = nil,
    at time: Timestamp? = nil
  ) throws -> Verification? {
    var verification = verification
    let now = time ?? sandbox.clock.now
    guard verification.isPending(at: now) else { return nil }
    if let attempt { verification.attempts = verification.attempts.answered(attempt) }
    verification.updatedAt = now
    return try end(verification, as: state)
  }

  /// Records a verification that was denied before anything was sent. A pending one is not changed.
  package func deny(_ claim: Claim, details: ProviderDetails) throws -> Verification {
    let now = sandbox.clock.now
    let verification = Verification(
      ordinal: sandbox.nextOrdinal(), claim: claim,
      series: try newest(claim.provider, to: claim.destination)?.series ?? 0, channel: .sms,
      state: .denied, code: "", checks: 0, createdAt: now, updatedAt: now, expiresAt: now, attempts: .none,
      details: details)
    try insert(verification)
    try sandbox.events.append(.verificationDenied, of: verification, at: now)
    return verification
  }

  /// Gives a silent attempt its code, once the data connection has proven the number.
  ///
  /// Returns the earlier code if there is one; nil when the verification is not pending.
  package func revealCode(ofAttempt number: Int, of ordinal: Int, length: Int) throws -> String? {
    guard var verification = try find(ordinal),
      let attempt = verification.attempts.all.first(where: { $0.number == number })
    else { return nil }
    if let code = attempt.code { return code }
    guard verification.isPending(at: sandbox.clock.now) else { return nil }
    let subscriber = try PhoneNumber(verification.claim.destination).map { try sandbox.subscribers[$0] }
    let code = sandbox.codes.code(
      for: verification.claim, series: verification.series, attempt: number, length: length,
      subscriber: subscriber)
    verification.attempts = verification.attempts.setting(code, of: number)
    try update(verification)
    return code
  }

  /// Invalidates all codes of a verification; the next attempt gets a new one.
  package func invalidateCodes(of verification: Verification) throws {
    var verification = verification
    verification.code = ""
    verification.attempts = verification.attempts.withoutCodes
    verification.updatedAt = sandbox.clock.now
    try update(verification)
  }

  /// Gives a verification another code, as if it had been sent.
  package func replaceCode(of verification: Verification, with code: String) throws {
    guard var verification = try find(verification.ordinal) else { return }
    verification.code = code
    try update(verification)
  }

  /// Adds an attempt over a channel.
  func addAttempt(over channel: Channel, to verification: Verification, at time: Timestamp) throws
    -> Verification
  {
    var verification = try find(verification.ordinal) ?? verification
    verification.channel = channel
    verification.updatedAt = time
    verification.attempts = verification.attempts.adding(channel, at: time)
    try update(verification)
    return verification
  }

  /// The newest verification of a claim; usually it is also the newest of its destination.
  private func latest(_ claim: Claim, newestToDestination newest: Verification?) throws -> Verification? {
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
      attempts: Attempts(first: start.channel, at: now, code: start.attemptCode(code)), details: start.details
    )
    let draft = start.compose(verification)
    // Without a message, the provider goes on with the verification and changes it.
    try insert(verification, isLate: draft == nil)
    try scheduleExpiry(of: verification)
    if let draft { try start.onSent(verification, sandbox.messages.submit(draft, to: subscriber)) }
    return verification
  }

  private func resend(_ latest: Verification, _ start: Start, at now: Timestamp) throws -> Verification {
    let subscriber = try subscriber(of: start)
    var verification = latest
    verification.channel = start.channel
    verification.updatedAt = now
    if start.customCode != nil || start.rules.codes == .perAttempt || latest.code.isEmpty {
      let attempt = latest.attempts.count + 1
      verification.code = code(for: start, series: latest.series, attempt: attempt, subscriber)
    }
    verification.attempts = latest.attempts.adding(
      start.channel, at: now, code: start.attemptCode(verification.code))
    try update(verification)
    if let draft = start.compose(verification) {
      try start.onSent(verification, sandbox.messages.submit(draft, to: subscriber))
    }
    return verification
  }

  /// A silent attempt has no code until the number is proven.
  private func code(for start: Start, series: Int, attempt: Int, _ subscriber: Subscriber?) -> String {
    if start.channel == .silent { return "" }
    return start.customCode
      ?? sandbox.codes.code(
        for: start.claim, series: series, attempt: attempt, length: start.rules.codeLength,
        subscriber: subscriber)
  }

  /// Ends a verification and notifies its provider.
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
  /// The code to save with an attempt; nil unless each attempt has its own.
  fileprivate func attemptCode(_ code: String) -> String? {
    rules.codes == .perAttempt && !code.isEmpty ? code : nil
  }
}
