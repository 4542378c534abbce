/// The channels of one verification, tried one after another.
///
/// ```
/// start ──> step 1 ──time is over, not delivered, failed──> step 2 ──> … ──the last one has failed──> expired
///             └──────────── right code, approval ────────────┴──> approved
/// ```
/// The core says whose turn it is; what a step sends is its provider's to word: it takes notice that a step has
/// begun, and calls `send`.
package struct Fallbacks {
  let sandbox: Sandbox

  /// What a start asks for.
  package struct Start {
    /// One channel and its time.
    package struct Leg: Equatable, Sendable {
      /// How it is tried.
      package let channel: Channel
      /// How long before the next one begins; of no account for the last one.
      package let span: Duration
      /// Whether its turn never comes.
      package var isSkipped = false

      /// A leg from its parts.
      package init(_ channel: Channel, for span: Duration, isSkipped: Bool = false) {
        self.channel = channel
        self.span = span
        self.isSkipped = isSkipped
      }
    }

    /// Who, for whom, to where.
    package let claim: Claim
    /// What is tried, in order; at least one is not skipped.
    package let legs: [Leg]
    /// The limits.
    package let rules: VerificationRules
    /// A code that the caller brings.
    package var customCode: String?
    /// What the provider keeps with it: a JSON object.
    package var details = "{}"

    /// A start from its parts.
    package init(_ claim: Claim, over legs: [Leg], rules: VerificationRules) {
      self.claim = claim
      self.legs = legs
      self.rules = rules
    }
  }

  /// Starts a verification of its own, whatever else waits for the claim, and its first step.
  package func start(_ start: Start) throws -> Verification {
    let now = sandbox.clock.now
    let verification = try create(start, at: now)
    let steps = start.legs.enumerated().map { place, leg in
      Step(
        verification: verification.ordinal, position: place + 1, channel: leg.channel,
        span: place + 1 < start.legs.count ? leg.span : nil, state: leg.isSkipped ? .skipped : .waiting,
        changedAt: now)
    }
    for step in steps { try insert(step) }
    try beginNext(of: verification, at: now)
    return try sandbox.verifications.find(verification.ordinal) ?? verification
  }

  /// Sends what a step has to say, at the time at which its turn came; the code is good from then on, and the
  /// verification waits for it. To be called when the step has begun.
  @discardableResult
  package func send(_ draft: MessageDraft, in step: Step, rules: VerificationRules) throws -> Message {
    let time = step.begunAt ?? sandbox.clock.now
    let subscriber = try PhoneNumber(draft.destination).map { try sandbox.subscribers[$0] }
    let message = try sandbox.messages.submit(draft, to: subscriber, at: time)
    var step = step
    step.message = message.ordinal
    try update(step)
    if let verification = try sandbox.verifications.find(step.verification) {
      try sandbox.verifications.extend(verification, to: time + (rules.codeValidity ?? rules.lifetime))
    }
    if let failure = message.failure {
      try sandbox.agenda.schedule(.fallBack, on: step.verification, detail: step.position, at: failure)
    }
    return message
  }

  /// What the agenda has for a step: its time may be over, or its message lost.
  func come(_ item: Agenda.Item) throws {
    guard let verification = try sandbox.verifications.find(item.subject), verification.state == .pending,
      let step = try rows(of: item.subject).first(where: { $0.position == item.detail }), step.isUnderWay
    else { return }
    if try message(of: step)?.failure.map({ $0 <= item.dueAt }) ?? false {
      try end(step, of: verification, for: .undelivered, at: item.dueAt)
    } else if let end = step.endsAt, end <= item.dueAt {
      try self.end(step, of: verification, for: .timeOver, at: item.dueAt)
    }
  }

  /// Ends a step under way without a proof, and begins the next; without one the verification's time is over.
  func end(_ step: Step, of verification: Verification, for failure: Step.Failure, at time: Timestamp) throws
  {
    var step = step
    step.state = failure == .denied ? .rejected : .failed
    step.failure = failure
    step.changedAt = time
    try update(step)
    try sandbox.report(.stepFailed(step, of: verification), to: verification.claim.provider)
    try beginNext(of: verification, at: time)
  }

  private func create(_ start: Start, at now: Timestamp) throws -> Verification {
    let claim = start.claim
    let series = (try sandbox.verifications.newest(claim.provider, to: claim.destination)?.series ?? 0) + 1
    let subscriber = try PhoneNumber(claim.destination).map { try sandbox.subscribers[$0] }
    let code =
      start.customCode
      ?? sandbox.codes.code(
        for: claim, series: series, length: start.rules.codeLength, subscriber: subscriber)
    let verification = Verification(
      ordinal: sandbox.nextOrdinal(), claim: claim, series: series,
      channel: start.legs.first { !$0.isSkipped }?.channel ?? .sms, state: .pending,
      code: code, checks: 0, createdAt: now, updatedAt: now, expiresAt: now + start.rules.lifetime,
      attempts: .none,
      details: start.details)
    try sandbox.verifications.insert(verification)
    try sandbox.verifications.scheduleExpiry(of: verification)
    return verification
  }

  private func beginNext(of verification: Verification, at time: Timestamp) throws {
    guard var step = try rows(of: verification.ordinal).first(where: { $0.state == .waiting }) else {
      return try sandbox.verifications.giveUp(verification, at: time)
    }
    step.state = step.channel.carriesCode ? .ongoing : .offered
    step.begunAt = time
    step.changedAt = time
    step.endsAt = step.span.map { time + $0 }
    try update(step)
    if let end = step.endsAt {
      try sandbox.agenda.schedule(.fallBack, on: step.verification, detail: step.position, at: end)
    }
    let verification = try sandbox.verifications.note(step.channel, of: verification, at: time)
    try sandbox.report(.stepBegun(step, of: verification), to: verification.claim.provider)
  }
}

extension Channel {
  /// Whether the code travels over it; else a device is asked.
  package var carriesCode: Bool { self != .silent && self != .push }
}

extension Message {
  /// When the carrier gives it up; nil where it does not.
  package var failure: Timestamp? {
    guard let end = receipts.all.last, end.state.isFailure else { return nil }
    return submittedAt + end.after
  }
}

extension DeliveryReceipt.State {
  /// Whether the message will not come any more.
  package var isFailure: Bool {
    switch self {
    case .expired, .undeliverable, .rejected, .refused: true
    case .accepted, .enroute, .delivered, .read: false
    }
  }
}
