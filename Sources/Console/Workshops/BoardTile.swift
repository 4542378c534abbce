import Markup
import ProviderKit

struct BoardTile {
  private let participant: Participant
  private let tasks: [StoryTask]
  private let standing: Standing
  private let now: Timestamp

  init(_ participant: Participant, _ tasks: [StoryTask], at now: Timestamp) {
    self.participant = participant
    self.tasks = tasks
    standing = participant.standing(at: now)
    self.now = now
  }

  /// The place on the board: who is stuck comes first, the longest of them at the front. The script sorts by
  /// this number, too.
  var rank: Int64 {
    // More milliseconds than any timestamp has.
    let group = Int64(standing.rawValue) * 1_000_000_000_000_000
    let openedAt = participant.currentResult?.openedAt?.milliseconds ?? 0
    return group + (standing == .stuck ? openedAt : Int64(participant.position))
  }

  var html: HTML {
    let due = standing == .working ? participant.stuckAt.map { String($0.milliseconds) } : nil
    return article(
      .id("participant-\(participant.position)"), .class("tile \(standing)"),
      .init("data-rank", String(rank)),
      .init("data-due", ifPresent: due)
    ) {
      div(.class("name")) {
        SelectionBox(participant).html
        h2 { a(.href("/s/\(participant.sandboxName)/")) { participant.name } }
        span(.class("since")) { since }
      }
      steps
      p(.class("says"), .title(sentence)) {
        strong { heading }
        " "
        // Where a tile is small, in place of the heading and beside the time.
        if standing == .stuck { span(.class("word")) { "Stuck. " } }
        sentence
      }
    }
  }

  private var steps: HTML {
    span(
      .class("steps"), .init("role", "img"),
      .label("\(participant.current) of \(tasks.count) tasks are done")
    ) {
      for index in tasks.indices {
        span(.class(name(ofStep: index))) {}
      }
    }
  }

  private func name(ofStep index: Int) -> String {
    if index < participant.current { return "on" }
    return index == participant.current && standing != .notStarted ? "at" : ""
  }

  @HTMLBuilder private var since: HTML {
    switch standing {
    case .finished: "done"
    case .notStarted: ""
    case .stuck, .silent, .working:
      if standing == .stuck { span(.class("word")) { "stuck " } }
      if let result = participant.currentResult, let openedAt = result.openedAt {
        span(.class("minutes"), .init("data-since", String(openedAt.milliseconds))) {
          "\(result.minutes(at: now) ?? 0) min"
        }
      }
    }
  }

  private var heading: String {
    switch standing {
    case .finished: "Finished"
    case .notStarted: "Not started"
    case .silent: "Joined, but sent nothing"
    case .stuck, .working: tasks[participant.current].title
    }
  }

  /// What keeps them, so that somebody can help.
  private var sentence: String {
    guard let result = participant.currentResult else {
      let end = participant.results.compactMap(\.doneAt).max()
      return "all \(tasks.count) tasks" + (end.map { " at \(minute($0))" } ?? "")
    }
    if let refusal = result.refusal {
      let reason = refusal.sentence.withTimes(at: now)
      let newest =
        refusal.kind == .beforeFailure ? "The newest answer was broken on purpose. Before it:" : nil
      let way = refusal.shortWayOut(of: tasks[participant.current], in: tasks)
      return [newest, reason, way].compactMap(\.self).joined(separator: " ")
    }
    switch standing {
    case .notStarted: return "The phrase is on their card."
    case .silent: return "Is their program set to the address on the card? The page Connect shows how."
    case .stuck:
      return participant.isQuiet(at: now)
        ? "No request since \(time). Does the program still run?"
        : "Requests come, but not what the task waits for. The last one was at \(time)."
    case .working, .finished: return result.isStarted ? "Last request at \(time)." : "No request for it yet."
    }
  }

  private var time: String { participant.activeAt.map(minute) ?? "–" }

  /// `10:20`
  private func minute(_ time: Timestamp) -> String { String(time.timeOfDay.prefix(5)) }
}

extension Refusal {
  /// The reason, with what it is about.
  var labelled: String {
    switch kind {
    case .mistake, .beforeFailure: "Last refusal: \(why)"
    case .onPurpose: "Last failure: \(why)"
    case .beforeOthers: "First refusal: \(why)"
    case .accepted: "The last request was accepted, but \(why)"
    }
  }

  /// The reason first: a request that it begins with comes after it, and ids are shortened.
  fileprivate var sentence: String {
    var words = why.firstLine.split(separator: " ").map { $0.count > 24 ? $0.shortened : String($0) }
    var request = ""
    if words.count > 2, words[0].allSatisfy(\.isUppercase), words[1].hasPrefix("/"), words[1].hasSuffix(":") {
      request = " (\(words[0]) \(words[1].dropLast()))"
      words.removeFirst(2)
    }
    if words.first?.contains("…") ?? false { words[0] = "it" }
    return "\(words.joined(separator: " ").capitalizedFirst)\(request)."
  }

  /// True if it is a limit's, which ends with time or with a new verification.
  private var isOfLimit: Bool {
    isMistake
      && ["limit", "expired", "too many", "times within"].contains { why.lowercased().contains($0) }
  }

  /// What helps, as the tasks say it of their limits; nil for other refusals. A limit that time ends may have
  /// begun in an earlier task.
  func wayOut(of task: StoryTask, in tasks: [StoryTask]) -> String? {
    guard isOfLimit else { return nil }
    let limits = [task.limit].compactMap(\.self) + tasks.compactMap(\.limit)
    return limits.first { $0.contains(Self.later) } ?? limits.first
  }

  /// The same in a few words.
  fileprivate func shortWayOut(of task: StoryTask, in tasks: [StoryTask]) -> String? {
    guard let way = wayOut(of: task, in: tasks) else { return nil }
    if way.contains(Self.later) { return "Press \(Self.later), then send a new code." }
    return way.split(separator: ". ").last.map { String($0).capitalizedFirst }
  }

  private static let later = "+10 min"
}

extension Substring {
  /// An id or a path, in its middle.
  fileprivate var shortened: String { "\(prefix(10))…\(suffix(8))" }
}

/// The box that selects a participant for actions.
struct SelectionBox {
  private let participant: Participant

  init(_ participant: Participant) { self.participant = participant }

  var html: HTML {
    input(
      .type("checkbox"), .id("select-\(participant.position)"), .name("participants"),
      .value(participant.name), .label("Select \(participant.name)"))
  }
}
