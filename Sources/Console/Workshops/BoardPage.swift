import Domain
import HTTP
import Markup

/// The trainer's board: participants by tasks.
struct BoardPage: Page {
  private let workshop: Workshop
  private let rows: [(participant: Participant, failures: [ParticipantFailure])]
  private let now: Timestamp
  private let changeCount: Int

  var title: String { workshop.name }

  init(_ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes) throws {
    let name = request[parameter: "workshop"]
    let workshops = sandboxes.workshops
    guard let workshop = try workshops[name] else {
      throw try NotFound(workshop: name, request, sandbox)
    }
    self.workshop = workshop
    rows = try workshops.participants(of: workshop).map { ($0, workshops.failures(of: $0)) }
    now = workshops.now
    changeCount = workshops.changeCount
  }

  private var url: String { "/control/workshops/\(workshop.name)" }

  /// In a large room something always changes, and each update of the page takes milliseconds of the server.
  var stream: Stream? { Stream(url: "\(url)/stream", position: String(changeCount), pause: 800) }

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
    if rows.isEmpty { p(.class("empty")) { "Nobody is left in this workshop." } } else { board }
    details(.class("delete")) {
      Markup.summary { "Delete this workshop" }
      p { "Its sandboxes are deleted too. The results are gone: save the CSV first." }
      deletion
      p(.id("delete-status"), .class("status"), .init("role", "status"), .init(flag: "data-kept"))
    }
  }

  private var deletion: HTML {
    var button = ActionButton("Delete \(workshop.name)", delete: [url])
    button.question = "Delete \(workshop.name), its sandboxes and its results?"
    button.next = "/console/workshops"
    button.status = ("delete-status", "Deleted.")
    return button.html
  }

  private var summary: String {
    let participants = rows.map(\.participant)
    let finished = participants.count { $0.current == workshop.tasks.count }
    let active = participants.filter { $0.activeAt != nil }.max { $0.activeAt ?? now < $1.activeAt ?? now }
    let last = active.flatMap { one in one.activeAt.map { "Last active: \(one.name), \($0.timeOfDay)." } }
    return "\(finished) of \(participants.count) finished. \(last ?? "Nobody has started.")"
  }

  private var board: HTML {
    // No form: a browser would send one when Enter is pressed in a field.
    div(.id("board")) {
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
                " Participant"
              }
              for (number, task) in zip(1..., workshop.tasks) {
                th(.init("scope", "col")) { "\(number). \(task.title)" }
              }
              th(.init("scope", "col")) { "Last active" }
            }
          }
          tbody { for row in rows { html(of: row.participant, row.failures) } }
        }
      }
    }
  }

  private func html(of participant: Participant, _ failures: [ParticipantFailure]) -> HTML {
    tr(.id("participant-\(participant.position)")) {
      th(.init("scope", "row")) {
        input(
          .type("checkbox"), .id("select-\(participant.position)"), .name("participants"),
          .value(participant.name), .label("Select \(participant.name)"))
        " "
        a(.href("/s/\(participant.sandboxName)/")) { participant.name }
        for failure in failures {
          span(.class("failure-badge")) {
            "\(failure.origin == .trainer ? "Broken" : "Broke it themselves"): \(failure.effect)"
          }
        }
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
            isOnPurpose ? refusal.why : "Last refusal: \(refusal.why)"
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

  private var actions: HTML {
    section(.class("board-actions"), .label("Actions")) {
      p(.id("selection"), .class("help")) {
        "Actions are for the selected participants, or for all if none is selected."
      }
      div {
        label(.init("for", "failure")) { "Failure" }
        select(.id("failure"), .name("failure")) {
          for failure in Self.failures {
            option(
              .value(failure.json), .init("data-list", failure.list), .init("data-effect", failure.effect)
            ) { failure.name }
          }
        }
        action("Break", "break", done: "Broken for")
        action("Fix", "fix", done: "Fixed for")
      }
      div {
        for (step, name) in [("1m", "1 min"), ("10m", "10 min"), ("1d", "1 day")] {
          action("+\(name)", "clock", #"{"advance":"\#(step)"}"#, done: "\(name) later for")
        }
        action(
          "Reset", "reset", done: "Reset for",
          question: "Reset these participants? They start with the first task again.")
      }
      div(.class("note-form")) {
        label(.init("for", "note")) { "Note" }
        input(
          .id("note"), .name("note"), .init("maxlength", "500"), .init("autocomplete", "off"),
          .init("enterkeyhint", "send"), .init("data-enter", "send-note"))
        action("Send note", "note", id: "send-note", done: "Note sent to")
        action("Remove note", "note", #"{"note":""}"#, done: "Note removed for")
      }
      p(.id("board-status"), .class("status"), .init("role", "status"), .init(flag: "data-kept"))
    }
  }

  private func action(
    _ text: String, _ name: String, _ json: String = "{}", id: String? = nil, done: String,
    question: String? = nil
  ) -> HTML {
    var button = ActionButton(text, post: "\(url)/\(name)", json)
    button.id = id
    button.question = question
    button.status = (id: "board-status", done: done)
    button.isForSelection = true
    return button.html
  }

  /// The failures that need no number.
  private static let failures: [(name: String, list: String, json: String, effect: String)] =
    FailureGroup.all.flatMap { group in
      group.failures.compactMap { failure in
        failure.target.list.map { ("\(group.name): \(failure.name)", $0, failure.json, failure.ruleEffect) }
      }
    }
}
