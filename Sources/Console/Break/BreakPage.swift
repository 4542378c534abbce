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
      section {
        h2 { group.name }
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
      h3 { failure.name }
      p { failure.effect }
      if target.hasProvider { providerChoice }
      label {
        "Number "
        input(
          .name("number"), .init("placeholder", target.isLine ? "+12025550100" : "all"),
          .init("inputmode", "tel"),
          .init(flag: "required", target.isLine))
      }
      if target.list != nil {
        label {
          "Times "
          input(.name("times"), .type("number"), .init("min", "1"), .init("placeholder", "until stopped"))
        }
      }
      button(.type("submit")) { target.list == nil ? "Apply" : "Start" }
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
