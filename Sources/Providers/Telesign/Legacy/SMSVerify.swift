import Domain
import HTTP
import JSON
import ProviderKit

// SMS Verify, and the status and completion of all legacy verifications. Source: contract 7.

func createSMSVerification(_ context: RequestContext) throws -> Response {
  let draft = try context.readSMSVerification()
  guard let status = draft.details.simSwap?.blockingStatus else {
    return try context.respond(with: context.send(draft), isNew: true)
  }
  return try context.respond(with: context.block(draft, with: status), isNew: true)
}

/// Returns the delivery status. With `verify_code` in the query it checks the code too. Source: contract 7.4.
func fetchVerifyStatus(_ context: RequestContext) throws -> Response {
  var found = try context.findLegacyVerification(
    context.request[parameter: "reference_id"], [.smsVerification, .callVerification, .appVerification])
  if found.kind == .appVerification { return try context.appResponse(found) }
  if let code = try context.request.query.all("verify_code").last, !code.isEmpty {
    let wasValid = found.details.codeState == .valid
    let state = try context.check(code, of: found.verification)
    found.details.codeState = state
    found.details.enteredCode = code
    // A wrong code is not stored after a right one: the number stays verified.
    if !(wasValid && state == .invalid) { try found.saveDetails(in: context.sandbox) }
  }
  return try context.respond(with: found, isNew: false)
}

/// Stores that the user has entered the code. The time is in the verification's `details` in
/// `/control/verifications`. Source: contract 7.5.
func completeVerification(_ context: RequestContext) throws -> Response {
  let text = context.request[parameter: "reference_id"]
  let unknown = APIError(-30013, in: .legacy).about(text, "completion")
  guard isReferenceID(text) else { throw unknown }
  var found = try context.findLegacyVerification(text, [.smsVerification, .callVerification], else: unknown)
  found.details.completedAt = context.sandbox.clock.now
  try found.saveDetails(in: context.sandbox)
  return context.respond { json in
    json.member("reference_id", found.reference)
    json.member("sub_resource", "completion")
    json.member("subresource", "completion")
    json.noErrors()
    context.writeStatus(1900, to: &json)
  }
}

extension RequestContext {
  /// Source: contract 7.1.
  fileprivate func readSMSVerification() throws -> LegacyCodeDraft {
    try request.form.declare(Self.ignoredParameters)
    let number = try number(required("phone_number"))
    try checkUseCaseAndIP()
    var details = LegacyDetails(of: "sms")
    if try flag("sim_swap_check") ?? false {
      details.simSwap = SIMSwapCheck(
        of: try LineInfo(of: number, in: sandbox), at: sandbox.clock.now)
    }
    return LegacyCodeDraft(
      kind: .smsVerification, channel: .sms, number: number, details: details,
      codeLength: settings.smsCodeLength, code: try customCode(3...7),
      sender: try text("sender_id", upTo: 20) ?? defaultSender,
      text: CodeText(
        try text("template", upTo: 1600), language: try field("language"), payment: try payment()),
      callbackURL: try callbackURL())
  }

  /// Amount and payee: both or neither. Source: contract 7.1.
  private func payment() throws -> (amount: String, payee: String)? {
    switch (try field("transaction_amount"), try field("transaction_payee")) {
    case (nil, nil): nil
    case (let amount?, let payee?): (amount, payee)
    case (nil, _): throw APIError.missing("transaction_amount")
    case (_, nil): throw APIError.missing("transaction_payee")
    }
  }

  /// Known parameters that have no effect.
  private static let ignoredParameters = ["is_primary", "dlt_template_id", "dlt_entity_id", "num_deac_req"]

  /// Source: contract 7.4.
  fileprivate func check(_ code: String, of verification: Verification) throws -> CodeState {
    switch try sandbox.verifications.check(code, of: verification, limit: settings.smsCodeAttempts) {
    case .approved: return .valid
    case .wrongCode: return .invalid
    case .checksExhausted: return .attemptsExceeded
    case .nothingPending(let reason): return Self.state(of: code, after: reason)
    }
  }

  /// A valid code stays valid. Source: contract 7.4.
  private static func state(of code: String, after reason: MissingReason) -> CodeState {
    guard case .ended(let verification) = reason else { return .invalid }
    return switch verification.state {
    case .approved: verification.accepts(code) ? .valid : .invalid
    case .exhausted: .attemptsExceeded
    case .pending, .expired: .expired
    case .denied, .canceled: .invalid
    }
  }
}
