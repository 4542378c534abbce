import Control

/// A page or an action that search finds by its name. Actions are those of the buttons.
struct Command {
  let item: SearchResults.Item
  let isPage: Bool
  /// Failures are many, so they are found only by their names.
  let isFailure: Bool

  func matches(_ text: String) -> Bool { item.text.lowercased().contains(text) }

  static func all(_ sandbox: Sandbox, _ layout: Layout) -> [Command] {
    actions(sandbox, layout) + layout.pages.map { page($0.name, $0.path, "page", layout) } + failures(layout)
  }

  private static func actions(_ sandbox: Sandbox, _ layout: Layout) -> [Command] {
    let clock = layout.url("/control/clock")
    let moves = [("1m", "1 minute"), ("10m", "10 minutes"), ("1h", "1 hour"), ("1d", "1 day")].map {
      step, name in
      action(ActionButton("Advance \(name)", post: clock, #"{"advance":"\#(step)"}"#))
    }
    let isFrozen = sandbox.clock.mode.word == "frozen"
    return moves + [
      action(ClockSection.toggle(sandbox, url: clock, isFrozen ? "Run the clock" : "Freeze the clock")),
      action(.clearInboxes(layout)),
      action(ActionButton("Repair everything", delete: layout.rulePaths)),
    ]
  }

  private static func action(_ button: ActionButton) -> Command {
    Command(
      item: .init(text: button.text, note: "action", target: .action(button)), isPage: false, isFailure: false
    )
  }

  private static func page(_ name: String, _ path: String, _ note: String, _ layout: Layout) -> Command {
    Command(
      item: .init(text: name, note: note, target: .page(layout.url(path))), isPage: note == "page",
      isFailure: note != "page")
  }

  /// *Break* with the failure chosen.
  private static func failures(_ layout: Layout) -> [Command] {
    FailureGroup.all.flatMap { group in
      group.failures.map {
        page("Break: \(group.name), \($0.name)", "/console/break?failure=\($0.id)", "failure", layout)
      }
    }
  }
}
