import Basics
import JSON
import Numbers

/// What a scenario names in vain.
extension Scenario {
  /// Throws if no message of a possible channel has its number or its sender.
  func validateChannels(at path: String) throws(FieldError) {
    let channels = Channel.allCases.filter { possible in
      (channel ?? possible) == possible && outcome.map { Outcomes.isPossible($0, over: possible) } ?? true
    }
    if let number {
      let isPhone = PhoneNumber(number) != nil
      guard channels.contains(where: { ($0 != .email) == isPhone }) else {
        throw FieldError(
          path: "\(path).match.number",
          expected: isPhone
            ? "an email address for this channel" : "a phone number for this channel or outcome",
          found: .string(number))
      }
    }
    if let sender, channels == [.silent] {
      throw FieldError(
        path: "\(path).match.sender", expected: "nothing, because silent verifications have no sender",
        found: .string(sender))
    }
  }

  /// Throws for a member that changes nothing about what the outcome does.
  func validateEffects(at path: String) throws(FieldError) {
    guard let outcome else { return }
    let members: [(name: String, value: JSON?, set: (inout Scenario, Int) -> Void)] = [
      ("afterMs", after.map { .integer($0.milliseconds) }, { $0.after = .milliseconds($1) }),
      ("err", error.map { .integer(Int64($0)) }, { $0.error = $1 }),
      ("keys", keys.map { .string($0) }, { $0.keys = String($1) }),
    ]
    for member in members where member.value != nil && !hasEffect(member.set) {
      throw FieldError(
        path: "\(path).\(member.name)",
        expected: "nothing beside the outcome \(outcome), where it has no effect", found: member.value)
    }
  }

  /// True if two values of a member bring different deliveries over a channel.
  private func hasEffect(_ set: (inout Scenario, Int) -> Void) -> Bool {
    guard let behaviour = outcome.flatMap(Outcomes.behaviour) else { return false }
    return behaviour.channels.contains { over in
      guard over != .silent, (channel ?? over) == over else { return false }
      let plans = [1, 2].map { value in
        var scenario = self
        set(&scenario, value)
        return behaviour.plan(scenario, over: over)
      }
      return plans[0] != plans[1]
    }
  }
}
