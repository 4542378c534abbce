import Domain

/// What happened in a verification: who sent what to whom, in the order of time.
struct Diagram {
  /// Who takes part, from left to right.
  enum Lane: Int, CaseIterable {
    case app
    case provider
    case network
    case phone
    case receiver
  }

  /// One arrow.
  struct Step {
    enum Tone {
      case plain
      /// The reaction to an earlier arrow.
      case answer
      /// A message with a code.
      case code
      case failed
    }

    /// What a page shows about the arrow.
    enum Target: Equatable {
      case request(Int)
      case webhook(Int, attempt: Int)
      case message(Int)
    }

    let at: Timestamp
    let from: Lane
    let to: Lane
    let text: String
    var tone = Tone.plain
    /// Why it failed.
    var reason: String?
    /// The rule that caused it on purpose: `fault 1 answers 500`.
    var injected: String?
    var target: Target?

    var isAnswer: Bool { tone == .answer || from.rawValue > to.rawValue }
  }

  enum Row {
    /// Steps are numbered from 1.
    case step(Step, number: Int)
    /// Much time passed.
    case pause(String)
    /// Something that nobody sent.
    case note(String, at: Timestamp)
  }

  let provider: String
  let rows: [Row]
  /// Those that occur, with their names.
  let lanes: [(lane: Lane, name: String)]

  /// In milliseconds: shorter pauses are not mentioned.
  private static let shortestPause = Duration.seconds(60)

  init(of history: History, title: (String) -> String) {
    var rows: [Row] = []
    var (number, last) = (0, history.subject.createdAt)
    for item in DiagramItems(history).sorted {
      if item.at - last >= Self.shortestPause {
        let pause = "\((item.at - last).inWords) pass"
        rows.append(.pause(history.isClockFrozen ? "\(pause): the clock was moved" : pause))
      }
      last = max(last, item.at)
      switch item.content {
      case .step(let step):
        number += 1
        rows.append(.step(step, number: number))
      case .note(let text): rows.append(.note(text, at: item.at))
      }
    }
    self.rows = rows
    provider = history.subject.provider
    let used = Set(rows.compactMap(\.step).flatMap { [$0.from, $0.to] })
    lanes = Lane.allCases.filter(used.contains).map { lane in
      switch lane {
      case .app: (lane, "Your app")
      case .provider: (lane, title(history.subject.provider))
      case .network: (lane, history.operatorName ?? "Operator")
      case .phone: (lane, history.operatorName == nil ? "Person" : "Phone")
      case .receiver: (lane, "Your webhook")
      }
    }
  }

  var steps: [(step: Step, number: Int)] {
    rows.compactMap { if case .step(let step, let number) = $0 { (step, number) } else { nil } }
  }

  func step(_ number: Int) -> Step? { steps.first { $0.number == number }?.step }

  func name(of lane: Lane) -> String { lanes.first { $0.lane == lane }?.name ?? "" }
}

extension Diagram.Row {
  /// Nil for a pause.
  var at: Timestamp? {
    switch self {
    case .step(let step, _): step.at
    case .note(_, let at): at
    case .pause: nil
    }
  }

  fileprivate var step: Diagram.Step? { if case .step(let step, _) = self { step } else { nil } }
}

extension Duration {
  /// `200 ms`, `5 s`, `4 min 20 s`, `2 h`, `3 d 1 h`
  var inWords: String {
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
    var rest = wholeSeconds
    var parts: [String] = []
    for (unit, size) in units where rest >= size && parts.count < 2 {
      parts.append("\(rest / size) \(unit)")
      rest %= size
    }
    return parts.joined(separator: " ")
  }
}
