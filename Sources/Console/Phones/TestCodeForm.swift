import Markup

/// Sends a code to a number, as an app would: the first sign of life of an empty sandbox.
struct TestCodeForm {
  private let layout: Layout
  private let providers: [String]

  init(_ layout: Layout, providers: [String]) {
    self.layout = layout
    self.providers = providers
  }

  var html: HTML {
    form(
      .id("test-code"), .class("test-code"), .init("data-send", layout.url("/control/test-codes")),
      .init("data-refused", layout.url("/console/requests/{id}")),
      .init("data-done", "Sent. The code appears on its phone.")
    ) {
      field("Provider") {
        select(.name("provider")) {
          for provider in providers { option(.value(provider)) { ProviderMark.title(of: provider) } }
        }
      }
      field("Number") {
        input(
          .name("number"), .type("tel"), .value("+12025550100"), .init(flag: "required"),
          .init("autocomplete", "off"))
      }
      button(.type("submit"), .class("primary")) { "Send a test code" }
      p(.class("why"), .init("role", "alert"), .init("data-problem", "form"))
      p(.class("soft"), .init("role", "status"))
    }
  }
}
