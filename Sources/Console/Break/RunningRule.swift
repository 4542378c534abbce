import Domain
import JSON
import Markup

/// A fault or a scenario that is active.
struct RunningRule {
  /// The failure's effect, for people who do not know the control API.
  let text: String
  /// The name of its list in the control API: `faults` or `scenarios`.
  private let list: String
  /// The rules of the list as JSON, and the position of this one.
  private let rules: [String]
  private let position: Int

  static func all(in sandbox: Sandbox) throws -> [RunningRule] {
    try all("faults", sandbox.faults.all, \.inWords) + all("scenarios", sandbox.scenarios.all, \.inWords)
  }

  private static func all<Content: Rule>(
    _ list: String, _ rules: [CountedRule<Content>], _ words: (Content) -> String
  ) -> [RunningRule] {
    guard !rules.isEmpty else { return [] }
    let encoded = rules.map { rule in
      String(decoding: JSONWriter.object { CountedRule<Content>.schema.write(rule, to: &$0) }, as: UTF8.self)
    }
    return rules.enumerated().map { position, rule in
      let extent = rule.rule.occurrences.extent(rule.counts)
      return RunningRule(
        text: "\(words(rule.rule)), \(extent)", list: list, rules: encoded, position: position)
    }
  }

  /// The first few rules in one sentence.
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
        "Stop", put: layout.url("/control/\(list)"), #"{"\#(list)":[\#(others.joined(separator: ","))]}"#
      ).html
    }
  }
}

extension Fault {
  /// `twilio answers 500 for +12025550100`
  fileprivate var inWords: String {
    let who = [provider ?? "every provider", route].compactMap(\.self).joined(separator: " ")
    return "\(who) \(effects.joined(separator: " and "))\(number.map { " for \($0)" } ?? "")"
  }

  private var effects: [String] {
    var effects: [String] = []
    if let status { effects.append("answers \(status)") }
    if let code { effects.append("fails with \(code)") }
    if let retryAfter { effects.append("asks to retry after \(retryAfter) s") }
    if let latency { effects.append("takes \(latency.milliseconds) ms longer") }
    switch damage {
    case .reset: effects.append("drops the connection")
    case .truncate: effects.append("sends half of the answer")
    case .garble: effects.append("sends an answer that is not JSON")
    case nil: break
    }
    return effects
  }
}

extension Scenario {
  /// `sms of twilio to +12025550100: lost`
  fileprivate var inWords: String {
    let subject = [
      channel.map(\.rawValue) ?? "messages and calls", provider.map { "of \($0)" },
      sender.map { "from \($0)" },
      number.map { "to \($0)" },
    ].compactMap(\.self).joined(separator: " ")
    let delay = after.map { " (\($0.milliseconds) ms)" } ?? ""
    return "\(subject): \(Self.words[outcome] ?? outcome)\(delay)"
  }

  private static let words = [
    "slow": "late", "undeliverable": "lost", "noReceipt": "no receipt",
    "lostButDelivrd": "lost, reported as delivered",
    "duplicate": "twice", "filtered": "taken for spam", "garbled": "garbled",
    "voicemail": "a machine answers",
    "noAnswer": "nobody answers", "absent": "held until the handset is back", "reject": "rejected",
    "memoryFull": "no room on the handset", "answerHangup": "the person hangs up",
  ]
}

extension Occurrences {
  /// `until stopped`, `2 times more`, `from the 3rd on`
  fileprivate func extent(_ counts: RuleCounts) -> String {
    let limit = times ?? (nth == nil ? nil : 1)
    let start = nth.flatMap { $0 > counts.hits + 1 ? "from match \($0) on, " : nil } ?? ""
    guard let limit else { return start + "until stopped" }
    let rest = max(0, limit - counts.applied)
    return rest == 0 ? "used up" : start + "\(rest) \(rest == 1 ? "time" : "times") more"
  }
}
