import Basics
import Database
package import JSON

/// Failures at random: the same ones for the same seed.
package struct Chaos: Equatable, Sendable {
  /// The share of requests, messages, calls, silent verifications and webhooks that fail.
  package var rate = 0.0
  package var seed = 1

  package init() {}

  package static let schema = Schema<Chaos>(
    "Chaos", "Failures at random.",
    [
      .required(
        "rate", \.rate, .number(0...1),
        "The share of requests, messages, calls, silent verifications and webhooks that fail."),
      .field(
        "seed", \.seed, .integer(0...1_000_000_000), default: 1, "The same seed brings the same failures."),
    ])
}

/// The failures from which chaos chooses.
package struct ChaosTable: Sendable {
  package typealias Entries<Content: Rule> = [(id: String, rule: Content)]

  fileprivate let faults: Entries<Fault>
  fileprivate let scenarios: Entries<Scenario>
  fileprivate let webhookFaults: Entries<WebhookFault>

  package init(
    faults: Entries<Fault> = [], scenarios: Entries<Scenario> = [],
    webhookFaults: Entries<WebhookFault> = []
  ) {
    self.faults = faults
    // An outage holds texts until its rule is removed, which chaos does not do.
    self.scenarios = scenarios.filter { !$0.rule.isOutage }
    self.webhookFaults = webhookFaults
  }
}

extension Fault {
  package static func chaos(in table: ChaosTable) -> ChaosTable.Entries<Fault> { table.faults }
}

extension Scenario {
  package static func chaos(in table: ChaosTable) -> ChaosTable.Entries<Scenario> { table.scenarios }
}

extension WebhookFault {
  package static func chaos(in table: ChaosTable) -> ChaosTable.Entries<WebhookFault> { table.webhookFaults }
}

/// The chaos of a sandbox, and what it has done.
package struct ChaosRun: Equatable, Sendable {
  package let chaos: Chaos
  /// False when it has ended.
  package fileprivate(set) var isOn = true
  /// How often something could fail.
  package fileprivate(set) var chances = 0
  /// The failures so far, by id.
  package fileprivate(set) var failures: [String: Int] = [:]

  /// What there is before the first chaos.
  package static let none = ChaosRun(Chaos(), isOn: false)

  fileprivate init(_ chaos: Chaos, isOn: Bool = true, chances: Int = 0, failures: [String: Int] = [:]) {
    self.chaos = chaos
    self.isOn = isOn
    self.chances = chances
    self.failures = failures
  }
}

/// Starts, ends and applies the chaos of a sandbox.
package struct ChaosMonkey {
  let sandbox: Sandbox

  /// Nil if there is no chaos.
  package var run: ChaosRun? {
    get throws { try latest.flatMap { $0.isOn ? $0 : nil } }
  }

  /// The present chaos, or the last one; nil if there was none.
  package var latest: ChaosRun? {
    get throws {
      if let run = sandbox.derived.chaosRun { return run }
      let run = try load()
      sandbox.derived.chaosRun = .some(run)
      return run
    }
  }

  /// Begins again with the first failure.
  package func start(_ chaos: Chaos) throws {
    sandbox.derived.hasRequestRules = nil
    try save(ChaosRun(chaos))
  }

  /// What it has done is kept.
  package func end() throws {
    guard var run = try run else { return }
    sandbox.derived.hasRequestRules = nil
    run.isOn = false
    try save(run)
  }

  /// The failure of something that could fail now; nil if it does not. `matches` tells which rules are about
  /// it.
  func choose<Content: Rule>(where matches: (Content) throws -> Bool) throws -> ActingRule<Content>? {
    guard var run = try run else { return nil }
    let possible = try Content.chaos(in: sandbox.shared.settings.chaos()).enumerated()
      .filter { try matches($0.element.rule) }
    guard !possible.isEmpty else { return nil }
    run.chances += 1
    let label = "chaos \(run.chaos.seed)"
    let fails = sandbox.entropy.chance(label, run.chances) < run.chaos.rate
    let share = sandbox.entropy.chance("\(label) choice", run.chances)
    let (position, entry) = possible[min(Int(share * Double(possible.count)), possible.count - 1)]
    if fails { run.failures[entry.id, default: 0] += 1 }
    try save(run)
    return fails ? ActingRule(rule: entry.rule, number: position + 1, origin: .chaos) : nil
  }

  // The only row of its kind among the rules: `hits` are the chances.

  private func load() throws -> ChaosRun? {
    try sandbox.database.first(
      "SELECT record, hits FROM rules WHERE sandbox = ? AND kind = 'chaos'", sandbox.id
    ) { row in
      let fields = try Fields(Array(row.text(0).utf8))
      var chaos = Chaos()
      try Chaos.schema.merge(fields, into: &chaos)
      let failures = try fields.object("failures")
      return ChaosRun(
        chaos, isOn: try fields.optionalBool("on") ?? true, chances: row.int(1),
        failures: try failures.names.reduce(into: [:]) { $0[$1] = try failures.int($1) })
    }
  }

  private func save(_ run: ChaosRun) throws {
    sandbox.derived.chaosRun = .some(run)
    let record = JSONWriter.object { json in
      Chaos.schema.write(run.chaos, to: &json)
      json.member("on", run.isOn)
      json.object("failures") { json in
        for (id, count) in run.failures.sorted(by: { $0.key < $1.key }) { json.member(named: id, count) }
      }
    }
    try sandbox.database.run(
      """
      INSERT OR REPLACE INTO rules (sandbox, kind, position, record, hits, applied, origin)
      VALUES (?, 'chaos', 0, ?, ?, ?, 'chaos')
      """,
      sandbox.id, String(decoding: record, as: UTF8.self), run.chances,
      run.failures.values.reduce(0, +))
  }
}
