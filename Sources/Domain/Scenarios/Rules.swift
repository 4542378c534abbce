import Database
import JSON

/// Rules of one kind in a sandbox, in the order they were set; the first that matches and acts decides.
///
/// A class because it is the sandbox's copy in memory of rows that every request looks at.
package final class Rules<Rule> {
  private let kind: String
  private let read: (Fields) throws -> Rule
  private let write: (Rule, inout JSONWriter) -> Void
  private var entries: [(rule: Rule, hits: Int)]?

  init(
    kind: String, read: @escaping (Fields) throws -> Rule, write: @escaping (Rule, inout JSONWriter) -> Void
  ) {
    self.kind = kind
    self.read = read
    self.write = write
  }

  /// All rules in order, with how often each has matched.
  func all(in sandbox: Sandbox) throws -> [(rule: Rule, hits: Int)] {
    if let entries { return entries }
    let loaded = try sandbox.database.all(
      "SELECT record, hits FROM rules WHERE sandbox = ? AND kind = ? ORDER BY position", sandbox.id, kind
    ) { (rule: try read(Fields(Array($0.text(0).utf8))), hits: $0.int(1)) }
    entries = loaded
    return loaded
  }

  /// Puts these rules in place of those there are.
  func replace(with rules: [Rule], in sandbox: Sandbox) throws {
    forget()
    try sandbox.database.run("DELETE FROM rules WHERE sandbox = ? AND kind = ?", sandbox.id, kind)
    for (position, rule) in rules.enumerated() {
      let record = JSONWriter.object { write(rule, &$0) }
      try sandbox.database.run(
        "INSERT INTO rules (sandbox, kind, position, record) VALUES (?, ?, ?, ?)",
        sandbox.id, kind, position, String(decoding: record, as: UTF8.self))
    }
  }

  /// The first rule that matches and acts; every rule that matches on the way counts the occasion.
  func first(in sandbox: Sandbox, turn: (Rule) -> Turn, where matches: (Rule) -> Bool) throws -> Rule? {
    let entries = try all(in: sandbox)
    for (position, entry) in entries.enumerated() where matches(entry.rule) {
      self.entries?[position].hits += 1
      try sandbox.database.run(
        "UPDATE rules SET hits = hits + 1 WHERE sandbox = ? AND kind = ? AND position = ?",
        sandbox.id, kind, position)
      if turn(entry.rule).acts(after: entry.hits) { return entry.rule }
    }
    return nil
  }

  /// Lets go of the copy in memory: the rows may have changed under it.
  func forget() {
    entries = nil
  }
}
