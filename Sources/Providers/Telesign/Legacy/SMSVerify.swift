import ProviderKit

// SMS Verify, and the status and completion of all legacy verifications. Source: contract 7.

func createSMSVerification(_ context: RequestContext) throws -> Response {
  let draft = try draft(of: LegacyForm(context.request), context)
  return try draft.send(for: context).response(isNew: true, to: context)
}

/// Returns the delivery status. With `verify_code` in the query it checks the code too. Source: contract 7.4.
func fetchVerifyStatus(_ context: RequestContext) throws -> Response {
  // Another operation has this path. Source: `senders.md` 8.
  guard context.request[parameter: "reference_id"] != "bulk_sms" else {
    throw APIError.wrongMethod([.post], in: .legacy)
  }
  var found = try LegacyVerification.find(
    context.request[parameter: "reference_id"], [.smsVerification, .callVerification, .appVerification],
    for: context)
  if found.kind == .appVerification { return try AppVerification(found).response(to: context) }
  if let code = try context.request.query.last("verify_code"), !code.isEmpty {
    let wasValid = found.details.codeState == .valid
    let state = try check(code, of: found.verification, context.settings, in: context.sandbox)
    found.details.codeState = state
    found.details.enteredCode = code
    // A wrong code is not stored after a right one: the number stays verified.
    if !(wasValid && state == .invalid) { try found.saveDetails(in: context.sandbox) }
  }
  return try found.response(isNew: false, to: context)
}

/// Stores that the user has entered the code. The time is in the verification's `details` in
/// `/control/verifications`. Source: contract 7.5.
func completeVerification(_ context: RequestContext) throws -> Response {
  let text = context.request[parameter: "reference_id"]
  let unknown = APIError(-30013, in: .legacy).about(text, "completion")
  guard ReferenceID.isValid(text) else { throw unknown }
  var found = try LegacyVerification.find(
    text, [.smsVerification, .callVerification], else: unknown, for: context)
  found.details.completedAt = context.sandbox.clock.now
  try found.saveDetails(in: context.sandbox)
  return .json(200) { json in
    json.member("reference_id", found.reference)
    json.member("sub_resource", "completion")
    json.member("subresource", "completion")
    json.member("errors", [String]())
    context.writeStatus(1900, to: &json)
  }
}

/// Known parameters that have no effect.
private let ignoredParameters = ["is_primary", "dlt_template_id", "dlt_entity_id"]

/// Source: contract 7.1.
private func draft(of form: LegacyForm, _ context: RequestContext) throws -> LegacyCodeDraft {
  form.declare(ignoredParameters)
  let number = try ParsedNumber.toSendTo(form.required("phone_number"), in: context)
  try form.checkUseCaseAndIP()
  var details = LegacyDetails(of: "sms")
  if try form.flag("sim_swap_check") ?? false {
    let line = try LineInfo(of: number, in: context.sandbox)
    details.simSwap = SIMSwapCheck(of: line, at: context.sandbox.clock.now)
  }
  var draft = LegacyCodeDraft(
    kind: .smsVerification, channel: .sms, number: number, details: details,
    codeLength: context.settings.smsCodeLength, code: try form.customCode(3...7),
    sender: try form.text("sender_id", upTo: 20) ?? defaultSender,
    text: CodeText(
      try form.text("template", upTo: 1600), language: form.text("language"), payment: try payment(in: form)),
    callbackURL: try CallbackURL.chosen(by: form.text("callback_url"), in: context))
  if let check = try DeactivationCheck(form, context.settings) {
    draft.blockedBy = check.blockingStatus(of: try LineInfo(of: number, in: context.sandbox), context)
  }
  return draft
}

/// Amount and payee: both or neither. Source: contract 7.1.
private func payment(in form: LegacyForm) throws -> (amount: String, payee: String)? {
  switch (form.text("transaction_amount"), form.text("transaction_payee")) {
  case (nil, nil): nil
  case (let amount?, let payee?): (amount, payee)
  case (nil, _): throw APIError.missing("transaction_amount")
  case (_, nil): throw APIError.missing("transaction_payee")
  }
}

/// Source: contract 7.4.
private func check(
  _ code: String, of verification: Verification, _ settings: Settings, in sandbox: Sandbox
) throws -> CodeState {
  let rules = settings.legacyRules(codeLength: code.count)
  switch try sandbox.verifications.check(code, of: verification, by: rules) {
  case .approved: return .valid
  case .wrongCode: return .invalid
  case .checksExhausted: return .attemptsExceeded
  case .nothingPending(let why):
    let state = state(of: code, after: why)
    if state == .valid { sandbox.currentReason = nil }
    return state
  }
}

/// A valid code stays valid. Source: contract 7.4.
private func state(of code: String, after why: MissingReason) -> CodeState {
  guard case .ended(let verification) = why else { return .invalid }
  return switch verification.state {
  case .approved: verification.accepts(code) ? .valid : .invalid
  case .exhausted: .attemptsExceeded
  case .pending, .expired: .expired
  case .denied, .canceled: .invalid
  }
}
