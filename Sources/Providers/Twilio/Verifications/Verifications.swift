import ProviderKit

// The resource `/v2/Services/{service}/Verifications`. Source: contract 4.1, 4.2 and 4.4.

func createVerification(_ context: RequestContext) throws -> Response {
  let sandbox = context.sandbox
  let form = try VerificationForm(try context.request.form)
  let allowed = CreationRules(context)
  try allowed.check(form)
  let text = try MessageText(for: form, in: context)
  try RateLimitHits(of: form, in: context).count()
  let message = VerificationMessage(form: form, text: text, context: context)
  var start = Verifications.Start(
    ServiceVerifications(context).claim(to: form.to), over: try allowed.channel(for: form),
    rules: VerificationRules(context.settings, codeLength: context.service.digits), compose: message.draft)
  start.customCode = try allowed.customCode(of: form)
  let sink = EventSink(for: context)
  if let sink { start.onSent = { try sink.report($1, of: $0, in: sandbox) } }
  let details = VerificationDetails(of: form, in: text.language, reportsEvents: sink != nil)
  start.details = ProviderDetails(details)
  switch try sandbox.verifications.start(start) {
  case .created(let verification), .resent(let verification):
    try DailySends(of: context).add()
    try SilentURL.create(for: verification, form, in: context)
    try sink?.report(verification, in: sandbox)
    // One that was sent again keeps the details of its creation.
    let kept = try VerificationDetails(of: verification)
    var response = Response.json(
      201, try VerificationBody(verification, kept, in: context, isCreation: true).json())
    if let why = text.why { response.why = why }
    return response
  case .sendsExhausted(let verification):
    throw APIError.maxSendAttemptsReached.because(
      "\(VerificationSid.of(verification, in: sandbox)) was sent \(context.settings.maxSends) times "
        + "within \(context.settings.sendWindowSeconds) s",
      change: "Check the newest code, or start a new verification when this one has ended.")
  case .checksExhausted(let verification):
    throw APIError.maxCheckAttemptsReached.because(
      verification.lockReason(by: VerificationRules(context.settings, codeLength: context.service.digits)))
  }
}

func fetchVerification(_ context: RequestContext) throws -> Response {
  .json(200, try VerificationBody(fetchableVerification(context), in: context).json())
}

/// Ends a verification as the client says.
func updateVerification(_ context: RequestContext) throws -> Response {
  let state: Verification.State
  switch try context.request.form["Status"] {
  case "canceled": state = .canceled
  case "approved": state = .approved
  default: throw APIError.invalidParameter("Status", expected: "canceled or approved")
  }
  let verification = try fetchableVerification(context)
  guard let ended = try context.sandbox.verifications.finish(verification, as: state) else {
    throw context.notFound(.ended(verification))
  }
  return .json(200, try VerificationBody(ended, in: context).json())
}

/// The verification of the path, if it can still be fetched: pending, canceled, or checked too often.
private func fetchableVerification(_ context: RequestContext) throws -> Verification {
  let name = context.request[parameter: "verification"]
  guard let verification = try ServiceVerifications(context).find(name) else {
    throw context.notFound(.neverStarted)
  }
  let now = context.sandbox.clock.now
  let isFetchable =
    verification.isPending(at: now) || verification.state == .canceled
    || (verification.isLocked(at: now) && context.settings.fetchAfterMaxAttempts == .readable)
  guard isFetchable else { throw context.notFound(.ended(verification)) }
  return verification
}
