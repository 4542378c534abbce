import Markup

/// A page without content: what will be here, and how to make it appear.
struct EmptyState {
  let title: String
  let text: String
  /// `Waiting for the first message…`
  let waiting: String

  func html(_ layout: Layout) -> HTML {
    div(.class("nothing")) {
      h2 { title }
      p(.class("soft")) { text }
      p { a(.href(layout.url("/console/connect"))) { "Connect your app, or send a test code" } }
      p(.class("waiting")) { waiting }
    }
  }
}
