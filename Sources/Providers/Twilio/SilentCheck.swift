import Domain
import HTTP
import ProviderKit

// A check of a verification whose newest sending was a silent one: no code is needed. Source: contract 5.

/// One entry of `sna_attempts_error_codes`.
struct SilentFailure: Equatable {
  /// The sending's SID.
  let attempt: String
  /// The vendor's number. Source: contract 13.5.
  let code: Int
}

extension Call {
  /// Approves what its phone has proven; otherwise says why not, once for each silent sending.
  func checkSilently(_ verification: Verification, clientToken: String?) throws -> Response {
    let now = sandbox.clock.now
    if verification.isLocked(at: now) {
      throw Problem.maxCheckAttempts.because(MissingReason.ended(verification).description)
    }
    guard verification.isPending(at: now) else { throw notFound(.ended(verification)) }
    let sessions = try sandbox.silentSessions.all(of: verification.ordinal)
    guard let newest = sessions.last, newest.verdict == .matched else {
      return try checkAnswer(verification)
    }
    let wanted = SilentDetails(newest).clientToken(of: newest, in: sandbox)
    guard wanted == nil || wanted == clientToken else {
      return try checkAnswer(
        verification,
        failing: [failure(newest, of: verification, wrongClientToken)])
    }
    let proven = try sandbox.verifications.finish(
      verification, as: .approved, answeredBy: newest.draft.attempt)
    return try checkAnswer(proven ?? verification)
  }

  /// The answer that shows a checked verification, with what went wrong silently where its newest sending was
  /// silent.
  func checkAnswer(
    _ verification: Verification, failing more: [SilentFailure] = []
  ) throws -> Response {
    let status: Status = settings.checkStatusCode == 201 ? 201 : 200
    let failures =
      verification.channel == .silent ? try silentFailures(of: verification) + more : nil
    let body = CheckBody(
      verification: verification, details: try VerificationDetails(verification.details),
      account: service.account, sid: sid(of: verification, in: sandbox), silentFailures: failures)
    return .json(status, body.encoded)
  }

  private func silentFailures(of verification: Verification) throws -> [SilentFailure] {
    try sandbox.silentSessions.all(of: verification.ordinal).compactMap { session in
      session.failureCode.map { failure(session, of: verification, $0) }
    }
  }

  private func failure(
    _ session: SilentSession, of verification: Verification, _ code: Int
  ) -> SilentFailure {
    let sid = sid(ofAttempt: session.draft.attempt, of: verification, in: sandbox)
    return SilentFailure(attempt: sid, code: code)
  }
}

/// The URL was opened by one client and checked for another. Source: contract 13.5, chosen here.
fileprivate let wrongClientToken = 60517

extension SilentSession {
  /// What the vendor calls what became of it; nil for a match. Source: contract 13.5; where the contract leaves
  /// a choice, it is made here.
  fileprivate var failureCode: Int? {
    guard let finding else { return 60519 }
    switch finding.outcome {
    case .match: return finishedAt == nil ? 60519 : nil
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

extension SilentVerdict {
  /// Number and words in the URL's answer. Source: contract 13.5; the general numbers are told apart here only.
  var silentWords: (number: Int, text: String) {
    switch self {
    case .matched: (0, "Success")
    case .mismatched: (-17, "Phone number mismatch")
    case .notMobile: (-31, "Wifi or unknown carrier")
    case .noCoverage: (-30, "Unsupported carrier")
    case .carrierError: (-33, "Carrier header missing")
    case .denied: (-11, "Not authenticated")
    case .expired: (-20, "URL expired")
    case .used: (-20, "URL already used")
    case .unknown: (-10, "Unknown URL")
    }
  }
}
