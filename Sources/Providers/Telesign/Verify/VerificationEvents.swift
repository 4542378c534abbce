import ProviderKit

let defaultSender = "Telesign"

/// What happens when a method of a Verify API verification starts or fails, and when the verification ends.
enum VerificationEvents {
  /// Sends the code, or asks the device. A silent verification waits for the app.
  static func stepBegun(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
    guard let details = try VerificationDetails(of: verification) else { return }
    switch step.channel {
    case .push: try PushChallenge.send(in: step, of: verification, details, in: sandbox)
    case .silent: break
    default: try sendCode(in: step, of: verification, details, in: sandbox)
    }
  }

  /// Schedules a callback about a failed method, unless the verification ends with it.
  static func stepFailed(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
    guard let details = try VerificationDetails(of: verification), step.timeout != nil else { return }
    try VerificationCallbacks(verification, details, in: sandbox).schedule(at: step.changedAt)
  }

  /// Withdraws a pending challenge and schedules a callback.
  static func ended(_ verification: Verification, in sandbox: Sandbox) throws {
    guard let details = try VerificationDetails(of: verification) else { return }
    try PushChallenge.withdraw(of: verification, details, in: sandbox)
    try VerificationCallbacks(verification, details, in: sandbox).schedule(at: verification.updatedAt)
  }

  private static func sendCode(
    in step: Step, of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
  ) throws {
    let destination =
      step.channel == .email ? details.recipient.email : details.recipient.number?.phoneNumber.description
    var draft = MessageDraft(
      provider: TelesignProvider.name,
      reference: ReferenceID.text(.verification, verification.ordinal, in: sandbox),
      channel: step.channel, destination: destination ?? verification.claim.destination,
      sender: defaultSender,
      text: try text(for: verification, details, over: step.channel, in: sandbox), code: verification.code)
    draft.speech.language = details.voiceLanguage
    // Number endings are about SMS, so that other channels can serve as a fallback.
    if step.channel == .sms { draft.ending = details.recipient.number?.ending?.scenario }
    let message = try sandbox.fallbacks.send(
      draft, in: step, of: verification, rules: Settings.current(in: sandbox).verificationRules)
    try VerificationCallbacks(verification, details, in: sandbox).scheduleDelivery(of: message)
  }

  private static func text(
    for verification: Verification, _ details: VerificationDetails, over channel: Channel, in sandbox: Sandbox
  ) throws -> String {
    let defaultText = "Your verification code is \(verification.code)."
    guard let template = details.templateName else { return defaultText }
    return try MessageTemplate.text(
      template, code: verification.code, default: defaultText, over: channel, of: verification.claim.owner,
      in: sandbox)
  }
}
