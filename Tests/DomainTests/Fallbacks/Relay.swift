import Basics
import Domain
import Support

/// A provider named `acme` that sends a text, or a push, whenever a step begins, and writes down what it is
/// told; a class because of that.
final class Relay {
  var rules = VerificationRules()
  /// The outcomes of messages, by channel.
  var outcomes: [Channel: String] = [:]
  /// Steps over these channels have no device.
  var unreachable: Set<Channel> = []
  var lastStepTimesOut = false
  var fallsBackOnLoss = true
  private(set) var heard: [String] = []

  init() {
    rules.lifetime = .seconds(300)
    rules.codeValidity = .seconds(300)
    rules.checkLimit = 3
    rules.locksOnLastFailure = true
  }

  var hooks: ProviderHooks { ProviderHooks(name: "acme") { try self.handleEvent($0, in: $1) } }

  /// Starts a verification over channels, each with its seconds.
  func start(
    _ steps: [(Channel, Int)], in sandbox: Sandbox, to destination: String = "+12025550100",
    skipping: Set<Channel> = [], code: String? = nil
  ) throws -> Verification {
    var start = Fallbacks.Start(
      Claim(provider: "acme", owner: "shop", destination: destination),
      steps: steps.map { .init($0.0, timeout: .seconds($0.1), isSkipped: skipping.contains($0.0)) },
      rules: rules)
    start.customCode = code
    start.lastStepTimesOut = lastStepTimesOut
    return try sandbox.atomically { try sandbox.fallbacks.start(start) }
  }

  private func handleEvent(_ notice: DomainEvent, in sandbox: Sandbox) throws {
    switch notice {
    case .reply, .lost, .released, .abandoned, .answered, .marked, .lineChanged, .webhookEnded, .workDue,
      .callContinues, .keysPressed:
      break
    case .stepBegun(let step, let verification):
      note(step.startedAt, "\(step.channel.rawValue) \(step.state.rawValue)")
      if unreachable.contains(step.channel) {
        return try sandbox.fallbacks.fail(step, of: verification, for: .unreachable)
      }
      guard step.channel.carriesCode else { return }
      var draft = MessageDraft.text(
        verification.code, to: verification.claim.destination, over: step.channel)
      draft.scenario = outcomes[step.channel].flatMap { Scenario(requested: $0) }
      try sandbox.fallbacks.send(
        draft, in: step, of: verification, rules: rules, fallsBackOnLoss: fallsBackOnLoss)
    case .stepFailed(let step, _):
      note(step.changedAt, "\(step.channel.rawValue) \(step.failure?.rawValue ?? "-")")
    case .ended(let verification):
      note(verification.updatedAt, verification.state.rawValue)
    }
  }

  private func note(_ time: Timestamp?, _ words: String) {
    heard.append("\(time.map { $0.iso8601Milliseconds.dropFirst(11).dropLast() } ?? "-") \(words)")
  }
}

extension Sandbox {
  /// The steps of a verification, as `sms ongoing`, with why one has failed.
  func steps(of verification: Verification) throws -> [String] {
    try fallbacks.steps(of: verifications.find(verification.ordinal) ?? verification).map { step in
      let failure = step.failure.map { ": \($0.rawValue)" } ?? ""
      return "\(step.channel.rawValue) \(step.state.rawValue)\(failure)"
    }
  }

  /// Holds a code against a verification by rules; the outcome's name.
  func check(_ code: String, of verification: Verification, by rules: VerificationRules) throws -> String {
    try atomically {
      try verifications.check(code, of: verifications.find(verification.ordinal), by: rules).name
    }
  }
}
