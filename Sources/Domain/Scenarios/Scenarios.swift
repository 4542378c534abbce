/// What goes wrong on the carrier of a sandbox, for whom, and when.
///
/// The first that applies decides: what the request itself asks for, a scenario set at run time, a scenario of
/// the subscriber's own record or of the number's ending, what a provider's own test numbers mean, what follows
/// from the record. Source: `carrier.md` 4.3.
package struct Scenarios {
  let sandbox: Sandbox

  /// All scenarios in order, with how many messages each has matched.
  package var all: [(rule: Scenario, hits: Int)] {
    get throws { try sandbox.scenarioRules.all(in: sandbox) }
  }

  /// Puts these scenarios in place of those there are.
  package func replace(with scenarios: [Scenario]) throws {
    try sandbox.scenarioRules.replace(with: scenarios, in: sandbox)
  }

  /// What becomes of a message.
  func plan(for draft: MessageDraft, to subscriber: Subscriber?) throws -> DeliveryPlan {
    if let scenario = try scenario(for: draft, to: subscriber),
      let behaviour = Outcomes.behaviour(scenario.outcome)
    {
      return behaviour.plan(scenario)
    }
    let plan = subscriber?.plan(for: draft, at: sandbox.clock.now)
    return plan ?? (draft.channel == .call ? draft.speech.usualPlan : Behaviour.delivered.plan(Scenario()))
  }

  /// What becomes of a silent verification that a provider begins for a number.
  ///
  /// `requested` is what the request itself asks for, where the provider's clients can; `ending` what the
  /// provider's own test numbers mean.
  package func silentOutcome(
    for number: PhoneNumber, provider: String, requested: Scenario? = nil, ending: Scenario? = nil
  ) throws -> SilentOutcome {
    if let outcome = requested?.silentOutcome { return outcome }
    let rule = try sandbox.scenarioRules.first(in: sandbox, turn: { $0.turn }) {
      $0.matches(silent: number, provider: provider)
    }
    if let outcome = rule?.silentOutcome { return outcome }
    let subscriber = try sandbox.subscribers[number]
    let own = try ownScenario(of: subscriber) { $0.matches(silent: number, provider: provider) }
    return (own ?? ending)?.silentOutcome ?? subscriber.silentOutcome(at: sandbox.clock.now)
  }

  private func scenario(for draft: MessageDraft, to subscriber: Subscriber?) throws -> Scenario? {
    if let requested = draft.scenario, requested.matches(draft) { return requested }
    let rule = try sandbox.scenarioRules.first(in: sandbox, turn: { $0.turn }) { $0.matches(draft) }
    if let rule { return rule }
    if let subscriber, !subscriber.scenarios.isEmpty,
      let own = try ownScenario(of: subscriber, where: { $0.matches(draft) })
    {
      return own
    }
    return draft.ending.flatMap { $0.matches(draft) ? $0 : nil }
  }

  /// The first of a subscriber's own scenarios that matches and acts; those that act only on their turn count
  /// the occasion.
  private func ownScenario(
    of subscriber: Subscriber, where matches: (Scenario) -> Bool
  ) throws -> Scenario? {
    for (position, scenario) in subscriber.scenarios.enumerated() where matches(scenario) {
      guard scenario.turn.isLimited else { return scenario }
      let earlier = try sandbox.occasions.count(one: subscriber.number, position)
      if scenario.turn.acts(after: earlier) { return scenario }
    }
    return nil
  }
}

extension Subscriber {
  /// What follows from the record, where no scenario says otherwise. Source: `carrier.md` 4.3.
  fileprivate func plan(for draft: MessageDraft, at now: Timestamp) -> DeliveryPlan {
    switch draft.channel {
    case .sms: textPlan(from: draft.sender, at: now)
    case .call: callPlan(draft.speech, at: now)
    case .whatsapp: networkPlan(hasChannel: whatsapp, from: draft.sender, at: now)
    case .rcs: networkPlan(hasChannel: rcs, from: draft.sender, at: now)
    case .viber, .telegram, .zalo: networkPlan(hasChannel: true, from: draft.sender, at: now)
    case .push: reach.data ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
    case .email, .silent: Behaviour.delivered.plan(Scenario())
    }
  }

  private func textPlan(from sender: String, at now: Timestamp) -> DeliveryPlan {
    if isDeactivated(at: now) { return Behaviour.undeliverable.plan(Scenario()) }
    guard lineType.takesTexts else { return .notSupported }
    if suspended || barring.contains(.smsIn) || hasStopped(sender) {
      return Behaviour.rejected.plan(Scenario())
    }
    return reach.sms ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
  }

  private func callPlan(_ speech: Speech, at now: Timestamp) -> DeliveryPlan {
    if isDeactivated(at: now) { return Behaviour.undeliverable.plan(Scenario()) }
    if suspended || barring.contains(.voiceIn) { return Behaviour.rejected.plan(Scenario()) }
    return reach.sms || reach.data ? speech.usualPlan : Behaviour.unreachable.plan(Scenario())
  }

  private func networkPlan(hasChannel: Bool, from sender: String, at now: Timestamp) -> DeliveryPlan {
    guard hasChannel, lineType.takesTexts, !isDeactivated(at: now) else {
      return Behaviour.notCapable.plan(Scenario())
    }
    if hasStopped(sender) { return Behaviour.rejected.plan(Scenario()) }
    return reach.data ? Behaviour.delivered.plan(Scenario()) : Behaviour.absent.plan(Scenario())
  }
}

extension Speech {
  /// What people do who hear the phone ring.
  fileprivate var usualPlan: DeliveryPlan {
    onlyRings ? Behaviour.noAnswer.plan(Scenario()) : Behaviour.answer.plan(Scenario())
  }
}
