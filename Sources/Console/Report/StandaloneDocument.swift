import Crypto
package import Markup

/// An HTML file that opens from disk, needs nothing else, and asks no host for anything.
package struct StandaloneDocument {
  private let title: String
  private let script: OwnCode?

  private static let style = OwnCode(resource: Asset.stylesheet.bytes + PackageResources.report_css)

  package init(title: String, script: OwnCode? = nil) {
    self.title = title
    self.script = script
  }

  package func bytes(@HTMLBuilder content: () -> HTML) -> [UInt8] {
    HTML.document(language: "en") {
      head {
        meta(.init("charset", "utf-8"))
        meta(.init("http-equiv", "Content-Security-Policy"), .init("content", policy))
        meta(.name("viewport"), .init("content", "width=device-width, initial-scale=1"))
        Markup.title { "\(title) · Ringfence" }
        Self.style.html(in: Markup.style)
      }
      body {
        main { content() }
        if let script { script.html(in: Markup.script) }
      }
    }
  }

  /// Allows its own style and script, and nothing else.
  private var policy: String {
    let scripts = script.map { "script-src '\(Self.hash(of: $0))'; " } ?? ""
    return """
      default-src 'none'; style-src '\(Self.hash(of: Self.style))'; \(scripts)base-uri 'none'; form-action 'none'
      """
  }

  private static func hash(of code: OwnCode) -> String {
    "sha256-\(Base64.encode(SHA256.hash(code.source)))"
  }
}
