import Domain
import JSON
import ProviderKit

/// Sends the code of a verification that nobody has denied, or opens its session. Source: contract 6 to 8.
func proceed(with stored: StoredVerification, _ options: MethodOptions, in sandbox: Sandbox) throws {
  var settings = try Settings.current(in: sandbox)
  if let credit = settings.credit {
    guard credit > 0 else { return try stored.end(because: .notEnoughCredit, in: sandbox) }
    settings.credit = credit - 1
    try settings.keep(in: sandbox)
  }
  try abortEarlier(than: stored, in: sandbox)
  var stored = stored
  stored.details.options = options
  stored.details.awaitsCallback = false
  try moveExpiry(of: stored, settings, in: sandbox)
  if stored.details.method == .seamless {
    try openSession(of: stored, in: sandbox)
    return try stored.save(in: sandbox)
  }
  guard let code = try proof(of: stored, settings, in: sandbox) else {
    return try stored.end(because: .internalError, in: sandbox)
  }
  try sandbox.verifications.replaceCode(of: stored.verification, with: code)
  let draft = draft(of: stored, code, in: sandbox)
  let subscriber = try PhoneNumber(draft.destination).map { try sandbox.subscribers[$0] }
  let message = try sandbox.messages.submit(draft, to: subscriber)
  stored.details.message = message.ordinal
  try stored.save(in: sandbox)
  try scheduleDelivered(message, of: stored, in: sandbox)
}

/// Aborts the application's other pending verifications of the number. Source: contract 6.
private func abortEarlier(than stored: StoredVerification, in sandbox: Sandbox) throws {
  let claim = stored.verification.claim
  let earlier = try sandbox.verifications.list(
    SinchProvider.name, of: claim.destination, before: stored.verification.ordinal, limit: 50)
  for verification in earlier where verification.claim == claim {
    _ = try sandbox.verifications.finish(verification, as: .canceled)
  }
}

private func moveExpiry(of stored: StoredVerification, _ settings: Settings, in sandbox: Sandbox) throws {
  let seconds = stored.details.options.expiry ?? stored.details.method.expiry(settings)
  let end = stored.verification.createdAt + .seconds(seconds)
  guard end != stored.verification.expiresAt else { return }
  try sandbox.verifications.setExpiry(of: stored.verification, to: end)
}

/// The code, or the caller number; nil if all caller numbers are in use.
private func proof(
  of stored: StoredVerification, _ settings: Settings, in sandbox: Sandbox
) throws -> String? {
  let (verification, options) = (stored.verification, stored.details.options)
  guard stored.details.method == .flashcall else {
    return try code(for: verification, options, settings, in: sandbox)
  }
  let callers = CallerNumbers(sandbox: sandbox)
  guard let number = options.cli else { return try callers.next(for: verification) }
  try callers.hold(number, for: verification)
  return number
}

private func draft(of stored: StoredVerification, _ code: String, in sandbox: Sandbox) -> MessageDraft {
  let (method, options) = (stored.details.method, stored.details.options)
  let (sender, text) =
    switch method {
    case .flashcall: (code, "Call from \(code)")
    case .callout:
      (calloutNumber, "Your verification code is \(code.map { String($0) }.joined(separator: ", ")).")
    case .sms, .whatsapp, .seamless:
      ("Sinch", Placeholders.doubleBraces.fill(options.text, "CODE", with: code))
    }
  var draft = MessageDraft(
    provider: SinchProvider.name, reference: stored.id(in: sandbox), channel: method.channel,
    destination: stored.verification.claim.destination, sender: sender, text: text, code: code)
  draft.reportsLoss = true
  if method == .flashcall {
    draft.speech.onlyRings = true
    draft.speech.ringTime = .seconds(options.dialTimeout)
  } else if method == .callout {
    // So that no voicemail hears the code. Source: contract 8.
    draft.speech.asksForKey = true
    draft.speech.language = options.speechLocale
    draft.reportsHangUp = true
  }
  return draft
}

/// The caller of phone calls; fictional, and none of the flash calls'.
private let calloutNumber = "+12025550199"

private func openSession(of stored: StoredVerification, in sandbox: Sandbox) throws {
  guard let number = PhoneNumber(stored.verification.claim.destination), let url = stored.details.returnURL
  else { return }
  let current = try stored.reloaded(in: sandbox).verification
  _ = try sandbox.silentSessions.create(
    SilentSession.Draft(
      provider: SinchProvider.name, number: number, verification: current.ordinal,
      lifetime: current.expiresAt - sandbox.clock.now, singleUse: true, returnURL: url))
}
