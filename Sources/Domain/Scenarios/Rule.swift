import Database
package import JSON

/// A scenario or a fault: what it matches, and what it does there.
package protocol Rule: Equatable, Sendable {
  static var schema: Schema<Self> { get }
  var occurrences: Occurrences { get }
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
    ]
  }
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

  /// False if the rule acts on every match.
  var isLimited: Bool { nth != nil || times != nil }

  /// Counts a match. Returns true if the rule acts on it, which it does only if no earlier rule acts.
  package func count(_ counts: inout RuleCounts, mayAct: Bool) -> Bool {
    counts.hits += 1
    let limit = times ?? (nth == nil ? Int.max : 1)
    guard mayAct, counts.hits >= nth ?? 1, counts.applied < limit else { return false }
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
  package fileprivate(set) var counts: RuleCounts

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
      ])
  }
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
      "SELECT record, hits, applied FROM rules WHERE sandbox = ? AND kind = ? ORDER BY position", sandbox.id,
      kind
    ) { row in
      var rule = Content()
      try Content.schema.merge(Fields(Array(row.text(0).utf8)), into: &rule)
      return CountedRule(rule: rule, counts: RuleCounts(hits: row.int(1), applied: row.int(2)))
    }
    cache = loaded
    return loaded
  }

  /// Replaces all rules; the new ones have no matches yet.
  func replace(with rules: [Content], in sandbox: Sandbox) throws {
    try save(rules.map { CountedRule(rule: $0, counts: RuleCounts()) }, in: sandbox)
  }

  /// Adds rules before the others, and removes those that are equal to some. The others keep their matches.
  func change(adding added: [Content] = [], removing removed: [Content] = [], in sandbox: Sandbox) throws {
    guard !added.isEmpty || !removed.isEmpty else { return }
    let kept = try all(in: sandbox).filter { !removed.contains($0.rule) }
    try save(added.map { CountedRule(rule: $0, counts: RuleCounts()) } + kept, in: sandbox)
  }

  private func save(_ rules: [CountedRule<Content>], in sandbox: Sandbox) throws {
    forgetCache()
    try sandbox.database.run("DELETE FROM rules WHERE sandbox = ? AND kind = ?", sandbox.id, kind)
    for (position, counted) in rules.enumerated() {
      try sandbox.database.run(
        "INSERT INTO rules (sandbox, kind, position, record, hits, applied) VALUES (?, ?, ?, ?, ?, ?)",
        sandbox.id, kind, position, String(decoding: Content.schema.encode(counted.rule), as: UTF8.self),
        counted.counts.hits, counted.counts.applied)
    }
  }

  /// The first rule that matches and acts. Every rule that matches counts the match, so `nth` of one rule does not
  /// depend on the others.
  func first(in sandbox: Sandbox, where matches: (Content) throws -> Bool) throws -> Content? {
    var first: Content?
    for (position, rule) in try all(in: sandbox).enumerated() where try matches(rule.rule) {
      var counts = rule.counts
      if rule.rule.occurrences.count(&counts, mayAct: first == nil) { first = rule.rule }
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
