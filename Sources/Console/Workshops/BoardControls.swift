import Control
import Markup

/// The trainer's actions, each in a sheet that its button opens. Actions are for the selected participants,
/// or for all.
struct BoardControls {
  private let workshop: Workshop

  init(_ workshop: Workshop) { self.workshop = workshop }

  private var url: String { "/control/workshops/\(workshop.name)" }

  var html: HTML {
    HTML {
      opener("More", of: "more-sheet")
      sheet("more-sheet", "More") { more }
      opener("Break", of: "break-sheet")
      sheet("break-sheet", "Break and repair") { breaking }
      opener("Note to the room", of: "note-sheet", isPrimary: true)
      sheet("note-sheet", "Note to the room") { note }
    }
  }

  private func opener(_ text: String, of sheet: String, isPrimary: Bool = false) -> HTML {
    button(
      .type("button"), .init("class", ifPresent: isPrimary ? "primary" : nil), .init("popovertarget", sheet)
    ) { text }
  }

  private func sheet(_ id: String, _ title: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
    section(.id(id), .class("sheet"), .init("popover", "auto"), .label(title)) {
      h2 { title }
      p(.class("for-whom help"), .init(flag: "data-kept")) {
        "For all participants, because none is selected."
      }
      content()
    }
  }

  private var note: HTML {
    HTML {
      label(.init("for", "note")) { "Note" }
      input(
        .id("note"), .name("note"), .init("maxlength", "500"), .init("autocomplete", "off"),
        .init("enterkeyhint", "send"), .init("data-enter", "send-note"), .init(flag: "autofocus"))
      p(.class("help")) { "It is shown on all their pages until you remove it." }
      div(.class("row")) {
        action("Send note", "note", id: "send-note", done: "Note sent to")
        action("Remove note", "note", #"{"note":""}"#, done: "Note removed for")
      }
    }
  }

  private var breaking: HTML {
    HTML {
      label(.init("for", "failure")) { "Failure" }
      select(.id("failure"), .name("failure")) {
        for failure in Self.failures {
          option(
            .value(failure.json), .init("data-list", failure.list), .init("data-effect", failure.effect)
          ) { failure.name }
        }
      }
      div(.class("row")) {
        action("Break", "break", done: "Broken for")
        action("Repair", "fix", done: "Repaired for")
      }
      p(.class("help")) { "Repair removes all failures, except what their current tasks have prepared." }
    }
  }

  private var more: HTML {
    HTML {
      h3 { "Their clocks" }
      div(.class("row")) {
        for (step, name) in [("1m", "1 min"), ("10m", "10 min"), ("1d", "1 day")] {
          action("+\(name)", "clock", #"{"advance":"\#(step)"}"#, done: "\(name) later for")
        }
      }
      h3 { "Start again" }
      div(.class("row")) {
        action(
          "Reset", "reset", done: "Reset for",
          question: "Reset {whom}? They start with the first task again.")
      }
      h3 { "Add participants" }
      form(
        .init("data-send", "\(url)/participants"), .init("data-done", "Added. Their cards are under Cards.")
      ) {
        label(.init("for", "add-participants")) { "Names or number" }
        textArea(
          .id("add-participants"), .name("participants"), .init("rows", "3"), .init(flag: "required"),
          .init("data-type", "participants"),
          .init("aria-describedby", "add-help participants-problem"), .init(flag: "data-kept"))
        p(.id("add-help"), .class("help")) { "One name per line, or a number, such as 2." }
        FormProblem(of: "participants").html
        FormProblem(of: "form").html
        button(.type("submit")) { "Add" }
      }
      h3 { "Delete" }
      p(.class("help")) { "Its sandboxes are deleted too. The results are gone: save them first." }
      deletion
      p(.id("delete-status"), .class("status"), .init("role", "status"), .init(flag: "data-kept"))
    }
  }

  private var deletion: HTML {
    var button = ActionButton("Delete \(workshop.name)", delete: [url], style: .danger)
    button.question = "Delete \(workshop.name), its sandboxes and its results?"
    button.next = "/console/workshops"
    button.status = ("delete-status", "Deleted.")
    return button.html
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

/// The place for what is wrong with a field of a form. The script fills it.
struct FormProblem {
  private let field: String

  /// `form`: what is about no field.
  init(of field: String) { self.field = field }

  var html: HTML {
    p(.id("\(field)-problem"), .class("why"), .init("role", "alert"), .init(flag: "data-kept"))
  }
}
