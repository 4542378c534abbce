import Basics

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
    /// False for a hop that was due and never came, such as that of a lost text to its phone.
    var hasHappened = true

    var isAnswer: Bool { tone == .answer || from.rawValue > to.rawValue }
  }

  enum Row {
    /// Steps are numbered from 1.
    case step(Step, number: Int)
    /// Several requests in a row that failed for one reason, with the answers to them.
    case repeated(ArraySlice<Step>, words: String, number: Int)
    /// Much time passed; `until`: the time of what follows.
    case pause(String, until: Timestamp)
    /// Something that nobody sent.
    case note(String, at: Timestamp)
  }

  let provider: String
  let rows: [Row]
  /// In the order of their numbers, from 1.
  let steps: [Step]
  /// Those that occur, with their names.
  let lanes: [(lane: Lane, name: String)]

  /// Shorter pauses are not mentioned.
  private static let shortestPause = Duration.seconds(60)
  /// The most steps and notes.
  private static let limit = 300

  init(of history: History, title: (String) -> String) {
    var rows: [Row] = []
    var steps: [Step] = []
    var last = history.subject.createdAt
    let items = DiagramItems(history).sorted
    if let first = items.suffix(Self.limit).first, items.count > Self.limit {
      rows.append(.note("\(items.count - Self.limit) earlier steps are not shown", at: first.at))
      last = first.at
    }
    for item in items.suffix(Self.limit) {
      if item.at - last >= Self.shortestPause {
        let pause = "\((item.at - last).inWords) pass"
        rows.append(
          .pause(history.isClockFrozen ? "\(pause): the clock was moved" : pause, until: item.at))
      }
      last = max(last, item.at)
      switch item.content {
      case .step(let step):
        steps.append(step)
        rows.append(.step(step, number: steps.count))
      case .note(let text): rows.append(.note(text, at: item.at))
      }
    }
    (self.rows, self.steps) = (Self.folded(rows, steps), steps)
    provider = history.subject.provider
    let used = Set(steps.flatMap { [$0.from, $0.to] })
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

  /// The fewest that are folded.
  private static let shortestFold = 3

  /// The rows, with requests that fail again and again in one row.
  private static func folded(_ rows: [Row], _ steps: [Step]) -> [Row] {
    var folded: [Row] = []
    var place = 0
    while place < rows.count {
      let count = repeats(at: place, in: rows)
      if count >= shortestFold, case .step(let first, let number) = rows[place] {
        let all = steps[(number - 1)..<(number - 1 + 2 * count)]
        let words = all.compactMap(\.reason).sharedBeginning ?? "\(first.text): \(all[number].text)"
        folded.append(.repeated(all, words: "\(count) × \(words)", number: number))
        place += 2 * count
      } else {
        folded.append(rows[place])
        place += 1
      }
    }
    return folded
  }

  /// How many pairs of a request and a failed answer in a row begin here, all to one operation.
  private static func repeats(at place: Int, in rows: [Row]) -> Int {
    var count = 0
    var next = place
    while next + 1 < rows.count, let operation = failedOperation(next, rows),
      operation == failedOperation(place, rows)
    {
      count += 1
      next += 2
    }
    return count
  }

  /// What a failed request asked for, with the answer that it got.
  private static func failedOperation(_ place: Int, _ rows: [Row]) -> String? {
    guard case .step(let request, _) = rows[place], case .step(let answer, _) = rows[place + 1],
      case .request? = request.target, request.target == answer.target, answer.tone == .failed,
      answer.injected == nil
    else { return nil }
    return "\(request.text.prefix { $0 != " " }) \(answer.text)"
  }

  func step(_ number: Int) -> Step? {
    number >= 1 && number <= steps.count ? steps[number - 1] : nil
  }

  func name(of lane: Lane) -> String { lanes.first { $0.lane == lane }?.name ?? "" }
}

extension Diagram.Row {
  /// That of its beginning.
  var at: Timestamp {
    switch self {
    case .step(let step, _): step.at
    case .repeated(let steps, _, _): steps.first?.at ?? .earliest
    case .note(_, let at): at
    case .pause(_, let next): next
    }
  }

  var isFailed: Bool {
    switch self {
    case .step(let step, _): step.tone == .failed
    case .repeated: true
    case .note, .pause: false
    }
  }
}

extension [String] {
  /// The words with which all begin, such as `Wrong code`; nil if they have none in common.
  fileprivate var sharedBeginning: String? {
    guard let first else { return nil }
    let all = map { $0.split(separator: " ") }
    let words = first.split(separator: " ").enumerated().prefix { place, word in
      all.allSatisfy { $0.indices.contains(place) && $0[place] == word }
    }
    let shared = words.map { String($0.element) }.joined(separator: " ")
    let clause = shared.prefix { !":.;,".contains($0) }
    return clause.isEmpty ? nil : String(clause)
  }
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
