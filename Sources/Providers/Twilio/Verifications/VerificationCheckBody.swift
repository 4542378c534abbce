import ProviderKit

/// A check in responses, with the silent attempts only if the newest attempt is silent. Source: contract 4.3.
struct VerificationCheckBody {
  private let verification: Verification
  private let context: RequestContext
  private let error: SilentAttemptError?

  /// `error` is one that the stored silent attempts do not have.
  init(
    _ verification: Verification, in context: RequestContext, adding error: SilentAttemptError? = nil
  ) {
    self.verification = verification
    self.context = context
    self.error = error
  }

  func response() throws -> Response {
    let details = try VerificationDetails(of: verification)
    let sid = VerificationSid.of(verification, in: context.sandbox)
    let errors = try SilentAttemptError.all(of: verification, in: context.sandbox)
      .map { $0 + [error].compactMap { $0 } }
    return .json(context.settings.checkStatusCode == .created ? 201 : 200) { json in
      json.member("sid", sid)
      json.member("service_sid", verification.claim.owner)
      json.member("account_sid", context.caller.account)
      json.member("to", verification.claim.destination)
      json.member("channel", verification.channel.twilioName)
      json.member("status", verification.state.twilioName)
      json.member("valid", verification.state == .approved)
      json.member("amount", details.amount)
      json.member("payee", details.payee)
      if let errors {
        json.array("sna_attempts_error_codes", errors) { json, error in
          json.value {
            $0.member("attempt_sid", error.attemptSid)
            $0.member("code", error.code)
          }
        }
      }
      verification.createdAt.write(iso8601: "date_created", to: &json)
      verification.updatedAt.write(iso8601: "date_updated", to: &json)
    }
  }
}
