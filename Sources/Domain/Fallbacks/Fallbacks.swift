package import Basics
import Numbers

/// Verifications that try several channels, one after another. Each channel is a step.
///
/// ```
/// start ──> step 1 ──timed out, not delivered, failed──> step 2 ──> … ──last step failed──> expired
///             └──────────── right code, approval ──────────┴──> approved
/// ```
/// The core decides which step is next. The provider handles the event `stepBegun` and calls `send` with the
/// message of the step.
package struct Fallbacks {
  let sandbox: Sandbox

  /// A request to start a verification.
  package struct Start {
    package struct PlannedStep: Equatable, Sendable {
      package let channel: Channel
      /// The time before the next step starts; for the last step see `lastStepTimesOut`.
      package let timeout: Duration
      package var isSkipped = false

      package init(_ channel: Channel, timeout: Duration, isSkipped: Bool = false) {
        self.channel = channel
        self.timeout = timeout
        self.isSkipped = isSkipped
      }
    }

    package let claim: Claim
    /// In order. If all are skipped, the verification expires at once.
    package let steps: [PlannedStep]
    package let rules: VerificationRules
    /// Replaces the generated code.
    package var customCode: String?
    package var details = ProviderDetails("{}")
    /// True if the verification expires with the timeout of its last step; false: the last step has the rest
    /// of the lifetime.
    package var lastStepTimesOut = false

    package init(_ claim: Claim, steps: [PlannedStep], rules: VerificationRules) {
      self.claim = claim
      self.steps = steps
      self.rules = rules
    }
  }

  /// Starts a new verification and its first step, even if another one is pending for the claim.
  package func start(_ start: Start) throws -> Verification {
    let now = sandbox.clock.now
    let verification = try create(start, at: now)
    var steps = start.steps.enumerated().map { place, planned in
      Step(
        verification: verification.ordinal, position: place + 1, channel: planned.channel,
        timeout: start.lastStepTimesOut || place + 1 < start.steps.count ? planned.timeout : nil,
        state: planned.isSkipped ? .skipped : .waiting,
        changedAt: now)
    }
    let first = steps.firstIndex { $0.state == .waiting }
    if let first { steps[first].begin(at: now) }
    try insert(steps)
    if let first {
      try announce(steps[first], of: verification)
    } else {
      try sandbox.verifications.expireNow(verification, at: now)
    }
    return try sandbox.verifications.find(verification.ordinal) ?? verification
  }

  /// Sends the message of a step that has just started. The verification stays pending at least as long as
  /// the code is valid. `fallsBackOnLoss`: false if the next step waits for the timeout, also after a loss of
  /// the message.
  @discardableResult
  package func send(
    _ draft: MessageDraft, in step: Step, of verification: Verification, rules: VerificationRules,
    fallsBackOnLoss: Bool = true
  ) throws -> Message {
    let time = step.startedAt ?? sandbox.clock.now
    let subscriber = try PhoneNumber(draft.destination).map { try sandbox.subscribers[$0] }
    let message = try sandbox.messages.submit(draft, to: subscriber, at: time)
    var step = step
    step.message = message.ordinal
    try update(step)
    try sandbox.verifications.extend(verification, to: time + (rules.codeValidity ?? rules.lifetime))
    if fallsBackOnLoss, let failure = message.failure {
      try sandbox.agenda.schedule(.fallBack, on: step.verification, detail: step.position, at: failure)
    }
    return message
  }

  /// The steps of a verification in order, with their present states.
  package func steps(of verification: Verification) throws -> [Step] {
    try rows(of: verification.ordinal).map { $0.resolved(with: verification) }
  }

  /// The active step; nil when the verification is not pending.
  package func activeStep(of verification: Verification) throws -> Step? {
    guard verification.isPending(at: sandbox.clock.now) else { return nil }
    return try rows(of: verification.ordinal).first { $0.isActive }
  }

  /// The message that a step has sent.
  package func message(of step: Step) throws -> Message? {
    try step.message.flatMap { try sandbox.messages.find($0) }
  }

  /// Marks an offered step as ongoing: the device has reacted.
  package func markOngoing(_ step: Step) throws -> Step {
    guard step.state == .offered else { return step }
    var step = step
    step.state = .ongoing
    return try updateNow(step)
  }

  /// Saves the device's receipt, which also makes an offered step ongoing.
  package func save(_ receipt: DeliveryReceipt.State, of step: Step) throws -> Step {
    var step = step
    step.receipt = receipt
    if step.state == .offered { step.state = .ongoing }
    return try updateNow(step)
  }

  /// Ends the active step as failed and starts the next one. `time` is when it failed, by default now.
  package func fail(
    _ step: Step, of verification: Verification, for failure: Step.Failure, at time: Timestamp? = nil
  ) throws {
    let time = time ?? sandbox.clock.now
    try end(step, of: verification, for: failure, at: max(time, step.startedAt ?? time))
  }

  /// Ends a step whose time is over or whose message was not delivered.
  func runDueItem(_ item: Agenda.Item) throws {
    guard let verification = try sandbox.verifications.find(item.subject), verification.state == .pending,
      let step = try rows(of: item.subject).first(where: { $0.position == item.detail }), step.isActive
    else { return }
    if try message(of: step)?.failure.map({ $0 <= item.dueAt }) ?? false {
      try end(step, of: verification, for: .undelivered, at: item.dueAt)
    } else if let end = step.endsAt, end <= item.dueAt {
      try self.end(step, of: verification, for: .timedOut, at: item.dueAt)
    }
  }

  /// Ends an active step as failed and starts the next one; after the last one, the verification expires.
  func end(_ step: Step, of verification: Verification, for failure: Step.Failure, at time: Timestamp) throws
  {
    var step = step
    step.state = failure == .denied ? .rejected : .failed
    step.failure = failure
    step.changedAt = time
    try update(step)
    try sandbox.report(.stepFailed(step, of: verification), to: verification.claim.provider)
    try startNextStep(of: verification, at: time)
  }

  private func updateNow(_ step: Step) throws -> Step {
    var step = step
    step.changedAt = sandbox.clock.now
    try update(step)
    return step
  }

  private func create(_ start: Start, at now: Timestamp) throws -> Verification {
    let claim = start.claim
    let series = (try sandbox.verifications.newest(claim.provider, to: claim.destination)?.series ?? 0) + 1
    let subscriber = try PhoneNumber(claim.destination).map { try sandbox.subscribers[$0] }
    let code =
      start.customCode
      ?? sandbox.codes.code(
        for: claim, series: series, length: start.rules.codeLength, subscriber: subscriber)
    let channel = start.steps.first { !$0.isSkipped }?.channel
    let verification = Verification(
      ordinal: sandbox.nextOrdinal(), claim: claim, series: series,
      channel: channel ?? .sms, state: .pending, code: code, checks: 0, createdAt: now, updatedAt: now,
      expiresAt: now + start.rules.lifetime, attempts: channel.map { Attempts(first: $0, at: now) } ?? .none,
      details: start.details)
    try sandbox.verifications.insert(verification, isLate: true)
    try sandbox.verifications.scheduleExpiry(of: verification)
    return verification
  }

  private func startNextStep(of verification: Verification, at time: Timestamp) throws {
    guard var step = try rows(of: verification.ordinal).first(where: { $0.state == .waiting }) else {
      return try sandbox.verifications.expireNow(verification, at: time)
    }
    step.begin(at: time)
    try update(step)
    try announce(
      step, of: sandbox.verifications.addAttempt(over: step.channel, to: verification, at: time))
  }

  /// Schedules the end of a step that has just started, and notifies the provider.
  private func announce(_ step: Step, of verification: Verification) throws {
    if let end = step.endsAt {
      try sandbox.agenda.schedule(.fallBack, on: step.verification, detail: step.position, at: end)
    }
    try sandbox.report(.stepBegun(step, of: verification), to: verification.claim.provider)
  }
}

extension Channel {
  /// True if the code is sent over this channel; otherwise a device is asked.
  package var carriesCode: Bool { self != .silent && self != .push }
}

extension Message {
  /// When the carrier reports that the message cannot be delivered; nil if it is delivered.
  package var failure: Timestamp? {
    guard let end = receipts.last, end.state.isFailure else { return nil }
    return submittedAt + end.after
  }
}

extension DeliveryReceipt.State {
  /// True if the message will never arrive.
  package var isFailure: Bool {
    switch self {
    case .expired, .undeliverable, .rejected, .refused: true
    case .accepted, .enroute, .delivered, .read: false
    }
  }
}
