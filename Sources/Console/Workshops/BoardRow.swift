import Markup
import ProviderKit

/// A participant's row of the table of a board.
struct BoardRow {
  private let participant: Participant
  private let now: Timestamp

  init(_ participant: Participant, at now: Timestamp) { (self.participant, self.now) = (participant, now) }

  var html: HTML {
    tr(.id("participant-\(participant.position)")) {
      th(.init("scope", "row")) {
        SelectionBox(participant).html
        " "
        a(.href("/s/\(participant.sandboxName)/")) { participant.name }
        " "
        a(
          .class("follow"), .href("/s/\(participant.sandboxName)/console/follow"),
          .title("Follow \(participant.name)")
        ) { "Follow" }
      }
      for (index, result) in participant.results.enumerated() {
        cell(result, isCurrent: index == participant.current, index)
      }
      td(.class("active")) {
        if let time = participant.activeAt {
          Markup.time(.init("datetime", time.iso8601)) { time.timeOfDay }
        } else {
          "–"
        }
      }
    }
  }

  private func cell(_ result: TaskResult, isCurrent: Bool, _ index: Int) -> HTML {
    // Most cells of a large board are like this one.
    if result.state == .untouched, !isCurrent { return td { "–" } }
    let isOnPurpose = result.refusal?.isOnPurpose ?? false
    let name =
      "result \(result.state.rawValue)\(isCurrent ? " current" : "")\(isOnPurpose ? " on-purpose" : "")"
    return td(.class(name)) {
      switch result.state {
      case .untouched: "next"
      case .done: span { "done " }
      case .started, .tried:
        if let refusal = result.refusal {
          let id = "why-\(participant.position)-\(index)"
          button(.type("button"), .class("reason"), .init("aria-describedby", id)) {
            isOnPurpose ? "broken on purpose" : result.state.rawValue
          }
          span(.id(id), .class("tooltip"), .init("role", "tooltip")) {
            isOnPurpose ? refusal.why : refusal.labelled
          }
        } else {
          span { result.state.rawValue }
        }
      }
      if let time = result.doneAt {
        let shown = time.timeOfDay
        Markup.time(.init("datetime", time.iso8601), .title(shown)) { String(shown.prefix(5)) }
      }
      minutes(of: result)
    }
  }

  /// The minutes that a task was open, or is open so far. The script keeps them up to date.
  @HTMLBuilder private func minutes(of result: TaskResult) -> HTML {
    if let minutes = result.minutes(at: now), let opened = result.openedAt {
      let since = result.doneAt == nil ? String(opened.milliseconds) : nil
      " "
      span(.class("minutes"), .init("data-since", ifPresent: since)) { "\(minutes) min" }
    }
  }
}
