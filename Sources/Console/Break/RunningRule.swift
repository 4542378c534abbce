import Domain
import JSON
import Markup

/// A fault, a scenario or a webhook fault that is active.
struct RunningRule {
  /// The failure's effect, for people who do not know the control API.
  let text: String
  private let list: List
  /// The rules of the list as JSON, and the position of this one.
  private let rules: [String]
  private let position: Int

  static func all(in sandbox: Sandbox) throws -> [RunningRule] {
    try all(.faults, sandbox.faults.all) + all(.scenarios, sandbox.scenarios.all)
      + all(.webhookFaults, sandbox.webhookFaults.all)
  }

  /// A list of rules in the control API, by the name of its member.
  enum List: String, CaseIterable {
    case faults
    case scenarios
    case webhookFaults

    /// The path of its operations.
    var path: String {
      switch self {
      case .faults, .scenarios: "/control/\(rawValue)"
      case .webhookFaults: "/control/webhooks/faults"
      }
    }
  }

  private static func all<Content: Rule>(_ list: List, _ rules: [CountedRule<Content>]) -> [RunningRule] {
    guard !rules.isEmpty else { return [] }
    let encoded = rules.map { rule in
      String(decoding: JSONWriter.object { CountedRule<Content>.schema.write(rule, to: &$0) }, as: UTF8.self)
    }
    return rules.enumerated().map { position, rule in
      let extent = rule.rule.occurrences.extent(rule.counts)
      return RunningRule(
        text: "\(rule.rule.effect), \(extent)", list: list, rules: encoded, position: position)
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
        "Stop", put: layout.url(list.path), #"{"\#(list.rawValue)":[\#(others.joined(separator: ","))]}"#
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
