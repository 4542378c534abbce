import Control
import Markup
import ProviderKit

/// The options of a failure, what each provider will show, and its request for a program.
struct FailurePanel {
  private let failure: Failure
  /// Chosen for the page; nil: all.
  private let provider: String?
  private let providers: [any Provider.Type]
  private let address: SandboxAddress

  init(
    _ failure: Failure, of provider: String?, providers: [any Provider.Type], at address: SandboxAddress
  ) {
    self.failure = failure
    self.provider = provider
    self.providers = providers
    self.address = address
  }

  func html(_ layout: Layout) -> HTML {
    let rule = layout.running.first { $0.failure?.id == failure.id }
    return HTML {
      h2 { failure.name }
      p(.class("soft")) { failure.effect }
      if failure.cause.path == nil {
        p { failure.cause.steps ?? "" }
      } else {
        form(.id("break-options"), .init(flag: "data-kept")) { options }
      }
      p(.class("actions")) { buttons(rule, layout) }
      h3 { "What each provider shows" }
      dl(.class("cells")) { for provider in shownProviders { cell(of: provider) } }
      if let curl {
        h3 { "For a program" }
        CopyableCode(curl).html
        p(.class("actions")) { CopyButton(python ?? "", "Python").labelled("Copy for Python") }
      }
    }
  }

  @HTMLBuilder private var options: HTML {
    let isRule = failure.cause.list != nil
    field("Number") {
      input(
        .name("number"), .init("placeholder", isRule ? "all numbers" : "+12025550100"),
        .init("inputmode", "tel"),
        .init(flag: "required", failure.cause.needsNumber), .init("autocomplete", "off"))
    }
    if isRule {
      field("Provider") {
        select(.name("provider")) {
          option(.value("")) { "all" }
          for name in providers.map({ $0.name }) {
            option(.value(name), .init(flag: "selected", name == provider)) { ProviderMark.title(of: name) }
          }
        }
      }
      field("How often") {
        input(.name("times"), .type("number"), .init("min", "1"), .init("placeholder", "every time"))
      }
    }
  }

  @HTMLBuilder private func buttons(_ rule: RunningRule?, _ layout: Layout) -> HTML {
    if let rule { rule.stopButton("Stop this failure", layout) }
    if failure.cause.path != nil {
      button([.class(rule == nil ? "primary" : "quiet")] + FailureSwitch.start(failure.cause, layout)) {
        failure.cause.list == nil ? "Apply" : rule == nil ? "Start" : "Start another"
      }
    }
    if let repair = failure.repair { button(FailureSwitch.start(repair, layout)) { "Repair" } }
  }

  private var shownProviders: [any Provider.Type] {
    providers.filter { provider == nil || provider == $0.name }
  }

  @HTMLBuilder private func cell(of provider: any Provider.Type) -> HTML {
    if let places = ShownFailures(provider.failureRecord).places(of: failure) {
      dt { ProviderMark(provider.name).html }
      dd {
        if places.isEmpty { div { code { "nothing else than usual" } } }
        for place in places {
          div(.title(place.source)) {
            span(.class("dim")) { "\(place.name) " }
            code { place.value }
          }
        }
      }
    }
  }

  private var path: String? {
    failure.cause.path?.replacing("{number}", with: "+12025550100")
  }

  private var curl: String? {
    guard let path, let method = failure.cause.method, let body = failure.cause.body else { return nil }
    return """
      curl -X \(method) \(address.url)\(path) \(address.tokenOption)\\
        -H "Content-Type: application/json" \\
        -d '\(body)'
      """
  }

  private var python: String? {
    guard let path, let method = failure.cause.method, let body = failure.cause.body else { return nil }
    let token =
      address.token == nil ? "" : #", headers={"Authorization": f"Bearer {os.environ['RINGFENCE_TOKEN']}"}"#
    return #"requests.\#(method.lowercased())("\#(address.url)\#(path)", json=\#(body.asPython)\#(token))"#
  }
}

extension String {
  /// JSON as a Python literal: its words for true, false and null are others.
  fileprivate var asPython: String {
    (try? JSON(parsing: Array(utf8)))?.asPython ?? self
  }
}

extension JSON {
  fileprivate var asPython: String {
    switch self {
    case .null: "None"
    case .bool(let value): value ? "True" : "False"
    case .array(let items): "[\(items.map(\.asPython).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(JSON.string($0.name).text): \($0.value.asPython)" }.joined(separator: ", "))}"
    default: text
    }
  }
}
