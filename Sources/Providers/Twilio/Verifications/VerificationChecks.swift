import ProviderKit

// The resource `/v2/Services/{service}/VerificationCheck`. Source: contract 4.3 and 4.4.

func checkVerification(_ context: RequestContext) throws -> Response {
  let form = try CheckForm(try context.request.form)
  let target = try ServiceVerifications(context).find(form.target)
  let details = try target.map { try VerificationDetails(of: $0) }
  if let details, context.service.psd2Enabled ?? false,
    form.amount != details.amount || form.payee != details.payee
  {
    throw APIError.amountAndPayeeRequired.because("Amount and Payee differ from those of the creation")
  }
  guard let code = form.code, target?.code.isEmpty != true else {
    guard let target, target.channel == .silent else {
      throw APIError.invalidParameter("Code", expected: "the code, except for channel sna")
    }
    return try SilentCheck(verification: target, context: context).response(clientToken: form.clientToken)
  }
  let rules = VerificationRules(context.settings, codeLength: code.count)
  switch try context.sandbox.verifications.check(code, of: target, by: rules) {
  case .approved(let verification), .wrongCode(let verification):
    return try VerificationCheckBody(verification, in: context).response()
  case .checksExhausted: throw APIError.maxCheckAttemptsReached
  case .nothingPending(let why):
    switch context.settings.checkWithoutPending {
    case .notFound: throw context.notFound(why)
    case .invalidParameter:
      throw APIError.invalidParameter(
        form.targetName, value: form.target, expected: "a pending verification")
    }
  }
}

private struct CheckForm {
  /// Nil for a silent check.
  let code: String?
  /// The SID of the verification, or its destination. The SID wins if both are given.
  let target: String
  /// The parameter that `target` came from.
  let targetName: String
  let amount: String?
  let payee: String?
  /// The token of the silent URL's answer.
  let clientToken: String?

  init(_ form: Form) throws(APIError) {
    form.declare(["To", "VerificationSid", "Code", "Amount", "Payee", "SnaClientToken"])
    let sid = form.text("VerificationSid")
    guard let target = sid ?? form.text("To") else { throw .noTargetVerification }
    code = form.text("Code")
    if let code, !(4...10).contains(code.count) {
      throw .invalidParameter("Code", expected: "4 to 10 characters")
    }
    self.target = target
    targetName = sid == nil ? "To" : "VerificationSid"
    amount = form.text("Amount")
    payee = form.text("Payee")
    clientToken = form.text("SnaClientToken")
  }
}
