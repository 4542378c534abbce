package import JSON

/// A scenario, a fault or another rule: what it matches, and what it does there.
///
/// They act at different places: a fault on a request, a scenario on a message. So each is a type of its
/// own, and has its own members in seeds. Storage, cache, counting and lists are written once, for any rule.
/// A rule is a value without its counts, because seeds and exports have rules and no counts.
package protocol Rule: Equatable, Sendable {
  /// Separates the stored rules of one kind from others: `fault`.
  static var kind: String { get }
  /// For people: `webhook fault`.
  static var noun: String { get }
  /// What such rules are about, for descriptions: `requests that fail on purpose`.
  static var subject: String { get }
  /// The member with a list of such rules, in seeds and in the control API: `faults`.
  static var listName: String { get }
  /// The path of the list in the control API.
  static var controlPath: String { get }
  static var schema: Schema<Self> { get }
  var occurrences: Occurrences { get }
  /// What the rule does, for people: `every provider answers 500`.
  var effect: String { get }
  /// A rule with default values, before its members are read.
  init()
  /// Those from which chaos chooses, with the ids of their failures. Default: none.
  static func chaos(in table: ChaosTable) -> ChaosTable.Entries<Self>
  /// The rules of this kind in a sandbox.
  static func rules(of sandbox: Sandbox) -> Rules<Self>
  /// Throws if the rule, the object `path`, would never act, such as for a name that nothing has, or has a
  /// member without effect. Stored rules are not asked: they were valid when they were made.
  func validate(against names: [RouteNames], at path: String) throws(FieldError)
  /// The same for names that are different in every sandbox. Default: there are none.
  func validate(in sandbox: Sandbox, at path: String) throws
  /// Called when the rules of a sandbox are other ones than before.
  static func rulesChanged(from earlier: [Self], in sandbox: Sandbox) throws
}

/// The kinds of rules. Storage, seeds, exports, the control API, the console and workshops follow from this
/// list.
package enum RuleKinds {
  package static let all: [any Rule.Type] = [
    Scenario.self, Fault.self, WebhookFault.self, Latency.self, RequestLimit.self,
  ]
}

extension Rule {
  package static func chaos(in table: ChaosTable) -> ChaosTable.Entries<Self> { [] }

  package static func rulesChanged(from earlier: [Self], in sandbox: Sandbox) {}
  package func validate(in sandbox: Sandbox, at path: String) {}

  package init(_ fields: Fields) throws(FieldError) {
    self.init()
    try Self.schema.merge(fields, into: &self)
  }

  /// The shape of a list of new rules.
  package static var listMember: ObjectSchema.Member {
    ObjectSchema.Member(
      listName, .array(.object(schema.object), maxItems: RuleLimits.perList),
      "Rules about \(subject). They replace the present ones.")
  }

  /// The counts in rules that a client read and sends back.
  static var ignoredCounts: [Field<Self>] {
    [
      .readOnlyIfPresent(
        "hits", .count,
        "The number of matches so far. A rule that is sent back with it goes on counting; without it, it begins again."
      ) { _ in nil },
      .readOnlyIfPresent("applied", .count, "The number of times that the rule acted; ignored in requests.") {
        _ in nil
      },
      .readOnlyIfPresent("origin", .word, "Who added the rule; ignored in requests.") { _ -> RuleOrigin? in
        nil
      },
    ]
  }
}

/// Who added a rule.
package enum RuleOrigin: String, CaseIterable, Sendable {
  /// A program, a seed, or the console's page *Break*, which sends what a program would send.
  case control
  /// *Break* on a workshop's board.
  case trainer
  /// The current task of a workshop.
  case task
  /// `/control/chaos`; no rule of a list has it.
  case chaos
}

/// The maximum number of rules: every request or message is compared with all of them.
package enum RuleLimits {
  /// In each list of a sandbox, and in the scenarios of one subscriber.
  package static let perList = 100
}

/// Which of its matches a rule acts on.
package struct Occurrences: Equatable, Sendable {
  /// The first match it acts on, counted from 1; nil: the first one possible.
  package var nth: Int?
  /// It acts on one of so many matches, such as each third; nil: on each.
  package var every: Int?
  /// The share of matches it acts on, at random; nil: all.
  package var rate: Double?
  /// The number of times it acts from there; nil: once where only `nth` is set, else always.
  package var times: Int?

  /// Acts on every match.
  package init() {}

  /// The members that choose matches. Those of a scenario are in its `match`, where `times` is not.
  static let fields: [Field<Occurrences>] = [
    .nullable("nth", \.nth, .position, "The first match to which the rule applies, counted from 1."),
    .optional(
      "every", \.every, .position,
      "The rule applies to one of so many matches: 3 is the third, the sixth, and so on."),
    .optional(
      "rate", \.rate, .number(0.0001...1),
      "The rule applies to this share of its matches: 0.2 is 20 %. Chosen by the sandbox's entropy, so it is "
        + "the same for the same seed."),
  ]

  /// `things`: what is counted, such as `messages`.
  static func times(_ things: String) -> Field<Occurrences> {
    .nullable(
      "times", \.times, .position,
      "The number of \(things) to which the rule applies; one by default if only nth is set, else all.")
  }

  /// Throws for members of the object `path` of which one has no effect beside the other.
  func validate(at path: String) throws(FieldError) {
    guard let every else { return }
    if rate != nil {
      throw FieldError(path: "\(path).every", expected: "nothing beside rate", found: .integer(Int64(every)))
    }
    if let nth {
      throw FieldError(path: "\(path).nth", expected: "nothing beside every", found: .integer(Int64(nth)))
    }
  }

  /// The number of times it acts; nil: always.
  private var limit: Int? { times ?? (nth == nil || every != nil || rate != nil ? nil : 1) }

  /// How often it will act yet; nil: always.
  package func rest(after counts: RuleCounts) -> Int? { limit.map { max(0, $0 - counts.applied) } }

  /// False if the rule acts on every match.
  var isLimited: Bool { self != Occurrences() }

  /// Counts a match. Returns true if the rule acts on it, which it does only if no earlier rule acts.
  /// `chance` is a random number from 0 up to 1 for each match.
  package func count(
    _ counts: inout RuleCounts, mayAct: Bool, chance: (_ match: Int) -> Double = { _ in 0 }
  ) -> Bool {
    counts.hits += 1
    guard mayAct, isDue(counts.hits), rest(after: counts) != 0, rate.map({ chance(counts.hits) < $0 }) ?? true
    else { return false }
    counts.applied += 1
    return true
  }

  private func isDue(_ match: Int) -> Bool {
    let first = nth ?? every ?? 1
    return match >= first && (match - first).isMultiple(of: every ?? 1)
  }
}

/// How often a rule matched, and how often it acted.
package struct RuleCounts: Equatable, Sendable {
  package var hits = 0
  package var applied = 0

  package init(hits: Int = 0, applied: Int = 0) {
    self.hits = hits
    self.applied = applied
  }
}

/// A rule with its counts, as the control API lists it.
package struct CountedRule<Content: Rule>: Sendable {
  package internal(set) var rule: Content
  package internal(set) var counts = RuleCounts()
  package let origin: RuleOrigin

  /// False if the rule has acted as often as it may.
  package var isActive: Bool { rule.occurrences.rest(after: counts) != 0 }

  package static var schema: Schema<Self> {
    let ignored = Content.ignoredCounts.map(\.member.name)
    let fields = Content.schema.fields.filter { !ignored.contains($0.member.name) }.map {
      $0.lifted(\Self.rule)
    }
    return Schema(
      Content.schema.name.map { "Counted\($0)" }, Content.schema.summary,
      fields + [
        .readOnly("hits", .count, "The number of matches so far.") { $0.counts.hits },
        .readOnly("applied", .count, "The number of times that the rule acted.") { $0.counts.applied },
        .readOnly(
          "origin", .word,
          "Who added the rule: a program or Break (control), the trainer, or the current task of a workshop."
        ) { $0.origin },
      ])
  }
}

/// A rule that acts on a request or a message.
package struct ActingRule<Content: Rule> {
  package let rule: Content
  /// Counted from 1; of chaos: among the rules from which it chooses.
  package let number: Int
  package let origin: RuleOrigin
}
