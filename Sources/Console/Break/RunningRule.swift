import Control
import Markup
import ProviderKit

/// A rule that is active, such as a fault or a scenario, or chaos.
struct RunningRule {
  /// The failure's effect, for people who do not know the control API.
  let text: String
  /// As reasons name it: `webhook fault 1`; empty for chaos.
  let name: String
  /// The name of the list in the control API, and the path of its operations.
  private let list: String
  private let path: String
  /// The rules of the list as JSON, and the position of this one; empty for chaos.
  private let rules: [String]
  private let position: Int
  /// The number of times that it acted.
  private let applied: Int
  /// True if it will not act again.
  let isUsedUp: Bool
  /// Its failure in the table; nil if the table has none like it.
  let failure: Failure?
  /// The only provider with whom it acts; nil for all.
  let provider: String?

  static func all(in sandbox: Sandbox) throws -> [RunningRule] {
    try RuleKinds.all.flatMap { try all(of: $0, in: sandbox) }
      + [sandbox.chaos.run.map(RunningRule.init)].compactMap(\.self)
  }

  private init(_ chaos: ChaosRun) {
    text =
      "chaos: \(chaos.chaos.rate.inPercent) % of requests, messages and webhooks fail, seed \(chaos.chaos.seed)"
    (name, list, path, rules, position) = ("", "", ControlAPI.chaosPath, [], 0)
    (failure, provider) = (nil, nil)
    applied = chaos.failures.values.reduce(0, +)
    isUsedUp = false
  }

  private init(
    effect: String, extent: String, noun: String, list: String, path: String, rules: [String], position: Int,
    applied: Int, isUsedUp: Bool
  ) {
    name = "\(noun) \(position + 1)"
    self.list = list
    self.path = path
    self.rules = rules
    self.position = position
    self.applied = applied
    self.isUsedUp = isUsedUp
    let json = try? JSON(parsing: Array(rules[position].utf8))
    failure = json.flatMap { FailureMatch.failure(of: $0, in: list) }
    provider =
      if case .string(let name)? = json.flatMap({ ($0["match"] ?? $0)["provider"] }) { name } else { nil }
    let words = effect.split(separator: " ", omittingEmptySubsequences: false).map { [provider] word in
      String(word) == provider ? ProviderMark.title(of: String(word)) : String(word)
    }
    text = "\(words.joined(separator: " ")), \(extent)"
  }

  /// Of its line on *Break*.
  var id: String { "rule-\(name.isEmpty ? "chaos" : name.replacing(" ", with: "-"))" }

  /// True if it acts with a provider; nil: with any.
  func concerns(_ provider: String?) -> Bool {
    provider == nil || self.provider == nil || self.provider == provider
  }

  private static func all<Content: Rule>(of kind: Content.Type, in sandbox: Sandbox) throws -> [RunningRule] {
    let rules = try Content.rules(of: sandbox).all
    guard !rules.isEmpty else { return [] }
    let encoded = rules.map { rule in
      JSONWriter.text { CountedRule<Content>.schema.write(rule, to: &$0) }
    }
    return rules.enumerated().map { position, rule in
      RunningRule(
        effect: rule.rule.effect, extent: rule.rule.occurrences.extent(rule.counts), noun: Content.noun,
        list: Content.listName, path: Content.controlPath, rules: encoded, position: position,
        applied: rule.counts.applied, isUsedUp: rule.rule.occurrences.rest(after: rule.counts) == 0)
    }
  }

  /// The first two rules, and how many more there are.
  static func summary(_ rules: [RunningRule]) -> String {
    let shown = 2
    let rest = rules.count - shown
    return rules.prefix(shown).map { $0.text.shortened(to: 60) }.joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
  }

  /// `hit 3 times`
  var hitsInWords: String {
    switch applied {
    case 0: "not hit yet"
    case 1: "hit once"
    default: "hit \(applied) times"
    }
  }

  func html(_ layout: Layout) -> HTML {
    li(.id(id)) {
      span { "\(text): \(hitsInWords)" }
      stopButton(isUsedUp ? "Remove" : "Stop", layout)
    }
  }

  func stopButton(_ name: String, _ layout: Layout) -> HTML { stop(name, layout).html }

  /// The same as a switch that is on.
  func switchOff(_ name: String, _ layout: Layout) -> HTML {
    var button = stop(name, layout)
    button.isSwitch = true
    return button.html
  }

  private func stop(_ name: String, _ layout: Layout) -> ActionButton {
    rules.isEmpty
      ? ActionButton(name, delete: [layout.url(path)])
      : ActionButton(name, put: layout.url(path), otherRules)
  }

  /// The list without this rule.
  private var otherRules: String {
    var others = rules
    others.remove(at: position)
    return #"{"\#(list)":[\#(others.joined(separator: ","))]}"#
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

extension Double {
  /// `2`, `0.5`
  fileprivate var inPercent: String {
    let text = String(self * 100)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
