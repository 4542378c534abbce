package import JSON

/// A rule about what becomes of messages: for whom, on which attempt, how often. Source: `carrier.md` 4.3.
package struct Scenario: Equatable, Sendable {
  /// Only messages to this destination.
  package var number: String?
  /// Only messages of this channel.
  package var channel: Channel?
  /// Only messages from this sender.
  package var sender: String?
  /// Only messages of this provider.
  package var provider: String?
  /// Which of the matching messages, counted from 1, and how many.
  package var turn = Turn()
  /// The behaviour's name.
  package var outcome = Delivered.name
  /// The behaviour's time, where it has one.
  package var after: Duration?
  /// The carrier's error number in the receipt, where the behaviour reports one.
  package var error: Int?

  /// The rule that says nothing: everything is delivered.
  package init() {}

  /// Reads `{"match":{…},"outcome":…,"afterMs":…,"err":…,"times":…}`.
  package init(_ fields: Fields) throws(FieldError) {
    if let match = try fields.optionalObject("match") {
      number = try match.optionalString("number")
      sender = try match.optionalString("sender")
      provider = try match.optionalString("provider")
      if let word = try match.optionalString("channel") {
        guard let known = Channel(rawValue: word) else {
          let words = Channel.allCases.map(\.rawValue).joined(separator: ", ")
          throw match.mismatch("channel", expected: "one of \(words)")
        }
        channel = known
      }
      turn.nth = try match.optionalPlace("nth")
    }
    turn.times = try fields.optionalCount("times")
    outcome = try fields.string("outcome")
    guard behaviours.contains(where: { $0.name == outcome }) else {
      let words = behaviours.map { $0.name }.joined(separator: ", ")
      throw fields.mismatch("outcome", expected: "one of \(words)")
    }
    after = try fields.optionalCount("afterMs").map { .milliseconds($0) }
    error = try fields.optionalCount("err")
    _ = try fields.optionalCount("hits")
  }

  /// Writes the rule as the control API and seeds have it.
  package func write(to json: inout JSONWriter) {
    json.object("match") {
      $0.member("number", number)
      $0.member("channel", channel?.rawValue)
      $0.member("sender", sender)
      $0.member("provider", provider)
      $0.member("nth", turn.nth)
    }
    json.member("outcome", outcome)
    json.member("afterMs", after.map { Int($0.milliseconds) })
    json.member("err", error)
    json.member("times", turn.times)
  }

  func matches(_ draft: MessageDraft) -> Bool {
    (number == nil || number == draft.destination) && (channel == nil || channel == draft.channel)
      && (sender == nil || sender == draft.sender) && (provider == nil || provider == draft.provider)
  }
}
