import ProviderKit

// The method `silent` of a verification. The app reports the result of its own check, or opens a chain of
// URLs over mobile data. The chain is not the provider's; see `carrier.md` 4.5. Source: contract 6, end.

private enum SilentResult: String, CaseIterable {
  case match
  case mismatch
  case unreachable
}

/// `POST /handset/telesign/v1/verifications/{reference_id}/silent`: the result of the app's own check.
func reportSilent(_ context: HandsetContext) throws -> Response {
  let fields = try RequestBody.json(context.request)
  guard let result = SilentResult(rawValue: try fields.string("result")) else {
    throw fields.mismatch(
      "result", expected: "one of \(SilentResult.words)")
  }
  let step = try currentStep(of: context)
  let code = try apply(result, to: step, of: context.verification, in: context.sandbox)
  let state = try context.currentState()
  return context.respond(code) { $0.member("state", state) }
}

/// `GET /handset/telesign/v1/verifications/{reference_id}/silent`: the URL to open, while the method is in
/// progress.
func offerSilent(_ context: HandsetContext) throws -> Response {
  let offered = try currentStep(of: context)
  let step = try context.sandbox.fallbacks.markOngoing(offered)
  if step != offered {
    try VerificationCallbacks(context.verification, context.details, in: context.sandbox)
      .schedule(at: step.changedAt)
  }
  guard let number = context.details.recipient.number, let end = step.endsAt else {
    throw APIError(3931, in: .omnichannel)
  }
  let session = try context.sandbox.silentSessions.create(
    SilentSession.Draft(
      provider: TelesignProvider.name, number: number.phoneNumber, verification: context.verification.ordinal,
      lifetime: end - context.sandbox.clock.now, singleUse: true,
      returnURL: SilentStepURL.returnURL(for: context.request, in: context.sandbox),
      outcome: number.ending == .silentMismatch ? .mismatch : nil))
  return context.respond(4501) { json in
    json.member("verification_url", SilentStepURL.url(of: session))
    json.member("method", "GET")
    json.member("expected_response_code", 200)
  }
}

/// The current step, which must be silent. Source: contract 5.4.2.
private func currentStep(of context: HandsetContext) throws -> Step {
  let (fallbacks, verification) = (context.sandbox.fallbacks, context.verification)
  if let step = try fallbacks.activeStep(of: verification), step.channel == .silent { return step }
  let step = try fallbacks.steps(of: verification).first { $0.channel == .silent }
  let hasTimedOut = step?.failure == .timedOut
  throw APIError(hasTimedOut ? 3908 : 3931, in: .omnichannel).because(
    step.map { "the method silent is \($0.state.rawValue)" } ?? "the verification has no method silent")
}

/// The chain of URLs: its verdict completes the method.
enum SilentStepURL: SilentHops {
  static let provider = TelesignProvider.name
  static let path = "/handset/telesign/v1/silent"
  static let operations = (first: "startSilentStep", last: "completeSilentStep")

  static func unknownSession(_ token: String, on hop: SilentHop, in sandbox: Sandbox) throws -> Response {
    throw hop == .first ? APIError.unknownPath(in: .omnichannel).minimal : notInProgress
  }

  static func response(to handset: SilentReturn, in sandbox: Sandbox) throws -> Response {
    guard let verification = try sandbox.verifications.find(handset.session.draft.verification),
      let step = try sandbox.fallbacks.activeStep(of: verification), step.channel == .silent
    else { throw notInProgress }
    let result: SilentResult =
      switch handset.verdict {
      case .matched: .match
      case .mismatched: .mismatch
      case .notMobile, .noCoverage, .carrierError, .denied: .unreachable
      case .expired, .used: throw APIError(3908, in: .omnichannel).minimal
      case .unknown:
        throw APIError(3110, in: .omnichannel).minimal.because("grant: not a grant of this session")
      }
    let code = try apply(result, to: step, of: verification, in: sandbox)
    return .json(200) { json in
      json.object("status") { json in
        json.member("code", code)
        json.member("description", StatusTexts[code])
      }
    }
  }

  private static var notInProgress: APIError {
    APIError(3908, in: .omnichannel).minimal.because("the method silent is not in progress")
  }
}

/// A match approves the verification; otherwise the next method starts. Returns the status code.
private func apply(
  _ result: SilentResult, to step: Step, of verification: Verification, in sandbox: Sandbox
) throws -> Int {
  switch result {
  case .match:
    _ = try sandbox.verifications.finish(verification, as: .approved)
    return 3900
  case .mismatch:
    try sandbox.fallbacks.fail(step, of: verification, for: .mismatched)
    return 4502
  case .unreachable:
    try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
    return 3115
  }
}
