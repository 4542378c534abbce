import Domain
import JSON
import ProviderKit

// What happens when a method of a Verify API verification starts or fails, and when the verification ends.

let defaultSender = "Telesign"

/// Sends the code, or asks the device. A silent verification waits for the app.
func startMethod(_ step: Step, of verification: Verification, in sandbox: Sandbox) throws {
  guard let details = try VerificationDetails(of: verification) else { return }
  switch step.channel {
  case .push: try sendChallenge(in: step, of: verification, details, in: sandbox)
  case .silent: break
  default: try sendCode(in: step, of: verification, details, in: sandbox)
  }
}

/// Schedules a callback about a failed method, unless the verification ends with it.
func handleFailure(of step: Step, _ verification: Verification, in sandbox: Sandbox) throws {
  guard let details = try VerificationDetails(of: verification), step.timeout != nil else { return }
  try scheduleCallback(about: verification, details, at: step.changedAt, in: sandbox)
}

/// Withdraws a pending challenge and schedules a callback.
func handleEnd(of verification: Verification, in sandbox: Sandbox) throws {
  guard let details = try VerificationDetails(of: verification) else { return }
  try withdrawChallenge(of: verification, details, in: sandbox)
  try scheduleCallback(about: verification, details, at: verification.updatedAt, in: sandbox)
}

private func sendCode(
  in step: Step, of verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  let destination =
    step.channel == .email ? details.recipient.email : details.recipient.number?.phoneNumber.description
  var draft = MessageDraft(
    provider: TelesignProvider.name, reference: referenceID(.verification, verification.ordinal, in: sandbox),
    channel: step.channel, destination: destination ?? verification.claim.destination, sender: defaultSender,
    text: try text(for: verification, details, over: step.channel, in: sandbox), code: verification.code)
  draft.speech.language = details.voiceLanguage
  // Number endings are about SMS, so that other channels can serve as a fallback.
  if step.channel == .sms { draft.ending = details.recipient.number?.ending?.scenario }
  let message = try sandbox.fallbacks.send(
    draft, in: step, of: verification, rules: Settings.current(in: sandbox).verificationRules)
  try scheduleDeliveryCallbacks(of: message, verification, details, in: sandbox)
}

private func text(
  for verification: Verification, _ details: VerificationDetails, over channel: Channel, in sandbox: Sandbox
) throws -> String {
  let defaultText = "Your verification code is \(verification.code)."
  guard let template = details.templateName else { return defaultText }
  return try MessageTemplate.text(
    template, code: verification.code, default: defaultText, over: channel, of: verification.claim.owner,
    in: sandbox)
}

// Callbacks. Source: contract 13.4.

/// Schedules callbacks for when the message is delivered and read. Failures end the method, which schedules
/// its own.
func scheduleDeliveryCallbacks(
  of message: Message, _ verification: Verification, _ details: VerificationDetails, in sandbox: Sandbox
) throws {
  guard try callbackURL(details, in: sandbox) != nil else { return }
  let delay = Duration.seconds(try Settings.current(in: sandbox).deliveredAfterSeconds)
  for receipt in message.receipts.all where receipt.state == .delivered || receipt.state == .read {
    let time = message.submittedAt + max(receipt.after, delay)
    try scheduleCallback(about: verification, details, at: time, in: sandbox)
  }
}

/// The same for a verification's ordinal.
func scheduleDeliveryCallbacks(
  of message: Message, verification ordinal: Int, in sandbox: Sandbox
) throws {
  guard let verification = try sandbox.verifications.find(ordinal),
    let details = try VerificationDetails(of: verification)
  else { return }
  try scheduleDeliveryCallbacks(of: message, verification, details, in: sandbox)
}

/// Schedules a callback about the verification, if the request or the settings name a URL.
func scheduleCallback(
  about verification: Verification, _ details: VerificationDetails, at time: Timestamp, in sandbox: Sandbox
) throws {
  let callback = Callback(
    .verification, of: verification.ordinal,
    as: referenceID(.verification, verification.ordinal, in: sandbox), for: verification.claim.owner)
  try callback.schedule(at: time, to: callbackURL(details, in: sandbox), in: sandbox)
}

/// The URL for callbacks that the request or the settings name.
private func callbackURL(_ details: VerificationDetails, in sandbox: Sandbox) throws -> String? {
  if let url = details.callbackURL { return url }
  let defaultURL = try Settings.current(in: sandbox).callbackURL
  return defaultURL.isEmpty ? nil : defaultURL
}

/// The verification as it is when the callback is sent; nil if it no longer exists.
func verificationBody(of callback: Callback, in sandbox: Sandbox) throws -> [UInt8]? {
  guard let verification = try sandbox.verifications.find(callback.subject),
    let details = try VerificationDetails(of: verification)
  else { return nil }
  let view = try FullVerificationView(verification, details, in: sandbox)
  return JSONWriter.object { view.write(to: &$0) }
}
