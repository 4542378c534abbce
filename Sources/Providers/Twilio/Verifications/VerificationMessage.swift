import Domain

/// The message with the code of a verification. Source: contract 4.4.
struct VerificationMessage {
  let form: VerificationForm
  let text: MessageText
  let context: RequestContext

  /// Nil for a silent verification, which sends none.
  func draft(for verification: Verification) -> MessageDraft? {
    guard verification.channel != .silent else { return nil }
    let service = context.service
    let language = text.language
    var filled = text.filled(code: verification.code)
    if service.doNotShareWarningEnabled ?? false { filled = language.addWarning(to: filled) }
    if let hash = form.appHash { filled = "<#> \(filled) \(hash)" }
    var draft = MessageDraft(
      provider: TwilioProvider.name, reference: VerificationSid.of(verification, in: context.sandbox),
      channel: verification.channel, destination: verification.claim.destination,
      sender: verification.channel == .email ? form.emailSender ?? "VERIFY" : "VERIFY",
      text: filled, code: verification.code)
    draft.speech.asksForKey = service.dtmfInputRequired ?? true
    draft.speech.preamble = form.sendDigits
    if language !== Language.english, let question = language.question {
      draft.speech.language = language.tag
      draft.speech.question = question
    }
    return draft
  }
}
