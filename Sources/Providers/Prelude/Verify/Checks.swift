import Domain
import HTTP
import JSON
import ProviderKit

// The resource `/v2/verification/check`. Source: contract 4.1.

func checkVerification(_ call: Call) throws -> Response {
  let form = try CheckForm(call.request.json)
  let target = try form.target.target(call.settings)
  let latest = try call.sandbox.verifications.latest(claim(of: target.destination))
  try call.refuseImpossible(form.code, of: latest)
  let code = try call.code(form.code, for: target, latest)
  return try Checking(call: call, form: form, code: code, latest: latest).answer()
}

/// The body of a check.
struct CheckForm {
  let target: TargetForm
  let code: String
  /// What is paid, under PSD2.
  let payment: Payment?

  init(_ fields: Fields) throws {
    target = try TargetForm(fields)
    code = try fields.string("code")
    guard !code.isEmpty else { throw Problem.invalid("code", expected: "a code") }
    payment = try fields.optionalObject("psd2").map { try Payment($0) }
  }
}

/// One check under way.
struct Checking {
  let call: Call
  let form: CheckForm
  /// The code that is held against it.
  let code: String
  /// The newest verification of the target.
  let latest: Verification?

  /// Holds the code against the verification; the answer, and a line in its history.
  func answer() throws -> Response {
    guard let latest else { return answer("expired_or_not_found", nil, nil) }
    let window = try Window(latest.details)
    if let objection = try objection(to: latest, window) {
      try note(window, latest, isValid: true, detail: objection)
      return answer(objection, latest, window)
    }
    let outcome = try call.sandbox.verifications.check(code, of: latest, limit: call.settings.maxChecks)
    switch outcome {
    case .approved(let verification):
      try note(window, verification, isValid: true)
      return answer("success", verification, window)
    case .wrongCode(let verification):
      try note(window, verification, isValid: false)
      return answer("failure", verification, window)
    case .checksExhausted(let verification):
      try note(window, verification, isValid: false, detail: "rate_limited")
      guard call.settings.checkLimit == "error" else { return answer("failure", verification, window) }
      throw Problem(.tooManyChecks).unrepeated(call.settings)
        .because(MissingReason.ended(verification).description)
    case .nothingPending:
      let isOver = latest.state == .pending || latest.state == .expired
      if isOver { try note(window, latest, isValid: false, detail: "expired_auth") }
      return answer("expired_or_not_found", latest, nil)
    }
  }

  /// What a payment has against a right code; a differing one makes all codes worthless.
  private func objection(to latest: Verification, _ window: Window) throws -> String? {
    guard window.templateID == Payment.templateID, latest.isPending(at: call.sandbox.clock.now),
      latest.accepts(code)
    else { return nil }
    guard let payment = form.payment else { return "transaction_missing" }
    guard payment != Payment(window.variables) else { return nil }
    try call.sandbox.verifications.invalidateCodes(of: latest)
    return "transaction_mismatch"
  }

  private func note(
    _ window: Window, _ verification: Verification, isValid: Bool, detail: String? = nil
  ) throws {
    guard window.checks.count < Self.notesLimit else { return }
    var window = window
    window.checks.append(
      .init(
        at: call.sandbox.clock.now, value: form.code, isValid: isValid, payment: form.payment,
        detail: detail))
    try call.sandbox.verifications.save(window.encoded, with: verification)
  }

  /// An id is sent even where nothing is known: strict clients need one. Source: contract 4.1.
  private func answer(_ status: String, _ verification: Verification?, _ window: Window?) -> Response {
    let id =
      verification.map { identifier(of: $0, in: call.sandbox) }
      ?? identifier(
        .verification, call.sandbox.nextOrdinal(), at: call.sandbox.clock.now, in: call.sandbox)
    return call.answer { json in
      json.member("id", id)
      json.member("status", status)
      window?.writeMetadata(to: &json)
    }
  }

  /// How many checks the history of one verification shows.
  private static let notesLimit = 100
}

extension Call {
  /// The code that counts: of a test number its own is right, as it is now, and no other. Source: contract 15.
  fileprivate func code(
    _ code: String, for target: Target, _ latest: Verification?
  ) throws -> String {
    guard let number = target.number, let test = try TestNumber.find(number, in: sandbox) else {
      return code
    }
    return code == test.attemptCode ? latest?.code ?? code : ""
  }

  /// Refuses a code that cannot be one, where the setting says so. Source: contract 4.1.
  fileprivate func refuseImpossible(_ code: String, of latest: Verification?) throws(Problem) {
    guard settings.impossibleCode == "error", !isDigits(code, 4...8), latest?.accepts(code) != true
    else { return }
    throw Problem(.impossibleCode, "a code is 4 to 8 digits", param: "code")
  }
}
