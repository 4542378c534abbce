import Domain
import HTTP
import JSON
import ProviderKit

// How an app ends a verification: with what it has read, or with why it could not. Source: contract 8.

/// `POST /v1/verify/auto/voice/finalize`: right with the code, and without any.
func finalizeAppVerification(_ call: Call) throws -> Response {
  let found = try call.findUnfinalized()
  let code = try call.field("verify_code")
  let isRight = code.map(found.verification.accepts) ?? true
  let ended = try call.finalize(found, as: isRight ? 2401 : 2402)
  return call.answer { json in
    json.member("resource_uri", "/v1/verify/\(ended.reference)")
    call.write(ended, as: "auto_verify_finalize", to: &json)
    if let code { json.member("verify_code", code) }
    call.writeStatus(ended.record.outcome ?? 2402, to: &json)
  }
}

/// `POST /v1/verify/auto/voice/finalize/callerid`: a call came, from a number with another beginning.
func reportUnknownCaller(_ call: Call) throws -> Response {
  _ = try call.required("unknown_caller_id")
  return try call.report(2407, as: "auto_verify_finalize_unknown")
}

/// `POST /v1/verify/auto/voice/finalize/timeout`: no call came.
func reportMissingCall(_ call: Call) throws -> Response {
  try call.report(2409, as: "auto_verify_finalize_timeout")
}

extension Call {
  fileprivate func report(_ status: Int, as subResource: String) throws -> Response {
    let ended = try finalize(findUnfinalized(), as: status)
    return answer { json in
      write(ended, as: subResource, to: &json)
      writeStatus(status, to: &json)
    }
  }

  /// The verification that the form names, which has not been ended yet.
  fileprivate func findUnfinalized() throws -> LegacyVerification {
    let found = try findAppVerification(required("reference_id"))
    guard let outcome = found.record.outcome else { return found }
    throw Problem(-30014, in: .legacy).about(found.reference)
      .because("it was finalized at \(found.verification.updatedAt.iso8601) with \(outcome)")
  }

  /// Ends it; one whose time was over cannot be a success any more.
  fileprivate func finalize(
    _ found: LegacyVerification, as status: Int
  ) throws -> LegacyVerification {
    let concluded = try sandbox.verifications.finish(
      found.verification, as: status == 2401 ? .approved : .denied)
    var ended = found
    ended.record.outcome = concluded == nil && status == 2401 ? 2402 : status
    try ended.keep(in: sandbox)
    return ended
  }
}
