/// Every outcome that a scenario can name. A new one: a file beside this one, a line in this list.
package enum Outcomes {
  /// What can become of messages and calls.
  package static let behaviours: [any Behaviour.Type] = [
    Absent.self, Answer.self, AnswerHangup.self, Busy.self, Decline.self, Delivered.self, Duplicate.self,
    Failed.self, Filtered.self, LostButDelivered.self, MemoryFull.self, NoAnswer.self, NoReceipt.self,
    NotCapable.self, Read.self, ReceiptFirst.self, Rejected.self, Slow.self, SubmitFail.self,
    Undeliverable.self, Unreachable.self, Voicemail.self,
  ]

  /// Their words and those of silent verifications, as seeds have them.
  package static let words = behaviours.flatMap { $0.words } + SilentOutcome.allCases.map(\.rawValue)

  private static let byWord = Dictionary(
    uniqueKeysWithValues: behaviours.flatMap { behaviour in behaviour.words.map { ($0, behaviour) } })

  /// The behaviour of a word; nil for those of silent verifications.
  package static func behaviour(_ word: String) -> (any Behaviour.Type)? { byWord[word] }

  /// Whether something that travels over a channel can fare so.
  static func concerns(_ word: String, _ channel: Channel) -> Bool {
    guard let behaviour = byWord[word] else { return channel == .silent }
    return behaviour.channels.contains(channel)
  }

  /// The words for a channel, for whoever wrote another.
  static func words(for channel: Channel) -> String {
    words.filter { concerns($0, channel) }.joined(separator: ", ")
  }
}
