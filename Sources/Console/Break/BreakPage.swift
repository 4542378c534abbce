import Control
import Markup

/// Failures to inject: each with one click to start and one to stop.
struct BreakPage: Page {
  let title = "Break it"
  private let providers: [String]

  init(providers: [String]) { self.providers = providers }

  func content(_ layout: Layout) -> HTML {
    h1 { "Break it" }
    section(.id("running"), .label("Running failures")) {
      if !layout.running.isEmpty {
        h2 { "Running now" }
        ul(.class("running")) { for rule in layout.running { rule.html(layout) } }
      }
    }
    options
    for group in FailureGroup.all where !group.startable.isEmpty {
      // On narrow screens, the script folds all but the first.
      details(.class("group"), .init(flag: "open")) {
        summary { h2 { group.name } }
        div(.class("failures")) { for failure in group.startable { card(failure, layout) } }
      }
    }
  }

  /// For whom the next failure is.
  private var options: HTML {
    form(.id("break-options"), .init(flag: "data-kept")) {
      label {
        "Number "
        input(.name("number"), .init("placeholder", "all"), .init("inputmode", "tel"))
      }
      label {
        "Provider "
        select(.name("provider")) {
          option(.value("")) { "all" }
          for name in providers { option(.value(name)) { name } }
        }
      }
      label {
        "Times "
        input(.name("times"), .type("number"), .init("min", "1"), .init("placeholder", "until stopped"))
      }
    }
  }

  private func card(_ failure: Failure, _ layout: Layout) -> HTML {
    div(.class("failure")) {
      div(.class("failure-head")) {
        h3 { failure.name }
        if let repair = failure.repair { actionButton("Repair", failure, repair, layout) }
        actionButton(failure.cause.list == nil ? "Apply" : "Start", failure, failure.cause, layout)
      }
      p { failure.effect }
    }
  }

  private func actionButton(
    _ action: String, _ failure: Failure, _ cause: Failure.Cause, _ layout: Layout
  ) -> HTML {
    button(
      .type("button"), .label("\(action): \(failure.name)"),
      .init("data-target", ifPresent: cause.path.map(layout.url)), .init("data-list", ifPresent: cause.list),
      .init("data-rule", ifPresent: cause.json)
    ) { action }
  }
}

extension FailureGroup {
  /// Those that the page can start.
  fileprivate var startable: [Failure] { failures.filter { $0.cause.path != nil } }
}
