import Domain
import JSON
import ProviderKit

/// One attempt, asked for or made by itself: its code, the message that carries it, and who is told of it.
/// Source: contract 4.2, 12.2 and 16.2.
struct Sending {
  let sandbox: Sandbox
  let settings: Settings
  let target: Target
  let sendingMethod: SendingMethod
  /// What is kept with the verification.
  let window: Window
  /// What is to become of the message on purpose.
  let outcome: Outcome
  /// The code that is settled before chance is asked: the caller's, or a test number's.
  let settledCode: String?

  /// Starts the verification, or sends once more, and tells webhooks.
  func start() throws -> Verifications.StartOutcome {
    var sent: Message?
    var start = Verifications.Start(
      claim(of: target.destination), over: sendingMethod.channel, rules: rules, compose: message)
    start.customCode = try code()
    start.details = window.encoded
    start.onSent = { sent = $1 }
    let outcome = try sandbox.verifications.start(start)
    switch outcome {
    case .created(let verification): try tell(of: verification, sent, isNew: true)
    case .resent(let verification):
      try sandbox.verifications.save(window.encoded, with: verification)
      try tell(of: verification, sent, isNew: false)
    case .sendsExhausted, .checksExhausted: break
    }
    return outcome
  }

  private var rules: VerificationRules {
    var rules = VerificationRules()
    rules.codeLength = window.codeSize
    rules.lifetime = .seconds(settings.windowSeconds)
    rules.sendLimit = settings.maxAttempts
    rules.sendWindow = .seconds(2 * 86_400)
    rules.codes = settings.codes == "per_attempt" ? .perAttempt : .same
    rules.refusesStartWhileLocked = false
    return rules
  }

  /// A code that the subscriber pins stands above policies.
  private func code() throws -> String? {
    if let settledCode { return settledCode }
    if let number = target.number, try sandbox.subscribers[number].code != nil { return nil }
    switch settings.codePolicy {
    case "fixed": return String(settings.fixedCode.prefix(window.codeSize))
    case "derived": return target.number.map { String($0.description.suffix(window.codeSize)) }
    default: return nil
    }
  }

  /// The message that carries a verification's code; none goes out silently.
  private func message(for verification: Verification) -> MessageDraft? {
    guard verification.channel != .silent, !window.isTest else { return nil }
    let number = verification.attempts.all.count
    var draft = MessageDraft(
      provider: PreludeProvider.name,
      reference: identifier(.attempt, verification.ordinal, part: number, in: sandbox),
      channel: verification.channel, destination: verification.claim.destination,
      sender: window.senderID ?? "Prelude", text: text(with: verification.code), code: verification.code)
    draft.scenario = outcome.carrierWord.flatMap(Scenario.init(requested:))
    draft.reportsLoss = window.fallbacks > 0
    return draft
  }

  private func text(with code: String) -> String {
    let payment = Payment(window.variables)
    let purpose = window.templateID == Payment.templateID ? payment?.description : nil
    return "\(purpose.map { "\($0). " } ?? "")Your verification code is: \(code)"
  }
}

/// Makes an attempt by itself where the carrier has given up the last one: on the next channel that was not tried
/// yet, as often as the window allows after each attempt that somebody asked for. Source: contract 3.2 and 5.
func fallBack(from message: Message, in sandbox: Sandbox) throws {
  guard let (ordinal, number) = parts(of: message.reference, .attempt, in: sandbox),
    let verification = try sandbox.verifications.find(ordinal), verification.isPending(at: sandbox.clock.now),
    verification.attempts.all.count == number
  else { return }
  let (target, settings) = (Target(verification), try Settings.current(in: sandbox))
  var window = try Window(verification.details)
  guard let line = target.number, window.mayFallBack(after: number),
    let channels = window.untriedChannels(after: verification.attempts.all, settings)
  else { return }
  window.automatic.append(number + 1)
  let sending = Sending(
    sandbox: sandbox, settings: settings, target: target, sendingMethod: .message(channels), window: window,
    outcome: try Outcome.standing(for: line, in: sandbox),
    settledCode: window.hasCustomCode ? verification.code : nil)
  _ = try sending.start()
}
