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

  init(
    _ name: String, outcomes: [String]? = nil, channels: Set<Channel>,
    plan: @escaping @Sendable (Scenario) -> DeliveryPlan
  ) {
    self.name = name
    self.outcomes = outcomes ?? [name]
    self.channels = channels
    self.plan = plan
  }
}

/// The outcomes that a scenario can name.
package enum Outcomes {
  /// The outcomes of messages, calls and silent verifications.
  package static let names = Behaviour.all.flatMap { $0.outcomes } + SilentOutcome.allCases.map(\.rawValue)

  private static let byName = Dictionary(
    uniqueKeysWithValues: Behaviour.all.flatMap { behaviour in behaviour.outcomes.map { ($0, behaviour) } })

  /// The behaviour of an outcome; nil for the outcomes of silent verifications.
  package static func behaviour(_ outcome: String) -> Behaviour? { byName[outcome] }

  static func isPossible(_ outcome: String, over channel: Channel) -> Bool {
    guard let behaviour = byName[outcome] else { return channel == .silent }
    return behaviour.channels.contains(channel)
  }

  /// The outcomes that are possible over a channel, separated by commas, for error messages.
  static func list(for channel: Channel) -> String {
    names.filter { isPossible($0, over: channel) }.joined(separator: ", ")
  }
}

extension Set<Channel> {
  /// Channels that leave a message on a screen.
  static let written: Self = apps.union([.sms, .email, .push])
  static let messagesAndCalls: Self = written.union([.call])
  /// Channels that reach an app through the handset's data connection.
  package static let apps: Self = [.whatsapp, .rcs, .viber, .telegram, .zalo]
  /// Channels that need the handset's data connection.
  package static let data: Self = apps.union([.push])
}
