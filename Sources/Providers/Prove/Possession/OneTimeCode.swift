import ProviderKit

/// Codes by SMS. Source: contract 5.4.
extension Possession {
  /// Sends the first code, or the one after a change of the number.
  mutating func startOTP(number: String?) throws {
    guard try takeNumber(number, at: .otpStart) else { return }
    try sendCode()
  }

  mutating func sendCode() throws {
    guard try takeSend(), let number else { return }
    let template = session.options.smsMessage.flatMap { MessageTemplate($0) } ?? .defaultCode
    let code = try hasFixedCode ? String(Self.fixedCode.prefix(template.codeLength)) : nil
    let possession = self
    _ = try startVerification(of: number.number, over: .sms, code: code, codeLength: template.codeLength) {
      possession.draft(template.text(with: $0.code), code: $0.code, for: $0)
    }
    try move(to: .otpFinish)
  }

  mutating func enter(_ code: String) throws {
    session.entries += 1
    guard let problem = try problem(with: code) else { return try pass(by: .otp) }
    // The step tells it, with the entries that are left.
    sandbox.currentReason = nil
    let error = StepError(.otpValidation, problem)
    guard attemptsLeft > 0 else {
      return try fail(
        .possessionIncomplete, as: .exhausted, because: "\(problem) (entry \(session.entries))", error)
    }
    try move(to: .otpFinish, error)
  }

  /// How many entries are left.
  var attemptsLeft: Int { max(0, (session.options.allowsOTPRetry ? 3 : 1) - session.entries) }

  /// Why a code is not accepted; nil if it is.
  private func problem(with code: String) throws -> String? {
    let wrong = "the one-time code is wrong"
    guard let verification = try session.verification.flatMap({ try sandbox.verifications.find($0) }) else {
      return wrong
    }
    var rules = VerificationRules()
    rules.codeValidity = .seconds(settings.otpSeconds)
    rules.checkLimit = .max
    // 1234 is right whatever the length.
    let isFixed = try hasFixedCode && code == Self.fixedCode.prefix(4)
    let entered = try script.otp == .fails ? "" : isFixed ? verification.code : code
    switch try sandbox.verifications.check(entered, of: verification, by: rules) {
    case .approved: return nil
    case .nothingPending(.codeExpired): return "the one-time code has expired"
    case .wrongCode, .checksExhausted, .nothingPending: return wrong
    }
  }

  /// True for test users. Other numbers, if the sandbox accepts them, get a code of their own.
  private var hasFixedCode: Bool {
    get throws { try number.map { try TestUser.find($0.number, in: sandbox) != nil } ?? false }
  }

  /// The codes of test users are its first four to six digits. Source: contract 5.4.
  private static let fixedCode = "123456"
}
