import Markup

/// The search field above a list, with selections. The filter becomes a part of the page's address.
struct FilterForm {
  /// One of several values, or all.
  struct Choice {
    let label: String
    let name: String
    let options: [String]
    let chosen: String?
    /// The text of the option without a value; nil if there is no such option.
    var all: String?
  }

  let text: String
  /// The hint in the empty search field.
  let hint: String
  var choices: [Choice] = []
  /// Fields of the address that stay as they are.
  var kept: [(name: String, value: String)] = []

  var html: HTML {
    form(.class("filter"), .init("role", "search")) {
      label(.class("visually-hidden"), .init("for", "filter")) { "Filter" }
      input(
        .type("search"), .id("filter"), .name("filter"), .value(text), .init("placeholder", hint),
        .init("autocomplete", "off"))
      for choice in choices { html(of: choice) }
      for (name, value) in kept { input(.type("hidden"), .init("name", name), .value(value)) }
      button(.type("submit")) { "Show" }
    }
  }

  private func html(of choice: Choice) -> HTML {
    label {
      "\(choice.label) "
      select(.init("name", choice.name)) {
        if let all = choice.all { option(.value("")) { all } }
        for name in choice.options {
          option(.value(name), .init(flag: "selected", name == choice.chosen)) { name }
        }
      }
    }
  }
}
