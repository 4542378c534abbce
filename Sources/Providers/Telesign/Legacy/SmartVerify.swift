import ProviderKit

// Smart Verify: the provider chooses between a message and a call. Source: contract 7.3.

func createSmartVerification(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  let number = try ParsedNumber.toSendTo(form.required("phone_number"), in: context)
  _ = try form.required("ucid")
  try form.checkUseCaseAndIP()
  var draft =
    try prefersCall(to: number, form, in: context.sandbox)
    ? CallDraft(form: form, context: context).draft(to: number, as: "voice")
    : messageDraft(to: number, of: form, context)
  draft.checksRisk = false
  let isTooRisky = try isTooRisky(number, form, in: context.sandbox)
  let started = try isTooRisky ? draft.block(with: 2028, for: context) : draft.send(for: context)
  return try started.response(isNew: true, to: context)
}

/// The request's preference decides, else a call if the line cannot receive SMS.
private func prefersCall(to number: ParsedNumber, _ form: LegacyForm, in sandbox: Sandbox) throws -> Bool {
  // A request may contain the texts for both.
  form.declare(["tts_message", "sms_message", "call_forward_action"])
  return switch form.text("preference")?.lowercased() {
  case "call": true
  case "sms": false
  case nil: try !sandbox.subscribers[number.phoneNumber].lineType.takesTexts
  default: throw APIError.invalidParameter("preference", expected: "call or sms")
  }
}

private func messageDraft(
  to number: ParsedNumber, of form: LegacyForm, _ context: RequestContext
) throws -> LegacyCodeDraft {
  LegacyCodeDraft(
    kind: .smsVerification, channel: .sms, number: number, details: LegacyDetails(of: "sms"),
    codeLength: context.settings.smsCodeLength, code: try form.customCode(3...7), sender: defaultSender,
    text: CodeText(try form.text("sms_message", upTo: 1600), language: form.text("language")),
    callbackURL: try CallbackURL.chosen(by: form.text("callback_url"), in: context))
}

/// False if the request ignores the risk.
private func isTooRisky(_ number: ParsedNumber, _ form: LegacyForm, in sandbox: Sandbox) throws -> Bool {
  if try form.flag("ignore_risk") ?? false { return false }
  let line = try LineInfo(of: number, in: sandbox)
  return RiskScore(of: line, at: sandbox.clock.now).score > highestAllowedRisk
}

/// The provider recommends to block higher scores. Source: contract 11.
private let highestAllowedRisk = 600
