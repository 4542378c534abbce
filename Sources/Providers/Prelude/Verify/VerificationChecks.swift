import ProviderKit

// The resource `/v2/verification/check`. Source: contract 4.1.

func checkVerification(_ context: RequestContext) throws -> Response {
  let input = try CheckRequest(context.request.json)
  let target = try input.target.validated(context.settings)
  let latest = try context.sandbox.verifications.latest(target.claim)
  try requirePossibleCode(input.code, for: latest, context.settings)
  let code = try effectiveCode(input.code, for: target, latest, in: context.sandbox)
  return try VerificationCheck(context: context, input: input, code: code, latest: latest).run()
}

/// The body of a check.
private struct CheckRequest {
  let target: TargetInput
  let code: String
  let payment: Payment?

  init(_ fields: Fields) throws {
    target = try TargetInput(fields)
    code = try fields.string("code")
    guard !code.isEmpty else { throw APIError.invalid("code", expected: "a code") }
    payment = try fields.optionalObject("psd2").map { try Payment($0) }
  }
}

/// `status` in responses to checks.
private enum CheckStatus: String {
  case success
  case failure
  case expiredOrNotFound = "expired_or_not_found"
  case transactionMissing = "transaction_missing"
  case transactionMismatch = "transaction_mismatch"
}

/// `status_detail` of a check in the history. Source: contract 5.
enum CheckDetail: String {
  case rateLimited = "rate_limited"
  case expiredAuth = "expired_auth"
  case transactionMissing = "transaction_missing"
  case transactionMismatch = "transaction_mismatch"

  /// Why a payment refuses a right code, for the journal.
  fileprivate var reason: String? {
    switch self {
    case .transactionMissing:
      "the code is right, but its template is that of payments, and psd2 is missing".advising(
        "Send psd2 with the payment of the creation.")
    case .transactionMismatch:
      "the code is right, but psd2 is not the payment of the creation; all codes are void now".advising(
        "Have a new code sent, and check it with the payment of the creation.")
    case .rateLimited, .expiredAuth: nil
    }
  }
}

private struct VerificationCheck {
  let context: RequestContext
  let input: CheckRequest
  /// The code to compare, see `effectiveCode`.
  let code: String
  /// The newest verification of the target.
  let latest: Verification?

  /// How many checks of one verification the history keeps.
  private static let historyLimit = 100

  /// Checks the code, and adds the check to the history.
  func run() throws -> Response {
    guard let latest else {
      context.sandbox.currentReason = MissingReason.neverStarted.reason
      return response(.expiredOrNotFound, nil, nil)
    }
    let stored = try StoredVerification(of: latest)
    if let (status, detail) = try paymentProblem(latest, stored) {
      try record(stored, latest, isValid: true, detail: detail)
      context.sandbox.currentReason = detail.reason
      return response(status, latest, stored)
    }
    let outcome = try context.sandbox.verifications.check(
      code, of: latest, by: VerificationRules(context.settings, codeLength: stored.codeSize))
    switch outcome {
    case .approved(let verification):
      try record(stored, verification, isValid: true)
      return response(.success, verification, stored)
    case .wrongCode(let verification):
      try record(stored, verification, isValid: false)
      return response(.failure, verification, stored)
    case .checksExhausted(let verification):
      try record(stored, verification, isValid: false, detail: .rateLimited)
      guard context.settings.checkLimit == .error else { return response(.failure, verification, stored) }
      throw APIError(.tooManyChecks).withoutRetry(context.settings)
    case .nothingPending:
      let hasExpired = latest.state == .pending || latest.state == .expired
      if hasExpired { try record(stored, latest, isValid: false, detail: .expiredAuth) }
      return response(.expiredOrNotFound, latest, nil)
    }
  }

  /// Compares the payment if the code is valid and the template is that of payments. A different payment
  /// invalidates all codes. Nil if there is no problem.
  private func paymentProblem(
    _ latest: Verification, _ stored: StoredVerification
  ) throws -> (CheckStatus, CheckDetail)? {
    guard stored.templateID == Payment.templateID, latest.isPending(at: context.sandbox.clock.now),
      latest.accepts(code)
    else { return nil }
    guard let payment = input.payment else { return (.transactionMissing, .transactionMissing) }
    guard payment != Payment(stored.variables) else { return nil }
    try context.sandbox.verifications.invalidateCodes(of: latest)
    return (.transactionMismatch, .transactionMismatch)
  }

  private func record(
    _ stored: StoredVerification, _ verification: Verification, isValid: Bool, detail: CheckDetail? = nil
  ) throws {
    guard stored.checks.count < Self.historyLimit else { return }
    var stored = stored
    stored.checks.append(
      .init(
        at: context.sandbox.clock.now, value: input.code, isValid: isValid, payment: input.payment,
        detail: detail))
    try context.sandbox.verifications.save(ProviderDetails(stored), with: verification)
  }

  /// The response has an id even if there is no verification: strict clients need one. Source: contract 4.1.
  private func response(
    _ status: CheckStatus, _ verification: Verification?, _ stored: StoredVerification?
  ) -> Response {
    let id =
      verification.map { Identifier.text(of: $0, in: context.sandbox) }
      ?? Identifier.new(.verification, in: context.sandbox)
    return context.response { json in
      json.member("id", id)
      json.member("status", status.rawValue)
      stored?.writeMetadata(to: &json)
    }
  }
}

/// The code to compare with the verification's. For test numbers only the current code of the test number is
/// valid. Source: contract 15.
private func effectiveCode(
  _ code: String, for target: Target, _ latest: Verification?, in sandbox: Sandbox
) throws -> String {
  guard let number = target.number, let test = try TestNumber.find(number, in: sandbox) else {
    return code
  }
  return code == test.attemptCode ? latest?.code ?? code : ""
}

/// Rejects text that cannot be a code, if the setting `impossibleCode` says so. Source: contract 4.1.
private func requirePossibleCode(
  _ code: String, for latest: Verification?, _ settings: Settings
) throws(APIError) {
  guard settings.impossibleCode == .error, !Validation.isDigits(code, 4...8), latest?.accepts(code) != true
  else { return }
  throw APIError(.impossibleCode, param: "code").because("a code is 4 to 8 digits")
}
