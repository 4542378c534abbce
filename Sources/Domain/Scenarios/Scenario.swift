package import JSON

/// A rule about what becomes of messages, calls and silent verifications: for whom, on which attempt, how often.
/// Source: `carrier.md` 4.3.
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
  /// The outcome's word.
  package var outcome: String
  /// The behaviour's time, where it has one.
  package var after: Duration?
  /// The carrier's error number in the receipt, where the behaviour reports one.
  package var error: Int?
  /// The keys that the person presses when a call asks for one.
  package var keys: String?

  /// The rule that says nothing: everything is delivered.
  package init() { outcome = Behaviour.delivered.name }

  /// The rule of an outcome, for all messages that can have it.
  ///
  /// For a request's own scenario: nil where there is no such outcome.
  package init?(requested outcome: String) {
    guard Outcomes.names.contains(outcome) else { return nil }
    self.outcome = outcome
  }

  /// A rule of ours, whose outcome there is.
  init(_ outcome: String, times: Int? = nil, after: Duration? = nil, error: Int? = nil) {
    self.outcome = outcome
    turn.times = times
    self.after = after
    self.error = error
  }

  /// Reads `{"match":{…},"outcome":…,"afterMs":…,"err":…,"keys":…,"times":…}`.
  package init(_ fields: Fields) throws(FieldError) {
    outcome = try fields.string("outcome")
    guard Outcomes.names.contains(outcome) else {
      throw fields.mismatch("outcome", expected: "one of \(Outcomes.names.joined(separator: ", "))")
    }
    if let match = try fields.optionalObject("match") {
      number = try match.optionalString("number")
      sender = try match.optionalString("sender")
      provider = try match.optionalString("provider")
      channel = try match.optionalWord("channel", of: Channel.self)
      turn.nth = try match.optionalPlace("nth")
    }
    if let channel, !Outcomes.isPossible(outcome, over: channel) {
      throw fields.mismatch(
        "outcome", expected: "one for \(channel.rawValue): \(Outcomes.list(for: channel))")
    }
    turn.times = try fields.optionalCount("times")
    after = try fields.optionalCount("afterMs").map { .milliseconds($0) }
    error = try fields.optionalCount("err")
    keys = try fields.optionalText("keys", expected: "up to 32 of 0 to 9, * and #", where: Keys.isValid)
    _ = try fields.optionalCount("hits")
  }

  /// Reads a rule of a subscriber's own record, which is about no other number.
  init(_ fields: Fields, of number: PhoneNumber) throws(FieldError) {
    try self.init(fields)
    if let named = self.number, named != number.description {
      throw FieldError(
        path: "\(fields.path).match.number", expected: "\(number) or nothing", found: "\"\(named)\"")
    }
    self.number = nil
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
    if let keys { json.member("keys", keys) }
    json.member("times", turn.times)
  }

  /// Whether the rule is about this message, and its outcome one that such a message can have.
  func matches(_ draft: MessageDraft) -> Bool {
    (number == nil || number == draft.destination) && (channel == nil || channel == draft.channel)
      && (sender == nil || sender == draft.sender) && (provider == nil || provider == draft.provider)
      && Outcomes.isPossible(outcome, over: draft.channel)
  }

  /// Whether the rule is about silent verifications of this number with this provider; none has a sender.
  func matches(silent number: PhoneNumber, provider: String) -> Bool {
    (self.number == nil || self.number == number.description) && (channel == nil || channel == .silent)
      && sender == nil && (self.provider == nil || self.provider == provider) && silentOutcome != nil
  }

  /// The outcome as silent verifications have it; nil where it is another channel's.
  var silentOutcome: SilentOutcome? { SilentOutcome(rawValue: outcome) }
}
