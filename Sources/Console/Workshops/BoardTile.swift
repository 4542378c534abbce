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
    if let refusal = result.refusal { return refusal.why.withTimes(at: now) }
    switch standing {
    case .notStarted: return "The phrase is on their card."
    case .silent: return "Is their program set to the address on the card? The page Connect shows how."
    case .stuck: return "No request since \(time). Does the program still run?"
    case .working, .finished: return result.isStarted ? "Last request at \(time)." : "No request for it yet."
    }
  }

  private var time: String { participant.activeAt.map(minute) ?? "–" }

  /// `10:20`
  private func minute(_ time: Timestamp) -> String { String(time.timeOfDay.prefix(5)) }
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
