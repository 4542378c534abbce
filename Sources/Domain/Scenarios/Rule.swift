import Database
package import JSON

/// A scenario or a fault: what it matches, and what it does there.
package protocol Rule: Equatable, Sendable {
  static var schema: Schema<Self> { get }
  var occurrences: Occurrences { get }
  /// A rule with default values, before its members are read.
  init()
}

/// Which of its matches a rule acts on.
package struct Occurrences: Equatable, Sendable {
  /// The first match it acts on, counted from 1; nil: the first.
  package var nth: Int?
  /// The number of matches it acts on from there; nil: one where `nth` is set, else all.
  package var times: Int?

  /// Acts on every match.
  package init() {}

  /// False if the rule acts on every match.
  var isLimited: Bool { nth != nil || times != nil }

  /// True if a rule acts on the match after this many earlier ones.
  package func includes(after earlier: Int) -> Bool {
    let first = (nth ?? 1) - 1
    guard let count = times ?? (nth == nil ? nil : 1) else { return earlier >= first }
    return earlier >= first && earlier < first + count
  }
}

/// A rule with the number of its matches, as the control API lists it.
package struct CountedRule<Content: Rule>: Sendable {
  package fileprivate(set) var rule: Content
  package fileprivate(set) var hits: Int

  package static var schema: Schema<Self> {
    let fields = Content.schema.fields.filter { $0.member.name != "hits" }.map { $0.lifted(\Self.rule) }
    return Schema(
      Content.schema.name.map { "Counted\($0)" }, Content.schema.summary,
      fields + [.readOnly("hits", .count, "The number of matches so far.") { $0.hits }])
  }
}

/// Rules of one kind in a sandbox, in order. The first rule that matches and acts wins.
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
      "SELECT record, hits FROM rules WHERE sandbox = ? AND kind = ? ORDER BY position", sandbox.id, kind
    ) { row in
      var rule = Content()
      try Content.schema.merge(Fields(Array(row.text(0).utf8)), into: &rule)
      return CountedRule(rule: rule, hits: row.int(1))
    }
    cache = loaded
    return loaded
  }

  /// Replaces all rules; the new ones have no matches yet.
  func replace(with rules: [Content], in sandbox: Sandbox) throws {
    forgetCache()
    try sandbox.database.run("DELETE FROM rules WHERE sandbox = ? AND kind = ?", sandbox.id, kind)
    for (position, rule) in rules.enumerated() {
      try sandbox.database.run(
        "INSERT INTO rules (sandbox, kind, position, record) VALUES (?, ?, ?, ?)",
        sandbox.id, kind, position, String(decoding: Content.schema.encode(rule), as: UTF8.self))
    }
  }

  /// The first rule that matches and acts. Rules before it that match are counted too.
  func first(in sandbox: Sandbox, where matches: (Content) -> Bool) throws -> Content? {
    let rules = try all(in: sandbox)
    for (position, counted) in rules.enumerated() where matches(counted.rule) {
      cache?[position].hits += 1
      try sandbox.database.run(
        "UPDATE rules SET hits = hits + 1 WHERE sandbox = ? AND kind = ? AND position = ?",
        sandbox.id, kind, position)
      if counted.rule.occurrences.includes(after: counted.hits) { return counted.rule }
    }
    return nil
  }

  /// Drops the cache, because the rows may have changed.
  func forgetCache() {
    cache = nil
  }
}
