import Domain
import JSON
import Markup

/// A rule that is active, such as a fault or a scenario.
struct RunningRule {
  /// The failure's effect, for people who do not know the control API.
  let text: String
  /// The name of the list in the control API, and the path of its operations.
  private let list: String
  private let path: String
  /// The rules of the list as JSON, and the position of this one.
  private let rules: [String]
  private let position: Int

  static func all(in sandbox: Sandbox) throws -> [RunningRule] {
    try RuleKinds.all.flatMap { try all(of: $0, in: sandbox) }
  }

  private static func all<Content: Rule>(of kind: Content.Type, in sandbox: Sandbox) throws -> [RunningRule] {
    let rules = try Content.rules(of: sandbox).all
    guard !rules.isEmpty else { return [] }
    let encoded = rules.map { rule in
      String(decoding: JSONWriter.object { CountedRule<Content>.schema.write(rule, to: &$0) }, as: UTF8.self)
    }
    return rules.enumerated().map { position, rule in
      let extent = rule.rule.occurrences.extent(rule.counts)
      return RunningRule(
        text: "\(rule.rule.effect), \(extent)", list: Content.listName, path: Content.controlPath,
        rules: encoded, position: position)
    }
  }

  /// The first two rules, and how many more there are.
  static func summary(_ rules: [RunningRule]) -> String {
    let shown = 2
    let rest = rules.count - shown
    return rules.prefix(shown).map(\.text).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
  }

  func html(_ layout: Layout) -> HTML {
    var others = rules
    others.remove(at: position)
    return li {
      span { text }
      ActionButton(
        "Stop", put: layout.url(path), #"{"\#(list)":[\#(others.joined(separator: ","))]}"#
      ).html
    }
  }
}

extension Occurrences {
  /// `until stopped`, `2 times more`, `from the 3rd on`
  fileprivate func extent(_ counts: RuleCounts) -> String {
    let start = nth.flatMap { $0 > counts.hits + 1 ? "from match \($0) on, " : nil } ?? ""
    guard let rest = rest(after: counts) else { return start + "until stopped" }
    return rest == 0 ? "used up" : start + "\(rest) \(rest == 1 ? "time" : "times") more"
  }
}
