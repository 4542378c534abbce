import ProviderKit

// The resource `/verification`. Source: contract 4.

func createVerification(_ context: RequestContext) throws -> Response {
  guard context.request.body.count <= verificationBodyLimit else {
    throw APIError(3116, in: .omnichannel)
      .because("the body is larger than \(verificationBodyLimit) bytes")
  }
  let form = try VerificationForm(context)
  let rules = AccountRules(context)
  try rules.checkSending(to: form.recipient.number)
  try rules.checkBlocks(of: form.recipient.number)
  let verification = try context.sandbox.fallbacks.start(form.start(context))
  let view = try VerificationView(verification, form.details, in: context.sandbox)
  return .json(200) { view.write(to: &$0) }
}

func fetchVerification(_ context: RequestContext) throws -> Response {
  let (verification, details) = try ownVerification(context)
  let view = try FullVerificationView(verification, details, in: context.sandbox)
  return .json(200) { view.write(to: &$0) }
}

func finalizeVerification(_ context: RequestContext) throws -> Response {
  let form = try FinalizationForm(context)
  let result = try CodeCheckResult(
    of: form.securityFactor, for: ownVerification(context).verification, in: context.sandbox)
  return try .json(result.status()) { json in
    json.object("status") { result.write(to: &$0) }
  }
}

/// In bytes. Source: contract 15.
private let verificationBodyLimit = 10 * 1024

/// The caller's verification that the path names. Source: contract 4.5.
private func ownVerification(
  _ context: RequestContext
) throws -> (verification: Verification, details: VerificationDetails) {
  let reference = context.request[parameter: "reference_id"]
  let invalid = APIError(3110, in: .omnichannel)
  guard ReferenceID.isValid(reference) else {
    throw invalid.because("reference_id: expected 32 digits of 0 to 9 and A to F")
  }
  guard let found = try VerificationDetails.find(reference, in: context.sandbox),
    found.verification.claim.owner == context.customer,
    found.verification.isRetained(by: context.settings, context.sandbox.clock.now)
  else {
    let status = Status(context.settings.unknownReferenceStatus) ?? 400
    throw APIError(invalid.code, status, invalid.description, in: .omnichannel)
      .because(
        "the account has no verification \(reference)",
        change: "Send the reference_id that the answer to the start has.")
  }
  return found
}

extension Verification {
  /// True while it can be queried. Source: contract 16.
  fileprivate func isRetained(by settings: Settings, _ now: Timestamp) -> Bool {
    now < createdAt + .seconds(settings.retentionHours * 3600)
  }
}

extension Settings {
  /// The limits of a verification. Source: contract 4.6 and 4.8.
  var verificationRules: VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = verifyCodeLength
    rules.lifetime = .seconds(300)
    rules.codeValidity = .seconds(verifyCodeSeconds)
    rules.checkLimit = verifyAttempts
    rules.locksOnLastFailure = true
    rules.refusesStartWhileLocked = false
    return rules
  }
}
