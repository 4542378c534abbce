import Markup

/// A button that sends a request of the control API.
struct ActionButton {
  let text: String
  private let method: String
  private let urls: [String]
  private let json: String?
  private let key: String?
  private let style: Style?
  /// A question that comes before the request.
  var question: String?
  /// The page that comes after it.
  var next: String?
  /// The element that shows `done` after a success, else the problem.
  var status: (id: String, done: String)?
  /// What is announced after a success.
  var said: String?
  /// True for an action of a board, which is for the selected participants.
  var isForSelection = false
  var id: String?
  /// True to show it as a switch that is on; `text` is then its label.
  var isSwitch = false

  /// Other than an ordinary button; the names are those of the stylesheet.
  enum Style: String {
    case primary
    case approve
    case danger
    case quiet
  }

  init(_ text: String, post url: String, _ json: String? = nil, key: String? = nil, style: Style? = nil) {
    (self.text, method, urls, self.json, self.key, self.style) = (text, "POST", [url], json, key, style)
  }

  init(_ text: String, put url: String, _ json: String, style: Style? = nil) {
    (self.text, method, urls, self.json, key, self.style) = (text, "PUT", [url], json, nil, style)
  }

  init(_ text: String, delete urls: [String], style: Style? = nil) {
    (self.text, method, self.urls, json, key, self.style) = (text, "DELETE", urls, nil, nil, style)
  }

  static func clearInboxes(_ layout: Layout) -> ActionButton {
    var button = ActionButton("Clear inboxes", delete: [layout.url("/control/inbox")], style: .danger)
    button.question = "Empty all inboxes? The messages are deleted."
    return button
  }

  var html: HTML {
    button(
      .type("button"), .init("id", ifPresent: id),
      .init("class", ifPresent: isSwitch ? "switch" : style?.rawValue),
      .init("role", ifPresent: isSwitch ? "switch" : nil),
      .init("aria-checked", ifPresent: isSwitch ? "true" : nil),
      .init("aria-label", ifPresent: isSwitch ? text : nil),
      .init("data-method", method),
      .init("data-urls", urls.joined(separator: " ")), .init("data-json", ifPresent: json),
      .init("data-key", ifPresent: key),
      .init("data-question", ifPresent: question), .init("data-next", ifPresent: next),
      .init("data-status", ifPresent: status?.id), .init("data-done", ifPresent: status?.done ?? said),
      .init("data-selection", ifPresent: isForSelection ? "participants" : nil)
    ) { isSwitch ? "" : text }
  }
}
