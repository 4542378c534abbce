import Domain
import HTTP
import JSON
import ProviderKit

extension DemoProvider {
  /// `{"number":"+12025550100"}`: sends a code.
  static func sendCode(_ request: Request, in sandbox: Sandbox) throws -> Response {
    try authenticate(request, in: sandbox)
    let claim = try claim(for: request.json.string("number"))
    let brand = try Settings.current(in: sandbox).brand
    let outcome = try sandbox.verifications.start(
      .init(claim, over: .sms, rules: VerificationRules()) { verification in
        MessageDraft(
          provider: name, reference: "code", channel: .sms, destination: claim.destination, sender: brand,
          text: "Your \(brand) code is \(verification.code).", code: verification.code)
      })
    switch outcome {
    case .created, .resent: return .json(202, #"{"status":"sent"}"#)
    case .sendsExhausted, .checksExhausted: throw DemoError(429, "too_many_attempts")
    }
  }

  /// `{"code":"123456"}`: checks a code.
  static func checkCode(_ request: Request, in sandbox: Sandbox) throws -> Response {
    try authenticate(request, in: sandbox)
    let verification = try sandbox.verifications.latest(claim(for: request[parameter: "number"]))
    switch try sandbox.verifications.check(request.json.string("code"), of: verification, limit: 5) {
    case .approved: return .json(200, #"{"status":"approved"}"#)
    case .wrongCode: throw DemoError(403, "wrong_code")
    case .checksExhausted: throw DemoError(429, "too_many_attempts")
    case .nothingPending(let reason): throw DemoError(404, "not_found", why: "\(reason)")
    }
  }

  /// An open sandbox accepts unknown keys too.
  private static func authenticate(_ request: Request, in sandbox: Sandbox) throws {
    guard let key = credential(in: request) else {
      throw DemoError(401, "unauthorized", why: "no Authorization: Bearer")
    }
    guard try sandbox.accounts.find(key, of: name) != nil || sandbox.acceptsUnknownAccounts else {
      throw DemoError(401, "unauthorized", why: "unknown API key")
    }
  }

  private static func claim(for number: String) throws -> Claim {
    guard let number = PhoneNumber(number) else { throw DemoError(400, "invalid_number") }
    return Claim(provider: name, owner: "account", destination: number.description)
  }
}

/// An error in the vendor's format: `{"error":"wrong_code"}`.
struct DemoError: ResponseError {
  let status: Status
  let code: String
  /// The reason, for the journal.
  let why: String?

  init(_ status: Status, _ code: String, why: String? = nil) {
    self.status = status
    self.code = code
    self.why = why
  }

  var response: Response { .json(status, #"{"error":"\#(code)"}"#) }
}

extension Response {
  fileprivate static func json(_ status: Status, _ text: String) -> Response {
    .json(status, Array(text.utf8))
  }
}
