import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/verification`. Source: contract 4.

/// Verify API. One of the vendor's clients leaves out `/state`: source: contract 3.3, quirk 6.
var verifyRoutes: [Route<Sandbox>] {
  [
    route(.post, "/verification", as: "createVerification", of: .verify, createVerification),
    route(.get, "/verification/{reference_id}", as: "fetchVerification", of: .verify, fetchVerification),
    route(
      .patch, "/verification/{reference_id}/state", as: "finalizeVerification", of: .verify,
      finalizeVerification),
    route(
      .patch, "/verification/{reference_id}", as: "finalizeVerificationShortly", of: .verify,
      finalizeVerification),
  ]
}

/// `POST /verification`
func createVerification(_ call: Call) throws -> Response {
  guard call.request.body.count <= verificationBodyLimit else {
    throw Problem(3116, in: .omnichannel).because("a body may have \(verificationBodyLimit) bytes")
  }
  let form = try VerificationForm(call)
  try call.admitSending(to: form.recipient.number)
  let verification = try call.sandbox.fallbacks.start(form.start(call))
  let view = try VerificationView(verification, form.details, in: call.sandbox)
  return call.answer { view.writeCreation(to: &$0) }
}

/// `GET /verification/{reference_id}`
func fetchVerification(_ call: Call) throws -> Response {
  let (verification, details) = try call.verification()
  let view = try VerificationView(verification, details, in: call.sandbox)
  return call.answer { view.writeRetrieval(to: &$0) }
}

/// `PATCH /verification/{reference_id}/state`
func finalizeVerification(_ call: Call) throws -> Response {
  let form = try FinalizationForm(call)
  let verdict = try Verdict(
    of: form.securityFactor, for: call.verification().verification, in: call.sandbox)
  return try call.answer(verdict.status()) { json in
    json.object("status") { verdict.write(to: &$0) }
  }
}

/// Source: contract 15.
private let verificationBodyLimit = 10 * 1024

extension Call {
  /// The caller's verification of the path. Source: contract 4.5.
  func verification() throws -> (verification: Verification, details: VerificationDetails) {
    let reference = request[parameter: "reference_id"]
    let invalid = Problem(3110, in: .omnichannel)
    guard isReference(reference) else {
      throw invalid.because("a reference id is 32 digits of 0 to 9 and A to F")
    }
    guard let found = try findVerification(reference, in: sandbox),
      found.verification.claim.owner == customer,
      found.verification.isRetained(by: settings, sandbox.clock.now)
    else {
      throw Problem(
        invalid.code, Status(settings.unknownReferenceStatus) ?? 400, invalid.description, in: .omnichannel
      ).because("the account has no verification \(reference)")
    }
    return found
  }
}

/// The verification of a reference id, whoever's it is.
func findVerification(
  _ reference: String, in sandbox: Sandbox
) throws -> (verification: Verification, details: VerificationDetails)? {
  guard let (kind, ordinal) = resolve(reference, in: sandbox), kind == .verification,
    let verification = try sandbox.verifications.find(ordinal),
    verification.claim.provider == TelesignProvider.name,
    let details = try VerificationDetails(of: verification)
  else { return nil }
  return (verification, details)
}

extension Verification {
  /// Whether it can be asked for still. Source: contract 16.
  fileprivate func isRetained(by settings: Settings, _ now: Timestamp) -> Bool {
    now < createdAt + .seconds(settings.retentionHours * 3600)
  }
}
