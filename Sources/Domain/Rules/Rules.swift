import Basics
import Database
import JSON

/// The rules of one kind in a sandbox, in order. Of the rules that act on a request, the first one wins.
package struct Rules<Content: Rule> {
  let sandbox: Sandbox
  let cache: RuleCache<Content>

  package var all: [CountedRule<Content>] {
    get throws {
      if let rules = cache.rules { return rules }
      let rules = try load()
      cache.rules = rules
      return rules
    }
  }

  /// False if there are no rules and no chaos.
  package var canAct: Bool {
    get throws { try !all.isEmpty || sandbox.chaos.run != nil }
  }

  private func load() throws -> [CountedRule<Content>] {
    try sandbox.database.all(
      "SELECT record, hits, applied, origin FROM rules WHERE sandbox = ? AND kind = ? ORDER BY position",
      sandbox.id, Content.kind
    ) { row in
      var rule = Content()
      try Content.schema.merge(Fields(Array(row.text(0).utf8)), into: &rule)
      guard let origin = RuleOrigin(rawValue: row.text(3)) else {
        throw DamagedState(expected: "the origin of a rule")
      }
      return CountedRule(
        rule: rule, counts: RuleCounts(hits: row.int(1), applied: row.int(2)), origin: origin)
    }
  }

  /// Replaces all rules. A rule that is equal to an earlier one keeps its origin and, at places that
  /// `goesOn`, its matches: clients change a list by reading it and sending it back.
  package func replace(with rules: [Content], where goesOn: (Int) -> Bool = { _ in false }) throws {
    var earlier = try all
    let counted = rules.enumerated().map { place, rule in
      guard let index = earlier.firstIndex(where: { $0.rule == rule }) else {
        return CountedRule(rule: rule, origin: .control)
      }
      let same = earlier.remove(at: index)
      return goesOn(place) ? same : CountedRule(rule: rule, origin: same.origin)
    }
    try save(counted)
  }

  /// Adds rules before the others, which keep their matches. One that is there from the same origin begins
  /// again.
  package func add(_ rules: [Content], from origin: RuleOrigin) throws {
    guard !rules.isEmpty else { return }
    let others = try all.filter { $0.origin != origin || !rules.contains($0.rule) }
    try save(rules.map { CountedRule(rule: $0, origin: origin) } + others)
  }

  /// Removes the rules of some origins.
  func remove(from isRemoved: (RuleOrigin) -> Bool) throws {
    let present = try all
    let kept = present.filter { !isRemoved($0.origin) }
    if kept.count < present.count { try save(kept) }
  }

  private func save(_ rules: [CountedRule<Content>]) throws {
    let earlier = try all.map(\.rule)
    cache.rules = nil
    sandbox.derived.hasRequestRules = nil
    try sandbox.database.run("DELETE FROM rules WHERE sandbox = ? AND kind = ?", sandbox.id, Content.kind)
    for (position, counted) in rules.enumerated() {
      try sandbox.database.run(
        "INSERT INTO rules (sandbox, kind, position, record, hits, applied, origin) VALUES (?, ?, ?, ?, ?, ?, ?)",
        sandbox.id, Content.kind, position,
        String(decoding: Content.schema.encode(counted.rule), as: UTF8.self),
        counted.counts.hits, counted.counts.applied, counted.origin.rawValue)
    }
    try noteChange()
    try Content.rulesChanged(from: earlier, in: sandbox)
  }

  /// The first rule that matches and acts, or a failure that chaos chooses. Every rule that matches counts
  /// the match, so `nth` of one rule does not depend on the others.
  func first(where matches: (Content) throws -> Bool) throws -> ActingRule<Content>? {
    guard try canAct else { return nil }
    var first: ActingRule<Content>?
    for (position, rule) in try all.enumerated() where try matches(rule.rule) {
      var counted = rule
      let acts = rule.rule.occurrences.count(&counted.counts, mayAct: first == nil) {
        sandbox.entropy.chance("\(Content.kind) \(position)", $0)
      }
      if acts {
        first = ActingRule(rule: rule.rule, number: position + 1, origin: rule.origin)
      }
      cache.rules?[position].counts = counted.counts
      try sandbox.database.run(
        "UPDATE rules SET hits = ?, applied = ? WHERE sandbox = ? AND kind = ? AND position = ?",
        counted.counts.hits, counted.counts.applied, sandbox.id, Content.kind, position)
      if counted.isActive != rule.isActive { try noteChange() }
    }
    return try first ?? sandbox.chaos.choose(where: matches)
  }

  /// The id of the failure that a rule is; nil for another one, and for chaos, which has no rules.
  func failure(of rule: ActingRule<Content>) -> String? {
    guard rule.origin != .chaos, let json = try? JSON(parsing: Content.schema.encode(rule.rule)) else {
      return nil
    }
    return sandbox.shared.settings.failure(json, Content.listName)
  }

  private func noteChange() throws {
    sandbox.derived.failures = nil
    try sandbox.tasks.markRow()
  }
}

extension Rule {
  package static func count(in sandbox: Sandbox) throws -> Int { try rules(of: sandbox).all.count }

  /// Removes the rules of some origins.
  static func remove(in sandbox: Sandbox, from isRemoved: (RuleOrigin) -> Bool) throws {
    try rules(of: sandbox).remove(from: isRemoved)
  }
}

/// The rules as they were read. A class, because matches are counted in it.
final class RuleCache<Content: Rule> {
  /// Nil until they are read.
  var rules: [CountedRule<Content>]?
}
