import Markup

/// The search field above a list. The filter becomes a part of the page's address.
struct FilterForm {
  let text: String
  /// What can be searched for.
  let hint: String

  var html: HTML {
    form(.class("filter"), .init("role", "search")) {
      label(.init("for", "filter")) { "Filter" }
      input(
        .type("search"), .id("filter"), .name("filter"), .value(text), .init("data-key", "/"),
        .init("placeholder", hint))
    }
  }
}
