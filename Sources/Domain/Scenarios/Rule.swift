import Database
package import JSON

/// A scenario or a fault: what it matches, and what it does there.
package protocol Rule: Equatable, Sendable {
  static var schema: Schema<Self> { get }
  var occurrences: Occurrences { get }
  /// What the rule does, for people: `every provider answers 500`.
  var effect: String { get }
  /// A rule with default values, before its members are read.
  init()
}

extension Rule {
  /// The counts in rules that a client read and sends back.
  static var ignoredCounts: [Field<Self>] {
    [
      .readOnlyIfPresent("hits", .count, "The number of matches so far; ignored in requests.") { _ in nil },
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
  /// A program, a seed, or the console's page *Break it*, which sends what a program would send.
  case control
  /// *Break* on a workshop's board.
  case trainer
  /// The current task of a workshop.
  case task
}

/// The maximum number of rules: every request or message is compared with all of them.
package enum RuleLimits {
  /// In the faults or scenarios of a sandbox, and in the scenarios of one subscriber.
  package static let perList = 100
}

/// Which of its matches a rule acts on.
package struct Occurrences: Equatable, Sendable {
  /// The first match it acts on, counted from 1; nil: the first.
  package var nth: Int?
  /// The number of times it acts from there; nil: once where `nth` is set, else always.
  package var times: Int?

  /// Acts on every match.
  package init() {}

  /// The number of times it acts; nil: always.
  private var limit: Int? { times ?? (nth == nil ? nil : 1) }

  /// How often it will act yet; nil: always.
  package func rest(after counts: RuleCounts) -> Int? { limit.map { max(0, $0 - counts.applied) } }

  /// False if the rule acts on every match.
  var isLimited: Bool { nth != nil || times != nil }

  /// Counts a match. Returns true if the rule acts on it, which it does only if no earlier rule acts.
  package func count(_ counts: inout RuleCounts, mayAct: Bool) -> Bool {
    counts.hits += 1
    guard mayAct, counts.hits >= nth ?? 1, rest(after: counts) != 0 else { return false }
    counts.applied += 1
    return true
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
  package fileprivate(set) var rule: Content
  package fileprivate(set) var counts = RuleCounts()
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
          "Who added the rule: a program or Break it (control), the trainer, or the current task of a workshop."
        ) { $0.origin },
      ])
  }
}

/// A rule that acts on a request or a message.
package struct ActingRule<Content: Rule> {
  package let rule: Content
  /// Counted from 1.
  package let number: Int
  package let origin: RuleOrigin
}

/// Rules of one kind in a sandbox, in order. Of the rules that act on a request, the first one wins.
///
/// A class because it caches rows that every request needs.
package final class Rules<Content: Rule> {
  private let kind: String
  private var cache: [CountedRule<Content>]?

  init(kind: String) {
    self.kind = kind
  }

  func all(in sandbox: Sandbox) throws -> [CountedRule<Content>] {
    if let cache { return cache }
    let loaded = try sandbox.database.all(
      "SELECT record, hits, applied, origin FROM rules WHERE sandbox = ? AND kind = ? ORDER BY position",
      sandbox.id, kind
    ) { row in
      var rule = Content()
      try Content.schema.merge(Fields(Array(row.text(0).utf8)), into: &rule)
      guard let origin = RuleOrigin(rawValue: row.text(3)) else {
        throw DamagedState(expected: "the origin of a rule")
      }
      return CountedRule(
        rule: rule, counts: RuleCounts(hits: row.int(1), applied: row.int(2)), origin: origin)
    }
    cache = loaded
    return loaded
  }

  /// Replaces all rules; the new ones have no matches yet. A rule that is equal to an earlier one keeps its
  /// origin: clients change a list by reading it and sending it back.
  func replace(with rules: [Content], in sandbox: Sandbox) throws {
    let earlier = try all(in: sandbox)
    let origin = { rule in earlier.first { $0.rule == rule }?.origin ?? .control }
    try save(rules.map { CountedRule(rule: $0, origin: origin($0)) }, in: sandbox)
  }

  /// Adds rules before the others, which keep their matches. One that is there from the same origin begins
  /// again.
  func add(_ rules: [Content], from origin: RuleOrigin, in sandbox: Sandbox) throws {
    guard !rules.isEmpty else { return }
    let others = try all(in: sandbox).filter { $0.origin != origin || !rules.contains($0.rule) }
    try save(rules.map { CountedRule(rule: $0, origin: origin) } + others, in: sandbox)
  }

  /// Removes the rules of some origins.
  func remove(in sandbox: Sandbox, from isRemoved: (RuleOrigin) -> Bool) throws {
    let present = try all(in: sandbox)
    let kept = present.filter { !isRemoved($0.origin) }
    if kept.count < present.count { try save(kept, in: sandbox) }
  }

  private func save(_ rules: [CountedRule<Content>], in sandbox: Sandbox) throws {
    forgetCache()
    try sandbox.database.run("DELETE FROM rules WHERE sandbox = ? AND kind = ?", sandbox.id, kind)
    for (position, counted) in rules.enumerated() {
      try sandbox.database.run(
        "INSERT INTO rules (sandbox, kind, position, record, hits, applied, origin) VALUES (?, ?, ?, ?, ?, ?, ?)",
        sandbox.id, kind, position, String(decoding: Content.schema.encode(counted.rule), as: UTF8.self),
        counted.counts.hits, counted.counts.applied, counted.origin.rawValue)
    }
  }

  /// The first rule that matches and acts. Every rule that matches counts the match, so `nth` of one rule
  /// does not depend on the others.
  func first(
    in sandbox: Sandbox, where matches: (Content) throws -> Bool
  ) throws -> ActingRule<Content>? {
    var first: ActingRule<Content>?
    for (position, rule) in try all(in: sandbox).enumerated() where try matches(rule.rule) {
      var counts = rule.counts
      if rule.rule.occurrences.count(&counts, mayAct: first == nil) {
        first = ActingRule(rule: rule.rule, number: position + 1, origin: rule.origin)
      }
      cache?[position].counts = counts
      try sandbox.database.run(
        "UPDATE rules SET hits = ?, applied = ? WHERE sandbox = ? AND kind = ? AND position = ?",
        counts.hits, counts.applied, sandbox.id, kind, position)
    }
    return first
  }

  /// Drops the cache, because the rows may have changed.
  func forgetCache() {
    cache = nil
  }
}
