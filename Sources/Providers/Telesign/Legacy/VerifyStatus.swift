import Domain
import HTTP
import JSON
import ProviderKit

/// `GET /v1/verify/{reference_id}`: how far the sending has come; with a code also whether it is right.
/// Source: contract 7.4.
func fetchVerifyStatus(_ call: Call) throws -> Response {
  var found = try call.findLegacyVerification(
    call.request[parameter: "reference_id"], [.smsVerification, .callVerification, .appVerification])
  if found.kind == .appVerification { return try call.appAnswer(found) }
  if let code = try call.request.query.all("verify_code").last, !code.isEmpty {
    let verdict = try call.verdict(on: code, found.verification)
    // A wrong code takes nothing back from what was proven.
    if found.record.verdict == .valid && verdict == .invalid {
      var shown = found
      shown.record.verdict = verdict
      shown.record.entered = code
      return try call.answer(shown, isNew: false)
    }
    found.record.verdict = verdict
    found.record.entered = code
    try found.keep(in: call.sandbox)
  }
  return try call.answer(found, isNew: false)
}

/// `PUT /v1/verify/completion/{reference_id}`: the app reports that the person has entered the code. When it did
/// stands in the verification's `details` in `/control/verifications`. Source: contract 7.5.
func completeVerification(_ call: Call) throws -> Response {
  let text = call.request[parameter: "reference_id"]
  let unknown = Problem(-30013, in: .legacy).about(text, "completion")
  guard isReference(text) else { throw unknown }
  var found = try call.findLegacyVerification(text, [.smsVerification, .callVerification], else: unknown)
  found.record.completedAt = call.sandbox.clock.now
  try found.keep(in: call.sandbox)
  return call.answer { json in
    json.member("reference_id", found.reference)
    json.member("sub_resource", "completion")
    json.member("subresource", "completion")
    json.noErrors()
    call.writeStatus(1900, to: &json)
  }
}

extension Call {
  /// What comes of a code. Source: contract 7.4.
  fileprivate func verdict(on code: String, _ verification: Verification) throws -> CodeState {
    switch try sandbox.verifications.check(code, of: verification, limit: settings.smsCodeAttempts) {
    case .approved: return .valid
    case .wrongCode: return .invalid
    case .checksExhausted: return .attemptsExceeded
    case .nothingPending(let absence):
      return Self.verdict(on: code, after: absence)
    }
  }

  /// One that was right stays right. Source: contract 7.4.
  private static func verdict(on code: String, after absence: MissingReason) -> CodeState {
    guard case .ended(let verification) = absence else { return .invalid }
    return switch verification.state {
    case .approved: verification.accepts(code) ? .valid : .invalid
    case .exhausted: .attemptsExceeded
    case .pending, .expired: .expired
    case .denied, .canceled: .invalid
    }
  }
}
