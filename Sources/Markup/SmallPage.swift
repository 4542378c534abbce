extension HTML {
  /// A page for a phone: a heading with what is below it, and no file but its own style.
  package static func smallPage(
    _ heading: String, title: String, style: OwnCode, @HTMLBuilder content: () -> HTML
  ) -> [UInt8] {
    document(language: "en") {
      head {
        meta(.init("charset", "utf-8"))
        meta(.name("viewport"), .init("content", "width=device-width, initial-scale=1"))
        Markup.title { title }
        style.html(in: Markup.style)
      }
      body {
        main {
          h1 { heading }
          content()
        }
      }
    }
  }
}
