import ProviderKit

/// Sends one code: chooses it, hands the message to the carrier, and enqueues the webhooks.
/// Source: contract 4.2, 12.2 and 16.2.
struct CodeSender {
  let sandbox: Sandbox
  let settings: Settings
  let target: Target
  let method: DeliveryMethod
  let stored: StoredVerification
  let scenario: TestScenario
  /// The caller's code, or that of a test number; nil: the policy decides.
  let chosenCode: String?

  /// Starts the verification, or sends another code for the pending one.
  func send() throws -> Verifications.StartOutcome {
    var sent: Message?
    var start = Verifications.Start(
      target.claim, over: method.channel, rules: rules, compose: message)
    start.customCode = try code()
    start.details = ProviderDetails(stored)
    start.onSent = { sent = $1 }
    let outcome = try sandbox.verifications.start(start)
    switch outcome {
    case .created(let verification): try enqueueWebhooks(for: verification, sent, isNew: true)
    case .resent(let verification):
      try sandbox.verifications.save(ProviderDetails(stored), with: verification)
      try enqueueWebhooks(for: verification, sent, isNew: false)
    case .sendsExhausted, .checksExhausted: break
    }
    return outcome
  }

  private var rules: VerificationRules { VerificationRules(settings, codeLength: stored.codeSize) }

  /// Nil: the core decides. A code that the subscriber's record fixes takes precedence over policies.
  private func code() throws -> String? {
    if let chosenCode { return chosenCode }
    if let number = target.number, try sandbox.subscribers[number].code != nil { return nil }
    switch settings.codePolicy {
    case .fixed: return String(settings.fixedCode.prefix(stored.codeSize))
    case .derived: return target.number.map { String($0.description.suffix(stored.codeSize)) }
    case .random: return nil
    }
  }

  /// Nil for silent attempts and test numbers.
  private func message(for verification: Verification) -> MessageDraft? {
    guard verification.channel != .silent, !stored.isTest else { return nil }
    let number = verification.attempts.count
    var draft = MessageDraft(
      provider: PreludeProvider.name,
      reference: Identifier.text(.attempt, verification.ordinal, part: number, in: sandbox),
      channel: verification.channel, destination: verification.claim.destination,
      sender: stored.senderID ?? "Prelude", text: text(for: verification), code: verification.code)
    draft.scenario = scenario.carrierScenario
    draft.reportsLoss = stored.fallbacks > 0
    return draft
  }

  /// In the language of the locale. An SMS ends with the line of the app or page that reads the code.
  private func text(for verification: Verification) -> String {
    let (language, code) = (Language(ofTag: stored.locale), verification.code)
    var text = language.text(with: code)
    if stored.templateID == Payment.templateID, let payment = Payment(stored.variables) {
      let amount = "\(payment.amount) \(payment.currency)"
      text = "\(amount) \(language.recipientPreposition) \(payment.recipient). \(text)"
    }
    guard verification.channel == .sms, let realm = stored.appRealm else { return text }
    return "\(text)\n\(realm.line(with: code))"
  }

  /// Sends another code after a lost message, on the next channel that was not tried yet. The verification
  /// limits how often this happens. Source: contract 3.2 and 5.
  static func retry(after message: Message, in sandbox: Sandbox) throws {
    guard let (ordinal, number) = Identifier.ordinalAndPart(of: message.reference, .attempt, in: sandbox),
      let verification = try sandbox.verifications.find(ordinal),
      verification.isPending(at: sandbox.clock.now),
      verification.attempts.count == number
    else { return }
    let (target, settings) = (Target(verification), try Settings.current(in: sandbox))
    var stored = try StoredVerification(of: verification)
    guard let phoneNumber = target.number, stored.mayRetryAutomatically(after: number),
      let channels = stored.untriedChannels(after: verification.attempts.all, settings)
    else { return }
    stored.automaticAttempts.append(number + 1)
    let sender = CodeSender(
      sandbox: sandbox, settings: settings, target: target, method: .message(channels), stored: stored,
      scenario: try TestScenario.configured(for: phoneNumber, in: sandbox),
      chosenCode: stored.hasCustomCode ? verification.code : nil)
    _ = try sender.send()
  }
}
