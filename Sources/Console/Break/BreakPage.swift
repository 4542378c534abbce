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
    for group in FailureGroup.all {
      // On narrow screens, the script folds all but the first.
      details(.class("group"), .init(flag: "open")) {
        summary { h2 { group.name } }
        div(.class("failures")) { for failure in group.failures { card(failure, layout) } }
      }
    }
  }

  private func card(_ failure: Failure, _ layout: Layout) -> HTML {
    let target = failure.target
    return form(
      .class("failure"), .init("data-target", layout.url(target.path)),
      .init("data-list", ifPresent: target.list),
      .init("data-rule", failure.json)
    ) {
      div(.class("failure-head")) {
        h3 { failure.name }
        button(.type("submit"), .label("\(target.list == nil ? "Apply" : "Start"): \(failure.name)")) {
          target.list == nil ? "Apply" : "Start"
        }
      }
      p { failure.effect }
      if target.isLine {
        number(placeholder: "+12025550100", isRequired: true)
      } else {
        details {
          summary { "Options" }
          providerChoice
          number(placeholder: "all", isRequired: false)
          label {
            "Times "
            input(.name("times"), .type("number"), .init("min", "1"), .init("placeholder", "until stopped"))
          }
        }
      }
    }
  }

  private func number(placeholder: String, isRequired: Bool) -> HTML {
    label {
      "Number "
      input(
        .name("number"), .init("placeholder", placeholder), .init("inputmode", "tel"),
        .init(flag: "required", isRequired))
    }
  }

  private var providerChoice: HTML {
    label {
      "Provider "
      select(.name("provider")) {
        option(.value("")) { "all" }
        for name in providers { option(.value(name)) { name } }
      }
    }
  }
}
