package import ProviderKit

/// The page that plays a device. It only calls the public endpoints.
extension ProveProvider {
  package static var consolePage: ConsolePage? {
    ConsolePage(
      "/console/prove/handset", as: "showHandset", title: "Prove device",
      content: PackageResources.handset_html, files: ("handset.css", "handset.js"))
  }
}

var handsetPageRoutes: [Route<Sandbox>] {
  [
    .get("/console/prove/handset.css", as: "showHandsetStyle") { _, _ in
      .file("text/css", PackageResources.handset_css)
    },
    .get("/console/prove/handset.js", as: "showHandsetScript") { _, _ in
      .file("text/javascript", PackageResources.handset_js)
    },
  ]
}

extension Response {
  fileprivate static func file(_ type: String, _ body: [UInt8]) -> Response {
    Response(
      200,
      headers: [
        "Content-Type": "\(type); charset=utf-8",
        "Content-Security-Policy": """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
      ], body: body)
  }
}
