import ProviderKit

/// `{"number":"+12025550100","callback":"https://example.com/hook"}`: sends a code.
func sendCode(_ context: RequestContext) throws -> Response {
  let body = try context.request.json
  let claim = try context.claim(to: body.string("number"))
  let callback = try body.optionalString("callback")
  let outcome = try context.sandbox.verifications.start(
    .init(claim, over: .sms, rules: VerificationRules()) { verification in
      MessageDraft(
        provider: DemoProvider.name, reference: "code", channel: .sms, destination: claim.destination,
        sender: context.settings.brand,
        text: "Your \(context.settings.brand) code is \(verification.code).", code: verification.code)
    })
  switch outcome {
  case .created(let verification), .resent(let verification):
    if let callback { try Callback.enqueue(about: verification, to: callback, in: context.sandbox) }
    return CodeBody(status: "sent").response(202)
  case .sendsExhausted, .checksExhausted: throw APIError(429, .tooManyAttempts)
  }
}

/// `{"code":"123456"}`: checks a code.
func checkCode(_ context: RequestContext) throws -> Response {
  let claim = try context.claim(to: context.request[parameter: "number"])
  let verification = try context.sandbox.verifications.latest(claim)
  let code = try context.request.json.string("code")
  switch try context.sandbox.verifications.check(code, of: verification, limit: context.settings.maxChecks) {
  case .approved: return CodeBody(status: "approved").response(200)
  case .wrongCode: throw APIError(403, .wrongCode)
  case .checksExhausted: throw APIError(429, .tooManyAttempts)
  case .nothingPending: throw APIError(404, .notFound)
  }
}

private struct CodeBody {
  let status: String

  func response(_ status: Status) -> Response {
    .json(status, JSONWriter.object { $0.member("status", self.status) })
  }
}
