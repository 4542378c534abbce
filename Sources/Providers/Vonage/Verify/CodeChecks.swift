import ProviderKit

// Checks of codes and tokens. Source: contract 5 and 6.

func checkCode(_ context: RequestContext) throws -> Response {
  let proof = try Proof(context)
  let (verification, stored) = try StoredRequest.pending(context)
  guard let step = try context.sandbox.fallbacks.activeStep(of: verification) else {
    throw APIError.requestNotFound(context.pathID)
  }
  if step.channel == .silent {
    try SilentCheck(context: context, verification: verification, stored: stored, step: step).run(proof)
  } else {
    try check(proof, of: verification, context)
  }
  return .json(200) { json in
    json.member("request_id", RequestID.of(verification, in: context.sandbox))
    json.member("status", "completed")
  }
}

private func check(_ proof: Proof, of verification: Verification, _ context: RequestContext) throws {
  guard case .code(let code) = proof else {
    throw APIError.invalid("token", "expected with silent_auth in mode advanced only")
  }
  guard !verification.code.isEmpty else { throw noCode }
  switch try context.sandbox.verifications.check(
    code, of: verification, by: context.settings.verificationRules)
  {
  case .approved: break
  case .wrongCode: throw APIError(.invalidCode)
  case .checksExhausted: throw APIError(.expired)
  case .nothingPending: throw APIError.requestNotFound(context.pathID)
  }
}

private let noCode = APIError(.noCode).because(
  "there is no code yet", change: "Let the phone open the check_url, or wait for the message, and check then."
)

/// What proves that the person has the phone. Source: contract 5.
private enum Proof {
  case code(String)
  /// Of silent authentication in mode advanced.
  case token

  init(_ context: RequestContext) throws {
    let faults = Faults()
    let body = Reader(fields: try context.request.json, faults: faults)
    let token = body.text("token", "1 character at least") { !$0.isEmpty }
    if token != nil, context.settings.advanced == .refuse {
      body.note("token", "tokens are refused by the setting advanced")
    }
    let code = body.text("code", "4 to 10 characters", required: token == nil) {
      (4...10).contains($0.unicodeScalars.count)
    }
    if token != nil, code != nil { body.note("token", "expected either code or token") }
    try faults.check()
    self = code.map { .code($0) } ?? .token
  }
}

/// The check of silent authentication: there is one attempt. Source: contract 5.
private struct SilentCheck {
  let context: RequestContext
  let verification: Verification
  let stored: StoredRequest
  let step: Step

  func run(_ proof: Proof) throws {
    guard let entry = stored.entry(of: step) else {
      throw APIError.requestNotFound(context.pathID)
    }
    guard !verification.code.isEmpty else { throw noCode }
    switch proof {
    case .code(let code) where code == verification.code && !entry.isAdvanced: break
    case .token where entry.isAdvanced: break
    default:
      try context.sandbox.fallbacks.fail(step, of: verification, for: .mismatched)
      let isLast = step.position == stored.workflow.count
      throw APIError(isLast ? .expired : .invalidCode).because(
        "not the code or token that the phone got; silent authentication has one attempt",
        change: isLast ? "Start a new request." : "Check the code of the next channel.")
    }
    _ = try context.sandbox.verifications.finish(
      verification, as: .approved, answeredBy: verification.attempts.count)
  }
}
