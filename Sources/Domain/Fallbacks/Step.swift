/// One channel of a verification that tries several, one after another.
///
/// ```
/// waiting ──its turn──> ongoing ──────────────────────> verified, rejected, canceled   (with the verification)
///    │        └──> offered ──taken up──> ongoing │
///    └──> skipped                                └──time is over, not delivered, denied──> failed, rejected
/// ```
package struct Step: Equatable, Sendable {
  /// Where a step is in its life.
  package enum State: String, CaseIterable, Sendable {
    /// Its turn has not come.
    case waiting
    /// It is for somebody else to begin: a device that was asked and has not stirred.
    case offered
    /// It is being tried.
    case ongoing
    /// It has proven nothing; the next one has begun.
    case failed
    /// It has proven what was to be proven.
    case verified
    /// Its turn never comes.
    case skipped
    /// The person, or whoever entered codes, was turned away.
    case rejected
    /// The verification was called off meanwhile.
    case canceled
  }

  /// Why a step has failed.
  package enum Failure: String, CaseIterable, Sendable {
    /// Its time was over.
    case timeOver
    /// The carrier has given its message up; the message says why.
    case undelivered
    /// There was nobody to ask, or who was asked could not answer.
    case unreachable
    /// The answer came from somebody else.
    case mismatched
    /// The person said no.
    case denied
  }

  /// The ordinal of the verification.
  package let verification: Int
  /// Its place in the order, from 1.
  package let position: Int
  /// How it is tried.
  package let channel: Channel
  /// How long before the next one begins; nil for the last one, which has the time that is left.
  package let span: Duration?
  /// Where it is in its life.
  package internal(set) var state: State
  /// When its turn came.
  package internal(set) var begunAt: Timestamp?
  /// When it changed last.
  package internal(set) var changedAt: Timestamp
  /// When its time ends; nil before its turn.
  package internal(set) var endsAt: Timestamp?
  /// The ordinal of the message that it has sent.
  package internal(set) var message: Int?
  /// What the device that was asked has reported last.
  package internal(set) var receipt: DeliveryReceipt.State?
  /// Why it has failed.
  package internal(set) var failure: Failure?

  /// Whether it is this step's turn.
  package var isUnderWay: Bool { state == .offered || state == .ongoing }

  /// The step as the life of its verification leaves it: one that is under way shares its fate, one that waits
  /// waits in vain, and the last one's time is what the verification has left.
  func settled(by verification: Verification) -> Step {
    var step = self
    if begunAt != nil, endsAt == nil { step.endsAt = verification.expiresAt }
    guard verification.state != .pending else { return step }
    switch state {
    case .waiting: step.state = .skipped
    case .offered, .ongoing:
      step.state = State(with: verification.state)
      step.failure = step.state == .failed ? .timeOver : nil
    default: return step
    }
    step.changedAt = verification.updatedAt
    return step
  }
}

extension Step.State {
  /// What becomes of a step under way when its verification ends.
  fileprivate init(with end: Verification.State) {
    switch end {
    case .pending: self = .ongoing
    case .approved: self = .verified
    case .denied, .exhausted: self = .rejected
    case .canceled: self = .canceled
    case .expired: self = .failed
    }
  }
}
