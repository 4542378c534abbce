import ProviderKit

/// A check without a code: the phone has proven its number, or not. Source: contract 5.
struct SilentCheck {
  let verification: Verification
  let context: RequestContext

  /// Approves the verification if the phone has proven its number. Otherwise the response lists an error for
  /// each silent attempt.
  func response(clientToken: String?) throws -> Response {
    let now = context.sandbox.clock.now
    if verification.isLocked(at: now) {
      throw APIError.maxCheckAttemptsReached.because(MissingReason.ended(verification).reason)
    }
    guard verification.isPending(at: now) else { throw context.notFound(.ended(verification)) }
    let sessions = try context.sandbox.silentSessions.all(of: verification.ordinal)
    guard let newest = sessions.last, newest.verdict == .matched else {
      return try response()
    }
    let expectedToken = SilentDetails(newest).clientToken(of: newest, in: context.sandbox)
    guard expectedToken == nil || expectedToken == clientToken else {
      return try response(
        adding: SilentAttemptError(wrongClientToken, of: newest, verification, in: context.sandbox))
    }
    let approved = try context.sandbox.verifications.finish(
      verification, as: .approved, answeredBy: newest.draft.attempt)
    return try VerificationCheckBody(approved ?? verification, in: context).response()
  }

  private func response(adding error: SilentAttemptError? = nil) throws -> Response {
    try VerificationCheckBody(verification, in: context, adding: error).response()
  }
}

/// One entry of `sna_attempts_error_codes`.
struct SilentAttemptError {
  let attemptSid: String
  /// Source: contract 13.5.
  let code: Int

  /// The errors of all silent attempts; nil if the newest attempt is not silent.
  static func all(of verification: Verification, in sandbox: Sandbox) throws -> [SilentAttemptError]? {
    guard verification.channel == .silent else { return nil }
    return try sandbox.silentSessions.all(of: verification.ordinal).compactMap { session in
      session.errorCode.map { SilentAttemptError($0, of: session, verification, in: sandbox) }
    }
  }

  fileprivate init(
    _ code: Int, of session: SilentSession, _ verification: Verification, in sandbox: Sandbox
  ) {
    attemptSid = VerificationSid.ofAttempt(session.draft.attempt, of: verification, in: sandbox)
    self.code = code
  }
}

/// The URL was opened by one client and checked for another. Source: contract 13.5, chosen here.
private let wrongClientToken = 60517

extension SilentSession {
  /// The error code of an attempt; nil for a match. Where the contract leaves a choice, it is made here.
  /// Source: contract 13.5.
  fileprivate var errorCode: Int? {
    guard let finding else { return 60519 }
    switch finding.outcome {
    case .match: return finishedAt == nil ? 60519 : nil
    case .expired: return 60519
    case .mismatch: return finishedAt == nil ? 60519 : 60500
    case .notMobile: return 60531
    case .noCoverage: return 60510
    case .carrierError: return 60511
    case .timeout: return 60002
    case .garbage: return 60533
    case .loop: return 60520
    case .userDenied: return 60001
    }
  }
}
