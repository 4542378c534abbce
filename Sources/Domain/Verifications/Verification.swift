/// The process of proving that somebody holds a destination.
package struct Verification: Equatable, Sendable {
  /// Where a verification is in its life.
  package enum State: String, CaseIterable, Sendable {
    /// Waiting for its code.
    case pending
    /// Proven.
    case approved
    /// Refused: by the person, or before anything was sent.
    case denied
    /// Called off by the app.
    case canceled
    /// Out of time.
    case expired
    /// Checked too often.
    case exhausted
  }

  /// Its number in the sandbox.
  package let ordinal: Int
  /// Who runs it, for whom, and to where.
  package let claim: Claim
  /// Its number among those of this destination with this provider, from 1: the code follows from it.
  package let series: Int
  /// How the code travelled last.
  package var channel: Channel
  /// Where it is in its life.
  package var state: State
  /// The secret digits, of the last sending where each has its own; empty where none are worth anything.
  package var code: String
  /// How many checks there were.
  package var checks: Int
  /// When it was started.
  package let createdAt: Timestamp
  /// When it changed last.
  package var updatedAt: Timestamp
  /// When its time ends; a sending can move it.
  package internal(set) var expiresAt: Timestamp
  /// The sendings of its code, oldest first.
  package var attempts: Attempts
  /// What the provider keeps with it: a JSON object that the core does not read.
  package let details: String

  /// Whether it waits for its code at this time.
  package func isLive(at time: Timestamp) -> Bool { state == .pending && time < expiresAt }

  /// Whether a code is right: that of the verification, or of any of its sendings.
  package func accepts(_ code: String) -> Bool {
    !code.isEmpty && (code == self.code || attempts.accept(code))
  }

  /// Why it has no code that could be entered at a time, where codes are good for a span after each sending; nil
  /// where it has one.
  func absentCode(after validity: Duration, at time: Timestamp) -> MissingReason? {
    guard let sent = attempts.all.last(where: { $0.channel.carriesCode }) else { return .unsent(self) }
    let end = sent.sentAt + validity
    return time < end ? nil : .stale(self, since: end)
  }

  /// Whether checks have run out and its time has not ended.
  package func isLocked(at time: Timestamp) -> Bool { state == .exhausted && time < expiresAt }
}

/// What a verification claims: that somebody holds `destination`, for an owner at a provider.
package struct Claim: Hashable, Sendable {
  /// The provider's name.
  package let provider: String
  /// Whose verification it is within the provider: a service, an account.
  package let owner: String
  /// The phone number or email address.
  package let destination: String

  /// A claim from its parts.
  package init(provider: String, owner: String, destination: String) {
    self.provider = provider
    self.owner = owner
    self.destination = destination
  }
}

/// The limits of a verification.
package struct VerificationRules: Equatable, Sendable {
  /// Digits of a code.
  package var codeLength = 6
  /// How long it waits, from its start.
  package var lifetime = Duration.seconds(600)
  /// How long a code is good after each sending, for which the verification waits; nil: as long as it waits.
  package var codeValidity: Duration?
  /// Checks that get an honest answer.
  package var checkLimit = 5
  /// Whether the last of them locks it where it is wrong; else the next one does.
  package var locksOnLastFailure = false
  /// Whether a start while one waits sends its code once more; else each is a verification of its own.
  package var resendsWhilePending = true
  /// Sendings allowed within `sendWindow`.
  package var sendLimit = 5
  /// The span in which sendings are counted.
  package var sendWindow = Duration.seconds(600)
  /// Which code a further sending has.
  package var codes = Codes.same
  /// Whether one that was checked too often bars the destination until its time ends.
  package var refusesStartWhileLocked = true

  /// Which code a further sending has.
  package enum Codes: Sendable {
    /// That of the first.
    case same
    /// Its own; all of them are right as long as the verification waits.
    case perAttempt
  }

  /// Six digits, ten minutes, five checks, five sendings in ten minutes.
  package init() {}
}

/// Why no verification waits for a code: for the journal, since few providers tell.
package enum MissingReason: Equatable, Sendable, CustomStringConvertible {
  /// There never was one.
  case neverStarted
  /// There was one, and this became of it.
  case ended(Verification)
  /// There is one, and no code was sent yet.
  case unsent(Verification)
  /// There is one, and its code is good no longer.
  case stale(Verification, since: Timestamp)

  /// The sentence for the journal.
  package var description: String {
    switch self {
    case .neverStarted: "no verification was ever started"
    case .unsent(let verification): "no code was sent yet; it is tried over \(verification.channel.rawValue)"
    case .stale(_, let end): "the code that was sent last was good until \(end.iso8601)"
    case .ended(let verification): Self.end(of: verification)
    }
  }

  private static func end(of verification: Verification) -> String {
    switch verification.state {
    case .approved: "approved at \(verification.updatedAt.iso8601)"
    case .denied: "denied at \(verification.updatedAt.iso8601)"
    case .canceled: "canceled at \(verification.updatedAt.iso8601)"
    case .exhausted: "check limit reached at \(verification.updatedAt.iso8601)"
    case .pending, .expired: "expired at \(verification.expiresAt.iso8601)"
    }
  }
}
