import Control
import Markup
import ProviderKit

/// A switchboard of all failures. Beside it: the options of the chosen one, and what each provider will show.
struct BreakPage: Page {
  let title = "Break"
  private let providers: [any Provider.Type]
  private let selection: FailureSelection
  private let address: SandboxAddress

  init(_ request: Request, _ address: SandboxAddress, providers: [any Provider.Type]) throws {
    self.providers = providers
    self.address = address
    selection = FailureSelection(try request.query, of: providers)
  }

  func content(_ layout: Layout) -> HTML {
    div(.class("page-head")) {
      h1 { title }
      providerChoice(layout)
    }
    running(layout)
    form
    div(.class("switchboard")) {
      div(.class("panel failures")) {
        if selection.groups.isEmpty { p(.class("empty")) { "No failure matches." } }
        if selection.groups.count > 1 { jumps }
        for group in selection.groups {
          section(.id(Self.id(of: group.name))) {
            h2 {
              group.name
              span(.class("dim")) { " \(group.failures.count)" }
            }
            ul(.class("plain")) { for failure in group.failures { row(failure, layout) } }
          }
        }
      }
      aside(
        .id("chosen"), .class(selection.chosen == nil ? "panel chosen none" : "panel chosen"),
        .label("The chosen failure")
      ) {
        if let chosen = selection.chosen {
          FailurePanel(chosen, of: selection.provider, providers: providers, at: address).html(layout)
        } else {
          h2 { "Choose a failure" }
          p(.class("soft")) {
            "Its name leads to its options: for which number and provider, how often, and what each provider "
            "will show. A switch starts it for all."
          }
        }
      }
    }
  }

  private var jumps: HTML {
    nav(.class("jumps"), .label("Groups")) {
      for group in selection.groups {
        a(.href("#\(Self.id(of: group.name))")) {
          group.name
          span(.class("dim")) { " \(group.failures.count)" }
        }
      }
    }
  }

  private static func id(of group: String) -> String {
    "group-" + group.lowercased().split { !$0.isLetter }.joined(separator: "-")
  }

  private func providerChoice(_ layout: Layout) -> HTML {
    links(.class("seg"), .label("Provider"), to: [nil] + providers.map { Optional($0.name) }) {
      $0.map(ProviderMark.title) ?? "All providers"
    } href: {
      layout.url(selection.path(provider: $0))
    } isCurrent: {
      $0 == selection.provider
    }
  }

  private func running(_ layout: Layout) -> HTML {
    let on =
      switch layout.running.count {
      case 0: "Nothing is broken: what was started is used up."
      case 1: "1 failure is on."
      case let count: "\(count) failures are on."
      }
    return section(
      .id("running"), .class(layout.running.isEmpty ? "used-up" : ""), .label("Running failures")
    ) {
      if !layout.rules.isEmpty {
        div(.class("running-head")) {
          strong { on }
          ActionButton("Repair everything", delete: layout.rulePaths).html
        }
        ul(.class("plain")) {
          for rule in layout.running + layout.rules.filter(\.isUsedUp) { rule.html(layout) }
        }
      }
    }
  }

  private var form: HTML {
    let count = FailureGroup.all.reduce(0) { $0 + $1.failures.count }
    return FilterForm(
      text: selection.text, hint: "\(count) failures: type to find one", kept: selection.kept
    ).html
  }

  private func row(_ failure: Failure, _ layout: Layout) -> HTML {
    let rule = layout.running.first { $0.failure?.id == failure.id && $0.concerns(selection.provider) }
    let isChosen = selection.chosen?.id == failure.id
    return li(.id("failure-\(failure.id)"), .class(isChosen ? "failure chosen-one" : "failure")) {
      if failure.cause.list != nil {
        FailureSwitch(failure, rule).html(layout)
      } else {
        span(.class("no-switch"), .init("aria-hidden", "true")) { "" }
      }
      a(.href("\(layout.url(selection.path(failure: failure.id)))#chosen")) { failure.name }
      span(.class("soft")) { failure.effect }
      if let rule {
        span(.class("pill warn")) {
          if let provider = rule.provider { "only \(ProviderMark.title(of: provider)), " }
          rule.hitsInWords
        }
      }
    }
  }
}

/// The filter, the provider and the failure in the address of *Break*.
struct FailureSelection {
  let text: String
  /// Nil: all providers.
  let provider: String?
  /// The failure whose options are shown.
  let chosen: Failure?
  private let shown: ShownFailures?

  init(_ query: Form, of providers: [any Provider.Type]) {
    text = query["filter"] ?? ""
    let provider = query["provider"].flatMap { $0.isEmpty ? nil : $0 }
    self.provider = provider
    shown = providers.first { $0.name == provider }.map { ShownFailures($0.failureRecord) }
    chosen = query["failure"].flatMap { id in
      FailureGroup.all.lazy.flatMap(\.failures).first { $0.id == id }
    }
  }

  /// The failures with the text in their name or effect, and for the provider, if there is one.
  var groups: [(name: String, failures: [Failure])] {
    let sought = text.lowercased()
    return FailureGroup.all.compactMap { group in
      if shown?.reason(against: group.flow) != nil { return nil }
      let found = group.failures.filter {
        sought.isEmpty || "\(group.name) \($0.name) \($0.effect) \($0.id)".lowercased().contains(sought)
      }
      return found.isEmpty ? nil : (group.name, found)
    }
  }

  /// The fields that a new filter keeps.
  var kept: [(name: String, value: String)] {
    [provider.map { ("provider", $0) }, chosen.map { ("failure", $0.id) }].compactMap(\.self)
  }

  func path(provider: String?) -> String { Self.path(text, provider, chosen?.id) }

  /// The address with another failure.
  func path(failure: String) -> String { Self.path(text, provider, failure) }

  private static func path(_ text: String, _ provider: String?, _ failure: String?) -> String {
    let fields = [("filter", text), ("provider", provider ?? ""), ("failure", failure ?? "")]
      .filter { !$0.1.isEmpty }.map { "\($0)=\(PercentCoding.encode($1))" }
    return "/console/break" + (fields.isEmpty ? "" : "?\(fields.joined(separator: "&"))")
  }
}
