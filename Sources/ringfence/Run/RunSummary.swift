import Control

/// A run in a few lines: messages sent, requests rejected and why, requests that are not emulated, request
/// fields ignored, rules that never acted, and what chaos did.
struct RunSummary {
  private var requests = 0
  private var sent = Tally()
  private var rejected = Tally()
  private var notEmulated = Tally()
  private var ignoredFields = Tally()
  private var idleRules = Tally()
  private var chaos = Tally()
  private var notCalled = Tally()
  private var unreachedPackages = Tally()
  /// The providers of the requests.
  private var called: Set<String> = []
  /// True if requests have left the journal.
  private var isIncomplete = false

  /// The name of the run's own sandbox. Lines about others end with their name.
  private let ownName: String

  init(of ownName: String = Sandboxes.defaultName) { self.ownName = ownName }

  /// Adds what happened in a sandbox. Requests that have left the journal are only counted. `newestBefore` is
  /// the newest ordinal before the run.
  mutating func add(_ sandbox: Sandbox, after newestBefore: Int = 0) throws {
    let name = sandbox.name == ownName ? "" : "[\(sandbox.name)]"
    var filter = Messages.Filter()
    filter.after = newestBefore
    for message in try sandbox.messages.submitted(filter, limit: .max) {
      add(message, in: name, problem: try sandbox.messages.problem(with: message))
    }
    for kind in RuleKinds.all { try addIdle(kind, of: sandbox, in: name) }
    if let run = try sandbox.chaos.latest { add(run, in: name) }
    let exchanges = sandbox.journal.exchanges
    for exchange in exchanges { add(exchange, in: name) }
    let forgotten = (exchanges.first?.ordinal ?? 1) - 1
    requests += forgotten
    if forgotten > 0 { isIncomplete = true }
  }

  /// Adds the providers without a request, of those for which there are the user's own credentials. Most
  /// likely, their clients have called somebody else.
  mutating func addNotCalled(_ expected: [(provider: String, variable: String)], advice: String) {
    guard !isIncomplete else { return }
    for (provider, variable) in expected where !called.contains(provider) {
      notCalled.add([provider, "your \(variable) is set, and no request came", advice])
    }
  }

  /// Adds the rules that never acted: most likely, they do not match what they were meant for.
  private mutating func addIdle<Content: Rule>(
    _ kind: Content.Type, of sandbox: Sandbox, in name: String
  ) throws {
    for (position, rule) in try Content.rules(of: sandbox).all.enumerated() where rule.counts.applied == 0 {
      idleRules.add([
        "\(Content.noun) \(position + 1)", rule.rule.effect, "hits: \(rule.counts.hits)", name,
      ])
    }
  }

  private mutating func add(_ run: ChaosRun, in sandbox: String) {
    let total = run.failures.values.reduce(0, +)
    chaos.add(["seed \(run.chaos.seed): \(total) of \(run.chances.counted("chance"))", sandbox])
    for (id, count) in run.failures.sorted(by: { $0.key < $1.key }) {
      chaos.add(["\(count) × \(id)", sandbox])
    }
  }

  /// Adds clients that `run` does not reach, unless requests to their provider came.
  mutating func add(_ packages: [UnreachedPackage]) {
    for each in packages where each.client.provider.map(called.contains) != true {
      unreachedPackages.add([each.file, each.client.package ?? each.client.name, each.advice])
    }
  }

  mutating func add(_ message: Message, in sandbox: String = "", problem: String? = nil) {
    sent.add([
      message.provider, message.channel.rawValue, message.destination,
      message.code.map { "code \($0)" } ?? "\"\(message.text.shortened(to: 40))\"",
      problem ?? "", sandbox,
    ])
  }

  mutating func add(_ exchange: Journal.Exchange, in sandbox: String = "") {
    requests += 1
    called.insert(exchange.method == "TLS" ? ProviderHosts.provider(of: exchange.target) : exchange.owner)
    let target = Masking.common.target(exchange.target).shortened(to: 60)
    let name =
      exchange.owner.isEmpty ? [exchange.method, target] : [exchange.owner, exchange.route ?? target]
    if exchange.isNotEmulated {
      notEmulated.add([
        exchange.method, target, exchange.nearest.first.map { "similar: \($0)" } ?? "", sandbox,
      ])
    } else if exchange.hasFailed {
      let status = exchange.status == 0 ? "" : String(exchange.status)
      rejected.add(name + [status, exchange.why?.shortened(to: 240) ?? "", sandbox])
    }
    if !exchange.unread.isEmpty {
      ignoredFields.add(name + [exchange.unread.joined(separator: ", "), sandbox])
    }
  }

  /// `unreached` is the message if no request came.
  func lines(unreached: String) -> [String] {
    guard requests > 0 || !sent.isEmpty else {
      return ["ringfence: \(unreached)"] + unreachedPackages.section("not reached")
    }
    let counts = [
      requests.counted("request"), "\(sent.total.counted("message")) sent", "\(rejected.total) rejected",
      "\(notEmulated.total) not emulated",
    ]
    return ["ringfence: \(counts.joined(separator: ", "))"]
      + sent.section("sent") + rejected.section("rejected")
      + notEmulated.section("not emulated") + notCalled.section("not called")
      + unreachedPackages.section("not reached")
      + ignoredFields.section("ignored fields")
      + idleRules.section("rules that never acted") + chaos.section("chaos")
  }
}

extension RunSummary {
  /// Rows of cells with their number of occurrences.
  private struct Tally {
    /// How many rows are shown.
    private static let limit = 20

    private var rows: [(cells: [String], count: Int)] = []
    private var indices: [[String]: Int] = [:]

    var isEmpty: Bool { rows.isEmpty }

    var total: Int { rows.reduce(0) { $0 + $1.count } }

    mutating func add(_ texts: [String]) {
      let cells = texts.map(\.onOneLine)
      let index = indices[cells] ?? rows.count
      if index == rows.count {
        indices[cells] = index
        rows.append((cells, 0))
      }
      rows[index].count += 1
    }

    /// A heading and the rows with aligned columns; empty without rows.
    func section(_ heading: String) -> [String] {
      guard !rows.isEmpty else { return [] }
      let shown = rows.prefix(Self.limit).map { [$0.count > 1 ? "\($0.count) ×" : ""] + $0.cells }
      let widths = shown.reduce(into: [Int](repeating: 0, count: shown[0].count)) { widths, cells in
        for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.count) }
      }
      let lines = shown.map { cells in
        zip(cells, widths).reduce("   ") { $1.1 == 0 ? $0 : "\($0) \($1.0.padded(to: $1.1)) " }
          .withoutTrailingSpaces
      }
      let rest = rows.count - shown.count
      return ["  \(heading)"] + lines + (rest > 0 ? ["    and \(rest) more"] : [])
    }
  }
}
