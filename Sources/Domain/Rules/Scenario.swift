package import JSON
import Numbers

/// A rule about the outcome of messages, calls and silent verifications: for whom, on which attempt, how
/// often. Source: `carrier.md` 4.3.
package struct Scenario: Rule {
  // What a message must have; nil matches all.
  package var number: String?
  package var channel: Channel?
  package var sender: String?
  package var provider: String?
  package var network = NetworkMatch()

  package var occurrences = Occurrences()
  /// One of `Outcomes.names`; nil: the usual one of the provider's status.
  package var outcome: String?
  /// The statuses that providers show in the end.
  package var providerStatus = ProviderStatuses()
  /// The outcome's time, for outcomes that have one.
  package var after: Duration?
  /// The carrier's error number in the receipt, for outcomes that report one.
  package var error: Int?
  /// The keys that the person presses during a call.
  package var keys: String?

  package static let kind = "scenario"
  package static let noun = "scenario"
  package static let subject = "the outcome of messages"
  package static let listName = "scenarios"
  package static let controlPath = "/control/scenarios"

  package static func rules(of sandbox: Sandbox) -> Rules<Scenario> { sandbox.scenarios }

  package func validate(against names: [RouteNames], at path: String) throws(FieldError) {
    try occurrences.validate(at: "\(path).match")
    try validateChannels(at: path)
    try validateEffects(at: path)
    try names.validate(self, in: path)
  }

  package func validate(in sandbox: Sandbox, at path: String) throws {
    guard let name = network.operatorName else { return }
    try sandbox.subscribers.validate(operatorNamed: name, in: "\(path).match.operator")
  }

  package init() {}

  /// An outcome that a request asks for by itself; nil for an unknown outcome.
  package init?(requested outcome: String) {
    guard Outcomes.names.contains(outcome) else { return nil }
    self.outcome = outcome
  }

  init(after: Duration?) { self.after = after }

  init(_ outcome: String, times: Int? = nil, after: Duration? = nil, error: Int? = nil) {
    self.outcome = outcome
    occurrences.times = times
    self.after = after
    self.error = error
  }

  /// Reads a rule of a subscriber's own record, which can be about no other number.
  init(_ fields: Fields, of number: PhoneNumber) throws(FieldError) {
    try self.init(fields)
    if let named = self.number, named != number.description {
      throw FieldError(
        path: "\(fields.path).match.number", expected: "\(number) or nothing", found: "\"\(named)\"")
    }
    if let prefix = network.prefix, !number.description.hasPrefix(prefix) {
      throw FieldError(
        path: "\(fields.path).match.prefix", expected: "the first digits of \(number)", found: "\"\(prefix)\""
      )
    }
    self.number = nil
  }

  package static let schema = Schema<Scenario>(
    "Scenario", "A rule about the outcome of messages. The first rule that matches and applies wins.",
    [
      .nested("match", \.self, matchSchema, "The messages that the rule is about; all by default."),
      .optional(
        "outcome", \.outcome, .oneOf(Outcomes.names),
        "The outcome of the message, call or silent verification; one that match.channel can have."),
      ProviderStatuses.field(\.providerStatus),
      .nullable(
        "afterMs", \.after, .milliseconds,
        "The delay in milliseconds until the arrival, the last receipt if nothing arrives, or a call's result."
      ),
      .nullable("err", \.error, .count, "The carrier's error number in the receipt of a failure."),
      .optional(
        "keys", \.keys, .keys(0...32),
        "The keys that the person presses during a call; by default the key asked for (1 if any), then the menu's "
          + "first answer. Empty: no key."),
      Occurrences.times("messages").lifted(\.occurrences),
    ] + ignoredCounts,
    constraints: [
      .atLeastOne(of: ["outcome", "providerStatus"]),
      .choices(
        Channel.allCases.map { channel in
          ObjectSchema.Choice(
            path: ["match", "channel"], values: [.string(channel.rawValue)], member: "outcome",
            allowed: Outcomes.names.filter { Outcomes.isPossible($0, over: channel) }.map { .string($0) })
        }),
    ]
  ) { input, scenario throws(FieldError) in
    if let channel = scenario.channel, let outcome = scenario.outcome,
      !Outcomes.isPossible(outcome, over: channel)
    {
      throw input.mismatch(
        "outcome", expected: "one for \(channel.rawValue): \(Outcomes.list(for: channel))")
    }
  }

  /// True if the rule is about this message, and its outcome is possible for the message. `subscriber` is nil
  /// for an email address.
  func matches(_ draft: MessageDraft, to subscriber: Subscriber?) -> Bool {
    (number == nil || number == draft.destination) && (channel == nil || channel == draft.channel)
      && (sender == nil || sender == draft.sender) && (provider == nil || provider == draft.provider)
      && network.matches(subscriber) && outcome.map { Outcomes.isPossible($0, for: draft) } ?? true
  }

  /// True if the rule is about silent verifications of this number with this provider; they have no sender.
  func matches(silent subscriber: Subscriber, provider: String) -> Bool {
    (number == nil || number == subscriber.number.description) && (channel == nil || channel == .silent)
      && sender == nil && (self.provider == nil || self.provider == provider) && network.matches(subscriber)
      && silentOutcome != nil
  }

  /// What it asks for: `undeliverable`, `acme 521`.
  var requestedOutcome: String {
    outcome ?? providerStatus.all.map { "\($0.provider) \($0.status)" }.joined(separator: ", ")
  }

  /// Nil for outcomes of other channels.
  var silentOutcome: SilentOutcome? {
    outcome == Behaviour.networkDown.name ? .carrierError : outcome.flatMap(SilentOutcome.init)
  }
}
