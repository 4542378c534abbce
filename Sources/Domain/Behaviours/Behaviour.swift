/// One way in which a message or call can turn out.
///
/// To add one, add a row to `BehaviourTable.swift` and its name to `all` there.
package struct Behaviour: Sendable {
  /// The outcome in scenarios. Source: `carrier.md` 4.3.
  package let name: String
  /// Every outcome that means this behaviour: usually the name alone, for `submitFail` one per status.
  package let outcomes: [String]
  /// The channels on which it can happen.
  package let channels: Set<Channel>
  /// What the carrier does, given the scenario that asked for this behaviour.
  package let plan: @Sendable (Scenario) -> DeliveryPlan
  /// The same for calls, where it differs.
  private let callPlan: (@Sendable (Scenario) -> DeliveryPlan)?
  /// True if it can happen to a message of one of its channels.
  let suits: @Sendable (MessageDraft) -> Bool

  init(
    _ name: String, outcomes: [String]? = nil, channels: Set<Channel>,
    suits: @escaping @Sendable (MessageDraft) -> Bool = { _ in true },
    callPlan: (@Sendable (Scenario) -> DeliveryPlan)? = nil,
    plan: @escaping @Sendable (Scenario) -> DeliveryPlan
  ) {
    self.name = name
    self.outcomes = outcomes ?? [name]
    self.channels = channels
    self.suits = suits
    self.callPlan = callPlan
    self.plan = plan
  }

  func plan(_ scenario: Scenario, over channel: Channel) -> DeliveryPlan {
    channel == .call ? (callPlan ?? plan)(scenario) : plan(scenario)
  }
}

extension Set<Channel> {
  /// Channels that leave a message on a screen.
  static let written: Self = apps.union([.sms, .email, .push])
  static let messagesAndCalls: Self = written.union([.call])
  /// Channels that reach whoever has the SIM card.
  package static let ofSIMCard: Self = [.sms, .call, .rcs]
  /// Channels that reach whoever has the number. A push reaches a device, whose app keeps its token.
  package static let ofNumber: Self = apps.union([.sms, .call])
  /// Channels that reach an app through the handset's data connection.
  package static let apps: Self = [.whatsapp, .rcs, .viber, .telegram, .zalo]
  /// Channels that need the handset's data connection.
  package static let data: Self = apps.union([.push])
}
