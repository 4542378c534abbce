import Domain
import HTTP
import Markup

/// The trainer's board: participants by tasks.
struct BoardPage: Page {
  private let workshop: Workshop
  private let participants: [Participant]
  private let now: Timestamp
  private let changeCount: Int

  var title: String { workshop.name }

  init(_ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes) throws {
    let name = request[parameter: "workshop"]
    guard let workshop = try sandboxes.workshops[name] else {
      throw try NotFound("workshop \(name)", request, sandbox)
    }
    self.workshop = workshop
    participants = try sandboxes.workshops.participants(of: workshop)
    now = sandboxes.defaultSandbox.clock.now
    changeCount = sandboxes.workshops.changeCount
  }

  private var url: String { "/control/workshops/\(workshop.name)" }

  var stream: Stream? { Stream(url: "\(url)/stream", position: String(changeCount)) }

  func content(_ layout: Layout) -> HTML {
    div(.class("board-head")) {
      h1 { workshop.name }
      p {
        "\(workshop.story), \(workshop.flavour). \(summary) "
        a(.href("/console/workshops/\(workshop.name)/cards")) { "Cards" }
        " "
        a(.href("\(url)/results.csv")) { "Results as CSV" }
      }
    }
    if participants.isEmpty { p(.class("empty")) { "Nobody is left in this workshop." } } else { board }
    details(.class("delete")) {
      Markup.summary { "Delete this workshop" }
      p { "Its sandboxes are deleted too. The results are gone: save the CSV first." }
      ActionButton("Delete \(workshop.name)", delete: [url]).html
    }
  }

  private var summary: String {
    let finished = participants.count { $0.current == workshop.tasks.count }
    let active = participants.filter { $0.activeAt != nil }.max { $0.activeAt ?? now < $1.activeAt ?? now }
    let last = active.flatMap { one in one.activeAt.map { "Last active: \(one.name), \($0.timeOfDay)." } }
    return "\(finished) of \(participants.count) finished. \(last ?? "Nobody has started.")"
  }

  private var board: HTML {
    form(.id("board"), .init("data-actions", url)) {
      actions
      div(
        .class("table"), .init("tabindex", "0"), .init("role", "region"),
        .label("Board: participants and their tasks")
      ) {
        table(.class("board")) {
          thead {
            tr {
              th(.init("scope", "col")) {
                input(.type("checkbox"), .init("data-select", "all"), .label("Select all"))
              }
              th(.init("scope", "col")) { "Participant" }
              for (number, task) in zip(1..., workshop.tasks) {
                th(.init("scope", "col")) { "\(number). \(task.title)" }
              }
              th(.init("scope", "col")) { "Last active" }
            }
          }
          tbody { for participant in participants { row(participant) } }
        }
      }
    }
  }

  private func row(_ participant: Participant) -> HTML {
    tr(.id("participant-\(participant.position)")) {
      td {
        input(
          .type("checkbox"), .id("select-\(participant.position)"), .name("participants"),
          .value(participant.name), .label("Select \(participant.name)"))
      }
      th(.init("scope", "row")) {
        a(.href("/s/\(participant.sandboxName)/")) { participant.name }
        if !participant.note.isEmpty { span(.class("own-note")) { "Note: \(participant.note)" } }
      }
      for (index, result) in participant.results.enumerated() {
        cell(result, of: participant, isCurrent: index == participant.current, index)
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

  private func cell(_ result: TaskResult, of participant: Participant, isCurrent: Bool, _ index: Int) -> HTML
  {
    // Most cells of a large board are like this one.
    if result == .untouched, !isCurrent { return td { "–" } }
    let name = "result \(result.word)\(isCurrent ? " current" : "")"
    return td(.class(name)) {
      switch result {
      case .untouched: "next"
      case .done(let time):
        span { "done " }
        Markup.time(.init("datetime", time.iso8601)) { time.timeOfDay }
      case .tried(nil): span { "tried" }
      case .tried(let why?):
        let id = "why-\(participant.position)-\(index)"
        button(
          .type("button"), .class("reason"), .init("data-reason", id), .init("aria-describedby", id)
        ) { "tried" }
        span(.id(id), .class("tooltip"), .init("role", "tooltip")) { why }
      }
    }
  }

  private var actions: HTML {
    section(.class("board-actions"), .label("Actions")) {
      p(.id("selection"), .class("help")) {
        "Actions are for the selected participants, or for all if none is selected."
      }
      div {
        label(.init("for", "failure")) { "Failure" }
        select(.id("failure"), .name("failure")) {
          for failure in Self.failures {
            option(.value(failure.json), .init("data-list", failure.list)) { failure.name }
          }
        }
        action("Break", "break")
        action("Fix", "fix")
      }
      div {
        action("+1 min", "clock", #"{"advance":"1m"}"#)
        action("+10 min", "clock", #"{"advance":"10m"}"#)
        action("+1 day", "clock", #"{"advance":"1d"}"#)
        action("Reset", "reset", confirm: "Reset these participants? They start with the first task again.")
      }
      div(.class("note-form")) {
        label(.init("for", "note")) { "Note" }
        input(.id("note"), .name("note"), .init("maxlength", "500"), .init("autocomplete", "off"))
        action("Send note", "note")
      }
    }
  }

  private func action(_ text: String, _ name: String, _ json: String = "{}", confirm: String? = nil) -> HTML {
    button(
      .type("button"), .init("data-action", "\(url)/\(name)"), .init("data-fields", json),
      .init("data-confirm", ifPresent: confirm)
    ) { text }
  }

  /// The failures that need no number.
  private static let failures: [(name: String, list: String, json: String)] =
    FailureGroup.all.flatMap { group in
      group.failures.compactMap { failure in
        failure.target.list.map { ("\(group.name): \(failure.name)", $0, failure.json) }
      }
    }
}
