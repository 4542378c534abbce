import Domain
import HTTP
import ProviderKit

// The resource `/v2/Services/{VA}/VerificationCheck`. Source: contract 4.3 and 4.4.

func checkVerification(_ request: Request, in sandbox: Sandbox) throws -> Response {
  let call = try Call(request, in: sandbox)
  let form = try CheckForm(try request.form)
  let target = try call.verification(named: form.target)
  let details = try target.map { try VerificationDetails($0.details) }
  if let details, call.service.psd2Enabled ?? false,
    form.amount != details.amount || form.payee != details.payee
  {
    throw Problem.amountAndPayeeRequired.because("Amount and Payee differ from those of the creation")
  }
  guard let code = form.code, target?.code.isEmpty != true else {
    guard let target, target.channel == .silent else { throw Problem.invalid("Code") }
    return try call.checkSilently(target, clientToken: form.clientToken)
  }
  switch try sandbox.verifications.check(code, of: target, limit: call.settings.maxChecks) {
  case .approved(let verification), .wrongCode(let verification):
    return try call.checkAnswer(verification)
  case .checksExhausted(let verification):
    throw Problem.maxCheckAttempts.because(MissingReason.ended(verification).description)
  case .nothingPending(let absence):
    guard call.settings.checkWithoutPending == "60200" else { throw call.notFound(absence) }
    throw Problem.invalid(form.targetName, value: form.target).because(absence.description)
  }
}

/// The parameters of a check.
private struct CheckForm {
  /// The digits to hold against the verification; nil where none came.
  let code: String?
  /// The verification's SID, or where it was sent; the SID decides when both come.
  let target: String
  /// The parameter that named it.
  let targetName: String
  let amount: String?
  let payee: String?
  /// What a silent URL's answer has carried.
  let clientToken: String?

  init(_ form: Form) throws(Problem) {
    form.declare(["To", "VerificationSid", "Code", "Amount", "Payee", "SnaClientToken"])
    let sid = form.text("VerificationSid")
    guard let target = sid ?? form.text("To") else { throw .noTarget }
    code = form.text("Code")
    if let code, !(4...10).contains(code.count) { throw .invalid("Code") }
    self.target = target
    targetName = sid == nil ? "To" : "VerificationSid"
    amount = form.text("Amount")
    payee = form.text("Payee")
    clientToken = form.text("SnaClientToken")
  }
}
