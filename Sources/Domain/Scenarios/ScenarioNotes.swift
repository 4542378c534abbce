/// The scenarios that decided how recent messages turned out, for people. They are not stored: a restart forgets them.
package struct ScenarioNotes {
  /// By the ordinals of messages.
  private var notes: [Int: String] = [:]

  private static let limit = 2000

  /// The scenario that decided about a message; nil if none did, or if it was forgotten.
  package subscript(message: Int) -> String? { notes[message] }

  /// Of too many notes, the older half is forgotten.
  mutating func add(_ scenario: String, about message: Int) {
    if notes.count >= Self.limit {
      let kept = notes.keys.sorted().suffix(Self.limit / 2).first ?? 0
      notes = notes.filter { $0.key >= kept }
    }
    notes[message] = scenario
  }
}
