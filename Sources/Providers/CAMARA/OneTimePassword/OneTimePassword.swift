package import ProviderKit

// One Time Password SMS 1.1.1. Source: contract 7.

extension Scope {
  static let oneTimePassword = ["one-time-password-sms:send-validate"]
}

extension CAMARAProvider {
  static var oneTimePasswordRoutes: [Route<Sandbox>] {
    let scope = "one-time-password-sms:send-validate"
    return [
      .post("/one-time-password-sms/v1/send-code", as: "sendCode", operation(scope, sendCode)),
      .post("/one-time-password-sms/v1/validate-code", as: "validateCode", operation(scope, validateCode)),
    ]
  }
}

/// `POST /send-code`: sends a text with a code, and returns the id of the attempt.
func sendCode(_ context: RequestContext) throws -> Response {
  let body = try context.body
  guard let text = try body.optionalPhoneNumber() else {
    throw body.mismatch("phoneNumber", expected: "a phone number such as +12025550100")
  }
  let template = try CodeTemplate(body, limit: context.settings.otpMessageLimit)
  let subscriber = try textReceiver(text, context)
  let claim = Claim(
    provider: CAMARAProvider.name, owner: context.client.id, destination: subscriber.number.description)
  try requireRoomForCode(to: claim.destination, context)
  if let pending = try context.sandbox.verifications.latest(claim) {
    _ = try context.sandbox.verifications.finish(pending, as: .canceled)
  }
  var start = Verifications.Start(claim, over: .sms, rules: VerificationRules(context.settings)) {
    MessageDraft(
      provider: CAMARAProvider.name, reference: authenticationID(of: $0, in: context.sandbox), channel: .sms,
      destination: claim.destination, sender: codeSender, text: template.text(with: $0.code), code: $0.code)
  }
  if context.settings.otpAlphabet == .alphanumeric, subscriber.code == nil {
    start.customCode = context.sandbox.entropy.secret(
      "code \(context.sandbox.nextOrdinal())", length: context.settings.otpLength, of: .base32)
  }
  switch try context.sandbox.verifications.start(start) {
  case .created(let verification), .resent(let verification):
    let id = authenticationID(of: verification, in: context.sandbox)
    return context.response { $0.member("authenticationId", id) }
  case .sendsExhausted, .checksExhausted: throw APIError(.maxOTPCodesExceeded)
  }
}

/// `POST /validate-code`: 204 if the code is right.
func validateCode(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let (id, code) = (try body.string("authenticationId"), try body.string("code"))
  guard id.unicodeScalars.count <= 36 else {
    throw body.mismatch("authenticationId", expected: "up to 36 characters")
  }
  guard code.unicodeScalars.count <= 10 else { throw body.mismatch("code", expected: "up to 10 characters") }
  let verifications = context.sandbox.verifications
  guard let ordinal = context.sandbox.entropy.ordinal(ofUUID: id, under: "authentication"),
    let verification = try verifications.find(ordinal), verification.claim.owner == context.client.id,
    authenticationID(of: verification, in: context.sandbox) == id
  else {
    throw APIError(.notFound).because(
      "no code was sent under this authenticationId",
      change: "Send the authenticationId that the answer to send-code has, with a token of the same client.")
  }
  let rules = VerificationRules(context.settings)
  switch try verifications.check(code, of: verification, by: rules) {
  case .approved: return Response(204)
  case .wrongCode: throw APIError(.invalidOTP)
  case .checksExhausted: throw APIError(.verificationFailed)
  case .nothingPending: throw APIError(.verificationExpired)
  }
}

/// The name from which texts come.
private let codeSender = "OpenGateway"

/// The member `authenticationId`.
private func authenticationID(of verification: Verification, in sandbox: Sandbox) -> String {
  sandbox.entropy.uuid("authentication", verification.ordinal, at: verification.createdAt)
}

/// The member `message`.
private struct CodeTemplate {
  private let message: String

  init(_ body: Fields, limit: Int) throws {
    message = try body.string("message")
    guard Placeholders.doubleBraces.contains("code", in: message), message.unicodeScalars.count <= limit
    else {
      throw body.mismatch("message", expected: "up to \(limit) characters with {{code}}")
    }
  }

  func text(with code: String) -> String { Placeholders.doubleBraces.fill(message, "code", with: code) }
}

extension VerificationRules {
  /// Each code is a verification of its own, and the last wrong one ends it. Source: contract 7.
  init(_ settings: Settings) {
    self.init()
    codeLength = settings.otpLength
    lifetime = .seconds(settings.otpValidity)
    checkLimit = settings.otpMaxTry
    locksOnLastFailure = true
    resendsWhilePending = false
    refusesStartWhileLocked = false
  }
}

/// The line that a code goes to. Source: contract 7 and 14.
private func textReceiver(_ text: String, _ context: RequestContext) throws -> Subscriber {
  let subscriber: Subscriber
  do {
    guard let number = PhoneNumber(text) else { throw APIError(.identifierNotFound) }
    subscriber = try Subject.existing(number, context)
  } catch let error as APIError where error.code == ErrorCode.identifierNotFound.rawValue {
    throw APIError(.notFound).because(error.why ?? "no subscriber has the number")
  }
  if let own = context.token.number, own != subscriber.number,
    context.settings.otpTokenContext == .invalidTokenContext
  {
    throw APIError(.invalidTokenContext).because("the token is for another number than the body")
  }
  guard subscriber.lineType.takesTexts else {
    throw APIError(.phoneNumberNotAllowed)
      .because(
        "\(subscriber.number) gets no texts: \(subscriber.lineType.rawValue)", change: "Use a mobile number.")
  }
  guard !subscriber.barring.contains(.smsIn) else {
    throw APIError(.phoneNumberBlocked).because(
      "texts to \(subscriber.number) are barred",
      change: "End the barring of its line, or use another number.")
  }
  return subscriber
}

/// Fails for the first code that is too many within the window. Source: contract 7.
private func requireRoomForCode(to number: String, _ context: RequestContext) throws {
  let allowed = context.settings.otpMaxSend - 1
  let recent = try context.sandbox.verifications.list(
    CAMARAProvider.name, of: number, before: .max, limit: allowed
  ).filter { $0.createdAt + .seconds(context.settings.otpSendWindow) > context.now }
  guard recent.count < allowed else {
    throw APIError(.maxOTPCodesExceeded)
      .because(
        "\(recent.count) codes to \(number) within \(context.settings.otpSendWindow) s",
        change: "Validate the newest code, or wait so long.")
  }
}

extension CAMARAProvider {
  package static func rules(of verification: Verification, in sandbox: Sandbox) throws -> VerificationRules? {
    VerificationRules(try Settings.current(in: sandbox))
  }

  package static func id(of verification: Verification, in sandbox: Sandbox) -> String? {
    authenticationID(of: verification, in: sandbox)
  }
}
