import Domain
import ProviderKit

// What the methods of a verification send when their turn comes.

/// Takes notice of a step that has begun.
func begin(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
  guard let details = try VerificationDetails(of: verification) else { return }
  switch step.channel {
  case .push: try askDevice(in: step, of: verification, details, in: sandbox)
  case .silent: break
  default: try sendCode(in: step, of: verification, details, in: sandbox)
  }
}

private func sendCode(
  in step: Step, of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  let destination =
    step.channel == .email ? details.recipient.email : details.recipient.number?.number.description
  var draft = MessageDraft(
    provider: TelesignProvider.name, reference: referenceID(.verification, verification.ordinal, in: sandbox),
    channel: step.channel, destination: destination ?? verification.claim.destination, sender: defaultSender,
    text: try words(for: verification, details, over: step.channel, in: sandbox), code: verification.code)
  draft.speech.language = details.voiceLanguage
  // The endings are about texts; other channels are what a verification falls back to.
  if step.channel == .sms { draft.ending = details.recipient.number?.ending?.scenario }
  let message = try sandbox.fallbacks.send(
    draft, in: step, rules: Settings.current(in: sandbox).verificationRules)
  try tellDeliveries(of: message, verification, details, in: sandbox)
}

private func words(
  for verification: Verification, _ details: VerificationDetails, over channel: Channel, in sandbox: Sandbox
) throws -> String {
  let sentence = "Your verification code is \(verification.code)."
  guard let template = details.templateName else { return sentence }
  return try MessageTemplate.words(
    template, for: verification.code, or: sentence, over: channel, of: verification.claim.owner, in: sandbox
  )
}

/// Whom messages are from.
let defaultSender = "Telesign"
