import Domain

/// What came of a run, in a few lines: what was sent, what was refused and why, which fields nobody read.
struct RunSummary {
  private var requests = 0
  private var sent = Tally()
  private var refused = Tally()
  private var unread = Tally()

  /// A summary of nothing.
  init() {}

  /// What happened in a run's own sandbox and in others, which are named. Of requests that the journal has forgotten
  /// only the number is told.
  init(of own: Sandbox, beside others: [Sandbox] = []) throws {
    for sandbox in [own] + others.filter({ $0 !== own }) {
      let world = sandbox === own ? "" : "[\(sandbox.name)]"
      for message in try sandbox.messages.submitted(.init(), limit: .max) { add(message, in: world) }
      let exchanges = sandbox.journal.exchanges
      for exchange in exchanges { add(exchange, in: world) }
      requests += (exchanges.first?.ordinal ?? 1) - 1
    }
  }

  /// Counts a message.
  mutating func add(_ message: Message, in world: String = "") {
    sent.add([
      message.provider, message.channel.rawValue, message.destination,
      message.code.map { "code \($0)" } ?? "\"\(message.text.shortened(to: 40))\"",
      message.receipts.all.last?.state.loss ?? "", world,
    ])
  }

  /// Counts a request with its answer.
  mutating func add(_ exchange: Journal.Exchange, in world: String = "") {
    requests += 1
    let target = exchange.target.shortened(to: 60)
    let name =
      exchange.owner.isEmpty ? [exchange.method, target] : [exchange.owner, exchange.route ?? target]
    if exchange.isRefused {
      let status = exchange.status == 0 ? "" : String(exchange.status)
      refused.add(name + [status, exchange.why?.shortened(to: 160) ?? "", world])
    }
    if !exchange.unread.isEmpty { unread.add(name + [exchange.unread.joined(separator: ", "), world]) }
  }

  /// The lines; `unreached` is what to say where no request came.
  func lines(unreached: String) -> [String] {
    guard requests > 0 || !sent.isEmpty else { return ["ringfence: \(unreached)"] }
    let counts = [
      requests.counted("request"), "\(sent.total.counted("message")) sent", "\(refused.total) refused",
    ]
    return ["ringfence: \(counts.joined(separator: ", "))"]
      + sent.section("sent") + refused.section("refused") + unread.section("fields that nobody read")
  }
}

extension RunSummary {
  /// Rows of cells, each with how often it came.
  private struct Tally {
    /// How many rows are shown; the rest is counted.
    private static let limit = 20

    private var rows: [(cells: [String], count: Int)] = []
    private var places: [[String]: Int] = [:]

    var isEmpty: Bool { rows.isEmpty }

    var total: Int { rows.reduce(0) { $0 + $1.count } }

    mutating func add(_ cells: [String]) {
      let place = places[cells] ?? rows.count
      if place == rows.count {
        places[cells] = place
        rows.append((cells, 0))
      }
      rows[place].count += 1
    }

    /// A heading and the rows, each column as wide as its widest cell; nothing where there are no rows.
    func section(_ heading: String) -> [String] {
      guard !rows.isEmpty else { return [] }
      let shown = rows.prefix(Self.limit).map { [$0.count > 1 ? "\($0.count) ×" : ""] + $0.cells }
      let widths = shown.reduce(into: [Int](repeating: 0, count: shown[0].count)) { widths, cells in
        for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.count) }
      }
      let lines = shown.map { cells in
        zip(cells, widths).reduce("   ") { $1.1 == 0 ? $0 : "\($0) \($1.0.padded(to: $1.1)) " }.withoutEnd
      }
      let rest = rows.count - shown.count
      return ["  \(heading)"] + lines + (rest > 0 ? ["    and \(rest) more"] : [])
    }
  }
}

extension Journal.Exchange {
  /// Whether the answer says no, or none was given.
  fileprivate var isRefused: Bool { status == 0 || status >= 400 }
}

extension DeliveryReceipt.State {
  /// What to call it where the message was lost.
  fileprivate var loss: String? {
    switch self {
    case .accepted, .enroute, .delivered, .read: nil
    case .expired: "expired"
    case .undeliverable: "undeliverable"
    case .rejected: "rejected"
    case .refused: "refused"
    }
  }
}

extension String {
  /// On one line, and cut where it is longer; what a terminal would obey is not passed on.
  fileprivate func shortened(to limit: Int) -> String {
    let line = String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    return line.count > limit ? "\(line.prefix(limit - 1))…" : line
  }

  fileprivate var withoutEnd: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
