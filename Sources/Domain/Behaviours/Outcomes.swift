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

  /// The same for one message: some outcomes need a long text, or a code in it.
  static func isPossible(_ outcome: String, for draft: MessageDraft) -> Bool {
    isPossible(outcome, over: draft.channel) && byName[outcome]?.suits(draft) ?? true
  }

  /// The outcomes that are possible over a channel, separated by commas, for error messages.
  static func list(for channel: Channel) -> String {
    names.filter { isPossible($0, over: channel) }.joined(separator: ", ")
  }
}
