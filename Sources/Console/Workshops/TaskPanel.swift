import Markup
import ProviderKit

/// A participant's tasks, next to each page of the sandbox, and the trainer's note.
struct TaskPanel {
  private let workshop: Workshop
  private let participant: Participant
  /// Of the names in commands; nil to show no commands.
  private let values: [String: String]?
  private let shell: Shell
  /// What the current task waits for; nil if all tasks are done.
  private let awaited: String?
  /// True if what the current task wants broken was repaired.
  private let isRepaired: Bool

  /// Nil outside of workshops.
  init?(_ sandbox: Sandbox, for request: Request, _ values: CommandValues?) throws {
    guard let (workshop, participant) = try sandbox.workshopPlace else { return nil }
    self.workshop = workshop
    self.participant = participant
    awaited = try sandbox.tasks.awaited
    isRepaired = try sandbox.tasks.isRepaired
    shell = try ShellChoice(request).shell
    self.values = try values?.all(in: sandbox, for: request)
  }

  /// `tuesday · Ana`
  var place: String { "\(workshop.name) · \(participant.name)" }

  /// The same, with a way to the board.
  @HTMLBuilder var linkedPlace: HTML {
    a(.href("/console/workshops/\(workshop.name)")) { workshop.name }
    " · \(participant.name)"
  }

  /// The trainer's note, read aloud when it changes.
  var note: HTML {
    section(.id("note"), .class("note"), .label("Note of the trainer"), .init("aria-live", "polite")) {
      if !participant.note.isEmpty { p { participant.note } }
    }
  }

  /// The way to the current task, which stays in sight while a page is scrolled.
  var link: HTML {
    a(.id("task-link"), .class("task-link"), .href("#tasks")) {
      if let task = participant.currentTask(of: workshop) {
        "Task \(participant.current + 1) of \(workshop.tasks.count): \(task.title)"
      } else {
        progress
      }
    }
  }

  func tasks(_ layout: Layout) -> HTML {
    aside(.id("tasks"), .class("tasks"), .label("Tasks")) {
      h2 { "Tasks" }
      p(.class("progress"), .init("aria-live", "polite")) { progress }
      ol {
        for (index, task) in workshop.tasks.enumerated() {
          item(task, participant.results[index], isCurrent: index == participant.current, layout)
        }
      }
      if participant.currentTask(of: workshop) == nil {
        p {
          "Look at the "
          a(.href(layout.url("/console/timeline"))) { "timeline of your own requests" }
          ". What did you send that nobody read?"
        }
      }
    }
  }

  /// The commands with the participant's own values.
  @HTMLBuilder private func commands(of task: StoryTask, isOpen: Bool, isLimitShown: Bool = false) -> HTML {
    if let values, !task.commands.isEmpty {
      details(
        .init("id", ifPresent: isOpen ? "commands" : nil), .class("commands"), .init(flag: "open", isOpen)
      ) {
        summary { "Commands with your values" }
        if isOpen {
          shells
          if task.commands.count > 1 {
            p(.class("help")) { "Run them in one terminal, one after the other." }
          }
        }
        ShellCommands(task.commands.map { $0.code(with: values) }, for: shell)
          .html(titles: task.commands.map(\.title))
      }
    }
    if let limit = task.limit, !isLimitShown {
      details(.init("id", ifPresent: isOpen ? "limit" : nil)) {
        summary { "If it is refused again and again" }
        p { limit }
      }
    }
  }

  private var shells: HTML {
    p(.class("help")) {
      "For \(shell.title); or for"
      for other in Shell.allCases where other != shell {
        " "
        a(.href("?\(ShellChoice.field)=\(other.rawValue)#commands")) { other.title }
      }
    }
  }

  private func restart(_ layout: Layout) -> HTML {
    var button = ActionButton("Start this task again", post: layout.url("/control/tasks/restart"))
    button.status = ("task-status", "Started again. Earlier steps of this task do not count.")
    return button.html
  }

  private var progress: String {
    let count = workshop.tasks.count
    return participant.current == count
      ? "All \(count) tasks are done." : "\(participant.current) of \(count) are done."
  }

  /// The current task in full. The others unfold: those that are done for reading again, later ones without
  /// the hint.
  private func item(_ task: StoryTask, _ result: TaskResult, isCurrent: Bool, _ layout: Layout) -> HTML {
    li(
      .class("\(result.state.rawValue)\(isCurrent ? " current" : "")"),
      .init("aria-current", ifPresent: isCurrent ? "step" : nil)
    ) {
      if isCurrent {
        strong { task.title }
        p { task.text }
        if let refusal = result.refusal {
          p(.class(refusal.kind == .accepted ? "way-out" : "why")) { Reason(refusal.labelled, layout).html }
          if let way = refusal.wayOut(of: task, in: workshop.tasks) { p(.class("way-out")) { way } }
          switch refusal.kind {
          case .beforeFailure: p(.class("why")) { "The newest answer was broken on purpose." }
          case .beforeOthers: p { "What was refused after it may only need this one: begin with it." }
          case .mistake, .onPurpose, .accepted: HTML()
          }
        }
        if isRepaired {
          p(.class("why")) { "What this task breaks was repaired. Start this task again." }
        }
        details(.id("hint")) {
          summary { "Hint" }
          if let hint = task.hint { p { hint } }
          if let awaited {
            p {
              "The task now waits for: "
              code { awaited }
            }
          }
        }
        commands(
          of: task, isOpen: true,
          isLimitShown: result.refusal?.wayOut(of: task, in: workshop.tasks) == task.limit)
        restart(layout)
        p(.id("task-status"), .class("status"), .init("role", "status"), .init(flag: "data-kept"))
      } else {
        details {
          summary {
            strong { task.title }
            if let time = result.doneAt, let minutes = result.minutes(at: time) {
              span(.class("when")) { " done after \(minutes) min" }
            }
          }
          p { task.text }
          if result.state == .done {
            if let hint = task.hint { p { "Hint: \(hint)" } }
            commands(of: task, isOpen: false)
          }
        }
      }
    }
  }
}

extension Participant {
  /// Nil when all tasks are done.
  fileprivate func currentTask(of workshop: Workshop) -> StoryTask? {
    workshop.tasks[safe: current]
  }
}
