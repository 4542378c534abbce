import Domain
import HTTP
import JSON
import Markup

/// Failures to inject: each with one click to start and one to stop.
struct BreakPage: Page {
  let title = "Break it"
  private let providers: [String]
  private let running: [RunningRule]

  init(_ request: Request, _ sandbox: Sandbox, providers: [String]) throws {
    self.providers = providers
    running = try RunningRule.all(in: sandbox)
  }

  func content(_ layout: Layout) -> HTML {
    h1 { "Break it" }
    section(.id("running"), .label("Running failures")) {
      if !running.isEmpty {
        h2 { "Running now" }
        ul(.class("running")) { for rule in running { rule.html(layout) } }
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

/// A fault or a scenario that is active.
struct RunningRule {
  private let text: String
  private let list: String
  /// The list without this rule.
  private let others: String

  static func all(in sandbox: Sandbox) throws -> [RunningRule] {
    try rules("faults", sandbox.faults.all) + rules("scenarios", sandbox.scenarios.all)
  }

  private static func rules<Content: Rule>(_ list: String, _ rules: [CountedRule<Content>]) -> [RunningRule] {
    let encoded = rules.map { rule in
      String(decoding: JSONWriter.object { CountedRule<Content>.schema.write(rule, to: &$0) }, as: UTF8.self)
    }
    return encoded.indices.map { index in
      var rest = encoded
      rest.remove(at: index)
      return RunningRule(
        text: encoded[index], list: list, others: #"{"\#(list)":[\#(rest.joined(separator: ","))]}"#)
    }
  }

  func html(_ layout: Layout) -> HTML {
    li {
      code { text }
      ActionButton("Stop", put: layout.url("/control/\(list)"), others).html
    }
  }
}
