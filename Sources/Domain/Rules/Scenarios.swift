import Basics
import Database
package import Numbers

/// The outcomes of messages, calls and silent verifications in a sandbox.
///
/// In order of precedence: the request's own scenario, a scenario set at run time, a scenario of the
/// subscriber's record or of the number's ending, the provider's test numbers, the subscriber's record.
/// Source: `carrier.md` 4.3.
extension Rules<Scenario> {
  /// The delivery of a message, and what decided it unless it is delivered as usual. `subscriber` is nil for
  /// messages to an email address.
  func plan(
    for draft: MessageDraft, to subscriber: Subscriber?
  ) throws -> (plan: DeliveryPlan, note: DeliveryNotes.Note?) {
    if let (scenario, source) = try scenario(for: draft, to: subscriber),
      let plan = plan(of: scenario, for: draft)
    {
      let note = DeliveryNotes.Note(
        scenario: source.title(scenario), cause: source.cause(scenario, draft), damage: plan.damage,
        isOnPurpose: source.isRule)
      return (plan, note)
    }
    let usual = UsualDelivery.plan(of: draft)
    guard let subscriber else { return (usual, nil) }
    let now = sandbox.clock.now
    let plan = UsualDelivery.plan(of: draft, to: subscriber, at: now)
    guard plan != usual else { return (plan, nil) }
    let digits = sandbox.subscribers.unrecorded(subscriber.number)
    return (plan, .init(cause: subscriber.cause(of: plan, draft, comparedTo: digits, at: now)))
  }

  /// The outcome of a silent verification of a number.
  ///
  /// `requested` is the request's own scenario; `ending` that of the provider's test numbers.
  package func silentOutcome(
    for number: PhoneNumber, provider: String, requested: Scenario? = nil, ending: Scenario? = nil
  ) throws -> SilentOutcome {
    if let outcome = requested?.silentOutcome { return outcome }
    let subscriber = try sandbox.subscribers[number]
    let rule = try first { $0.matches(silent: subscriber, provider: provider) }
    if let outcome = rule?.rule.silentOutcome { return outcome }
    let own = try ownScenario(of: subscriber) { $0.matches(silent: subscriber, provider: provider) }
    return (own ?? ending)?.silentOutcome ?? subscriber.silentOutcome(at: sandbox.clock.now)
  }

  /// The delivery that a scenario asks for; nil if the message can have neither its outcome nor its status.
  private func plan(of scenario: Scenario, for draft: MessageDraft) -> DeliveryPlan? {
    let behaviour = scenario.outcome.flatMap(Outcomes.behaviour)
    var scenario = scenario
    if draft.speech.isConversation, scenario.outcome == Behaviour.noAnswer.name {
      scenario.after = scenario.after ?? draft.speech.ringTime
    }
    let plan = behaviour?.plan(scenario, over: draft.channel)
    guard let status = status(of: scenario, for: draft) else { return plan }
    let usual = DeliveryPlan(endingWith: status, of: scenario, over: draft.channel)
    return (plan ?? usual).reported(as: status, after: scenario.after)
  }

  /// The status that a scenario asks for; nil if it asks for none that the message can have.
  private func status(of scenario: Scenario, for draft: MessageDraft) -> ProviderStatus? {
    guard let name = scenario.providerStatus[draft.provider] else { return nil }
    let statuses = sandbox.shared.hooks.first { $0.name == draft.provider }?.deliveryStatuses() ?? []
    return statuses.first { $0.name == name && $0.channels.contains(draft.channel) }
  }

  /// True if a scenario is about a message, and can act on it.
  private func matches(_ scenario: Scenario, _ draft: MessageDraft, to subscriber: Subscriber?) -> Bool {
    scenario.matches(draft, to: subscriber)
      && (scenario.outcome != nil || status(of: scenario, for: draft) != nil)
  }

  /// The scenario of a message, and who named it.
  private func scenario(
    for draft: MessageDraft, to subscriber: Subscriber?
  ) throws -> (Scenario, ScenarioSource)? {
    if let requested = draft.scenario, requested.matches(draft, to: subscriber) {
      return (requested, .request)
    }
    // Asked first, because the closure copies the draft.
    if try canAct, let rule = try first(where: { matches($0, draft, to: subscriber) }) {
      return (rule.rule, .rule(number: rule.number, rule.origin, failure: failure(of: rule)))
    }
    if let subscriber, !subscriber.scenarios.isEmpty,
      let own = try ownScenario(of: subscriber, where: { matches($0, draft, to: subscriber) })
    {
      let digits = sandbox.subscribers.unrecorded(subscriber.number)
      return (own, digits.scenarios.contains(own) ? .digits : .record)
    }
    return draft.ending.flatMap { $0.matches(draft, to: subscriber) ? ($0, .testNumber) : nil }
  }

  /// The first of a subscriber's own scenarios that matches and acts. Only limited scenarios have stored
  /// counts.
  private func ownScenario(
    of subscriber: Subscriber, where matches: (Scenario) -> Bool
  ) throws -> Scenario? {
    var first: Scenario?
    for (position, scenario) in subscriber.scenarios.enumerated() where matches(scenario) {
      if scenario.occurrences.isLimited {
        let acts = try sandbox.ownScenarioHits.count(
          scenario.occurrences, subscriber.number, position, mayAct: first == nil)
        if acts { first = scenario }
      } else if first == nil {
        first = scenario
      }
    }
    return first
  }
}

/// The matches of scenarios in subscribers' own records, for scenarios that act only on some of them.
struct OwnScenarioHits {
  let sandbox: Sandbox

  /// Counts one more match; returns true if the scenario acts on it.
  func count(
    _ occurrences: Occurrences, _ number: PhoneNumber, _ position: Int, mayAct: Bool
  ) throws -> Bool {
    var counts =
      try sandbox.database.first(
        "SELECT hits, applied FROM scenario_hits WHERE sandbox = ? AND number = ? AND position = ?",
        sandbox.id, number.description, position
      ) { RuleCounts(hits: $0.int(0), applied: $0.int(1)) } ?? RuleCounts()
    let acts = occurrences.count(&counts, mayAct: mayAct) {
      sandbox.entropy.chance("own scenario \(position) \(number)", $0)
    }
    try sandbox.database.run(
      "INSERT OR REPLACE INTO scenario_hits (sandbox, number, position, hits, applied) VALUES (?, ?, ?, ?, ?)",
      sandbox.id, number.description, position, counts.hits, counts.applied)
    return acts
  }

  /// Starts at zero again, because the number's scenarios have changed.
  func reset(_ number: PhoneNumber) throws {
    try sandbox.database.run(
      "DELETE FROM scenario_hits WHERE sandbox = ? AND number = ?", sandbox.id, number.description)
  }
}
