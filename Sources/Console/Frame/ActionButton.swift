import Markup

/// A button that sends a request of the control API.
struct ActionButton {
  private let text: String
  private let method: String
  private let urls: [String]
  private let json: String?
  private let key: String?
  /// A question that comes before the request.
  var question: String?
  /// The page that comes after it.
  var next: String?
  /// The element that shows `done` after a success, else the problem.
  var status: (id: String, done: String)?
  /// True for an action of a board, which is for the selected participants.
  var isForSelection = false
  var id: String?

  init(_ text: String, post url: String, _ json: String? = nil, key: String? = nil) {
    (self.text, method, urls, self.json, self.key) = (text, "POST", [url], json, key)
  }

  init(_ text: String, put url: String, _ json: String) {
    (self.text, method, urls, self.json, key) = (text, "PUT", [url], json, nil)
  }

  init(_ text: String, delete urls: [String]) {
    (self.text, method, self.urls, json, key) = (text, "DELETE", urls, nil, nil)
  }

  var html: HTML {
    button(
      .type("button"), .init("id", ifPresent: id), .init("data-method", method),
      .init("data-urls", urls.joined(separator: " ")), .init("data-json", ifPresent: json),
      .init("data-key", ifPresent: key),
      .init("data-question", ifPresent: question), .init("data-next", ifPresent: next),
      .init("data-status", ifPresent: status?.id), .init("data-done", ifPresent: status?.done),
      .init("data-selection", ifPresent: isForSelection ? "participants" : nil)
    ) { text }
  }
}
