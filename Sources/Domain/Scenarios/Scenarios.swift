/// What goes wrong on the carrier of a sandbox, for whom, and when.
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

  /// What becomes of a message: the first scenario that matches decides, else the subscriber's record.
  func plan(for draft: MessageDraft, to subscriber: Subscriber?) throws -> DeliveryPlan {
    let scenario = try sandbox.scenarioRules.first(in: sandbox, turn: { $0.turn }) { $0.matches(draft) }
    if let scenario, let behaviour = behaviours.first(where: { $0.name == scenario.outcome }) {
      return behaviour.plan(scenario)
    }
    if draft.channel == .sms, subscriber?.receivesTexts == false { return Absent.plan(Scenario()) }
    return Delivered.plan(Scenario())
  }
}
