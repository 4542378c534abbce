import ProviderKit

/// Sends the code of a verification that nobody has denied, or opens its session. Source: contract 6 to 8.
struct Sending {
  private var stored: StoredVerification
  private var settings: Settings
  private let sandbox: Sandbox

  private var options: MethodOptions { stored.details.options }
  private var verification: Verification { stored.verification }
  private var destination: String { verification.claim.destination }

  static func begin(_ stored: StoredVerification, _ options: MethodOptions, in sandbox: Sandbox) throws {
    var sending = Sending(stored: stored, settings: try Settings.current(in: sandbox), sandbox: sandbox)
    try sending.begin(options)
  }

  private mutating func begin(_ options: MethodOptions) throws {
    if let credit = settings.credit {
      guard credit > 0 else { return try stored.end(because: .notEnoughCredit, in: sandbox) }
      settings.credit = credit - 1
      try settings.keep(in: sandbox)
    }
    try abortEarlier()
    stored.details.options = options
    stored.details.awaitsCallback = false
    try moveExpiry()
    if stored.details.method == .seamless {
      try openSession()
      return try stored.save(in: sandbox)
    }
    guard let code = try proof() else { return try stored.end(because: .internalError, in: sandbox) }
    try sandbox.verifications.replaceCode(of: verification, with: code)
    let message = try sandbox.messages.submit(draft(code), to: subscriber())
    stored.details.message = message.ordinal
    try stored.save(in: sandbox)
    try Callback.scheduleDelivered(message, of: stored, in: sandbox)
  }

  private func subscriber() throws -> Subscriber? {
    try PhoneNumber(destination).map { try sandbox.subscribers[$0] }
  }

  /// Aborts the application's other pending verifications of the number. Source: contract 6.
  private func abortEarlier() throws {
    let earlier = try sandbox.verifications.list(
      SinchProvider.name, of: destination, before: verification.ordinal, limit: 50)
    for other in earlier where other.claim == verification.claim {
      _ = try sandbox.verifications.finish(other, as: .canceled)
    }
  }

  private func moveExpiry() throws {
    let end = verification.createdAt + .seconds(options.expiry ?? stored.details.method.expiry(settings))
    guard end != verification.expiresAt else { return }
    try sandbox.verifications.setExpiry(of: verification, to: end)
  }

  private func openSession() throws {
    guard let number = PhoneNumber(destination), let url = stored.details.returnURL else { return }
    let current = try stored.reloaded(in: sandbox).verification
    _ = try sandbox.silentSessions.create(
      SilentSession.Draft(
        provider: SinchProvider.name, number: number, verification: current.ordinal,
        lifetime: current.expiresAt - sandbox.clock.now, singleUse: true, returnURL: url))
  }

  /// The code, or the caller number; nil if all caller numbers are in use.
  private func proof() throws -> String? {
    guard stored.details.method == .flashcall else { return try code() }
    let callers = CallerNumbers(sandbox: sandbox)
    guard let number = options.cli else { return try callers.next(for: verification) }
    try callers.hold(number, for: verification)
    return number
  }

  /// The callback's, the number's own, or one from the entropy. Source: contract 3.
  private func code() throws -> String {
    if let code = options.code { return code }
    let subscriber = try subscriber()
    if options.codeType == .numeric || subscriber?.code != nil {
      return sandbox.codes.code(
        for: verification.claim, series: verification.series, length: settings.codeLength,
        subscriber: subscriber)
    }
    let label = "Sinch code \(verification.series) of \(destination)"
    let characters = sandbox.entropy.secret(label, length: settings.codeLength, of: .base32)
    guard options.codeType == .alpha else { return characters }
    // Base32 has the digits 2 to 7.
    return String(characters.map { $0.isNumber ? Self.letters[$0] ?? "Z" : $0 })
  }

  private static let letters: [Character: Character] = [
    "2": "A", "3": "B", "4": "C", "5": "D", "6": "E", "7": "F",
  ]

  private func draft(_ code: String) -> MessageDraft {
    let method = stored.details.method
    let (sender, text) =
      switch method {
      case .flashcall: (code, "Call from \(code)")
      case .callout:
        (Self.calloutNumber, "Your verification code is \(code.map { String($0) }.joined(separator: ", ")).")
      case .sms, .whatsapp, .seamless:
        ("Sinch", Placeholders.doubleBraces.fill(options.text, "CODE", with: code))
      }
    var draft = MessageDraft(
      provider: SinchProvider.name, reference: stored.id(in: sandbox), channel: method.channel,
      destination: destination, sender: sender, text: text, code: code)
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
  private static let calloutNumber = "+12025550199"
}
