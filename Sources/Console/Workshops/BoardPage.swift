import Control
import Domain
import HTTP
import Markup

/// The trainer's board: participants by tasks.
struct BoardPage: Page {
  private let workshop: Workshop
  private let rows: [BoardRow]
  private let summary: BoardSummary
  private let changeCount: Int

  var title: String { workshop.name }

  init(_ request: Request, _ sandbox: Sandbox, _ sandboxes: Sandboxes) throws {
    let name = request[parameter: "workshop"]
    let workshops = sandboxes.workshops
    guard let workshop = try workshops[name] else {
      throw try NotFound(workshop: name, request, sandbox)
    }
    self.workshop = workshop
    rows = try workshops.participants(of: workshop).map { BoardRow($0, workshops) }
    summary = BoardSummary(try workshops.progress(of: workshop))
    changeCount = workshops.changeCount
  }

  private var url: String { "/control/workshops/\(workshop.name)" }

  /// The stream has what changes. The script fetches the page of a large room, which takes the server
  /// milliseconds, only when there are other participants.
  var stream: Stream? {
    Stream(
      url: "/console/workshops/\(workshop.name)/stream", position: String(changeCount), pause: 800)
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("board-head")) {
      h1 { workshop.name }
      p {
        "\(workshop.story), \(workshop.flavour). "
        summary.html
        " "
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
          tbody { for row in rows { row.html } }
        }
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
        guard let list = failure.cause.list, let json = failure.cause.json else { return nil }
        return ("\(group.name): \(failure.name)", list, json, failure.ruleEffect)
      }
    }
}
