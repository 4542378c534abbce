import Domain
import HTTP
import ProviderKit

// Silent Network Auth, channel `sna`: a URL that the phone opens over mobile data. Source: contract 5.
//
// Twilio does not document its URL: this one is the sandbox's, and leads through the emulated operator's
// gateway.

enum SilentURL: SilentHops {
  static let provider = TwilioProvider.name
  static let path = "/handset/twilio/sna"
  static let operations = (first: "openSilentURL", last: "completeSilentURL")
  static let refusesEndedSessions = true

  /// Takes `?simulate=…`, an extra of the sandbox: a browser on a desk can play any phone. Source: contract
  /// 5.
  static func redirect(for request: Request, in sandbox: Sandbox) throws -> SilentRedirect {
    var redirect = SilentRedirect()
    guard let word = try request.query["simulate"] else { return redirect }
    guard let outcome = simulations[word] else {
      let known = simulations.keys.sorted().joined(separator: ", ")
      throw APIError.invalidParameter("simulate", value: word, expected: "one of \(known)")
    }
    redirect.query = "&sbx_outcome=\(outcome.rawValue)"
    return redirect
  }

  static func unknownSession(on hop: SilentHop, in sandbox: Sandbox) -> Response { response(to: .unknown) }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    let session = handset.session
    guard handset.verdict == .matched else { return response(to: handset.verdict) }
    var text = "ErrorCode=0&ErrorDescription=Success"
    text += "&Carrier=\(try sandbox.subscribers[session.draft.number].operatorName)"
    if let clientToken = SilentDetails(session).clientToken(of: session, in: sandbox) {
      text += "&SnaClientToken=\(clientToken)"
    }
    return plainText(200, text)
  }

  /// The answer to the phone when the number was not proven.
  private static func response(to verdict: SilentVerdict) -> Response {
    let (code, description) = verdict.phoneError
    return plainText(200, "ErrorCode=\(code)&ErrorDescription=\(description)")
  }
}

private let simulations: [String: SilentOutcome] = [
  "success": .match, "mismatch": .mismatch, "wifi": .notMobile, "unsupported": .noCoverage,
  "timeout": .timeout,
]

/// What is stored with a silent session for this provider only.
private struct SilentDetails {
  /// True if a check must repeat the token of the URL's answer.
  let needsClientToken: Bool

  init(needsClientToken: Bool) { self.needsClientToken = needsClientToken }

  init(_ session: SilentSession) { needsClientToken = session.draft.details == Self.withToken }

  var encoded: String { needsClientToken ? Self.withToken : "{}" }

  /// Nil if no token is needed.
  func clientToken(of session: SilentSession, in sandbox: Sandbox) -> String? {
    guard needsClientToken else { return nil }
    return sandbox.tokenEntropy.identifier(
      "SnaClientToken", session.draft.verification, session.draft.attempt)
  }

  private static let withToken = #"{"clientToken":true}"#
}

/// Creating and finding the URL of a silent verification.
extension RequestContext {
  /// Creates the URL of a verification's newest attempt, if that is silent.
  func createSilentURL(for verification: Verification, _ form: VerificationForm) throws {
    guard verification.channel == .silent, let number = PhoneNumber(verification.claim.destination) else {
      return
    }
    var draft = SilentSession.Draft(
      provider: TwilioProvider.name, number: number, verification: verification.ordinal,
      lifetime: silentLifetime, singleUse: true,
      returnURL: SilentURL.returnURL(for: request, in: sandbox))
    draft.attempt = verification.attempts.all.count
    draft.details = SilentDetails(needsClientToken: form.needsClientToken).encoded
    _ = try sandbox.silentSessions.create(draft)
  }

  /// The URL of a verification's newest attempt; nil if that is not silent.
  func silentURL(of verification: Verification) throws -> String? {
    guard verification.channel == .silent,
      let session = try sandbox.silentSessions.all(of: verification.ordinal).last
    else { return nil }
    return SilentURL.url(of: session)
  }
}

/// How long the URL can be opened. Source: contract 5.
private let silentLifetime = Duration.seconds(600)

/// One entry of `sna_attempts_error_codes`.
struct SilentAttemptError {
  let attemptSid: String
  /// Source: contract 13.5.
  let code: Int
}

/// Checks without a code. Source: contract 5.
extension RequestContext {
  /// Approves the verification if the phone has proven its number. Otherwise the response lists an error for
  /// each silent attempt.
  func checkSilently(_ verification: Verification, clientToken: String?) throws -> Response {
    let now = sandbox.clock.now
    if verification.isLocked(at: now) {
      throw APIError.maxCheckAttemptsReached.because(MissingReason.ended(verification).description)
    }
    guard verification.isPending(at: now) else { throw notFound(.ended(verification)) }
    let sessions = try sandbox.silentSessions.all(of: verification.ordinal)
    guard let newest = sessions.last, newest.verdict == .matched else {
      return try checkResponse(verification)
    }
    let expectedToken = SilentDetails(newest).clientToken(of: newest, in: sandbox)
    guard expectedToken == nil || expectedToken == clientToken else {
      return try checkResponse(verification, adding: error(wrongClientToken, of: newest, verification))
    }
    let approved = try sandbox.verifications.finish(
      verification, as: .approved, answeredBy: newest.draft.attempt)
    return try checkResponse(approved ?? verification)
  }

  /// The errors of all silent attempts; nil if the newest attempt is not silent.
  func silentAttemptErrors(of verification: Verification) throws -> [SilentAttemptError]? {
    guard verification.channel == .silent else { return nil }
    return try sandbox.silentSessions.all(of: verification.ordinal).compactMap { session in
      session.errorCode.map { error($0, of: session, verification) }
    }
  }

  private func error(
    _ code: Int, of session: SilentSession, _ verification: Verification
  ) -> SilentAttemptError {
    let sid = sid(ofAttempt: session.draft.attempt, of: verification, in: sandbox)
    return SilentAttemptError(attemptSid: sid, code: code)
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
  /// Code and description in the URL's answer. The texts of the general codes -10, -11 and -20 are chosen
  /// here. Source: contract 13.5.
  fileprivate var phoneError: (code: Int, description: String) {
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
