import Markup

/// A button that copies a text. It says whether that worked.
struct CopyButton {
  private let text: String
  private let name: String
  /// The key that presses it.
  var key: String?

  /// `name`: what is copied, for people who do not see the button's place.
  init(_ text: String, _ name: String) { (self.text, self.name) = (text, name) }

  var html: HTML {
    button(
      .type("button"), .class("quiet"), .init("data-copy", text), .init("data-key", ifPresent: key),
      .label("Copy \(name)")
    ) { "Copy" }
  }

  /// The same with a visible name.
  func labelled(_ label: String) -> HTML {
    button(.type("button"), .init("data-copy", text), .label("Copy \(name)")) { label }
  }
}
