import Domain
import JSON
import Markup

/// A fault or a scenario that is active.
struct RunningRule {
  /// The name of its list in the control API: `faults` or `scenarios`.
  private let list: String
  /// The rules of the list as JSON, and the position of this one.
  private let rules: [String]
  private let position: Int

  static func all(in sandbox: Sandbox) throws -> [RunningRule] {
    try all("faults", sandbox.faults.all) + all("scenarios", sandbox.scenarios.all)
  }

  private static func all<Content: Rule>(_ list: String, _ rules: [CountedRule<Content>]) -> [RunningRule] {
    guard !rules.isEmpty else { return [] }
    let encoded = rules.map { rule in
      String(decoding: JSONWriter.object { CountedRule<Content>.schema.write(rule, to: &$0) }, as: UTF8.self)
    }
    return encoded.indices.map { RunningRule(list: list, rules: encoded, position: $0) }
  }

  /// `2 faults; 1 scenario`
  static func count(_ rules: [RunningRule]) -> String {
    let counts = ["faults", "scenarios"].map { list in (list, rules.count { $0.list == list }) }
    return counts.filter { $0.1 > 0 }.map { list, count in
      "\(count) \(count == 1 ? String(list.dropLast()) : list)"
    }.joined(separator: "; ")
  }

  func html(_ layout: Layout) -> HTML {
    var others = rules
    others.remove(at: position)
    return li {
      code { rules[position] }
      ActionButton(
        "Stop", put: layout.url("/control/\(list)"), #"{"\#(list)":[\#(others.joined(separator: ","))]}"#
      ).html
    }
  }
}
