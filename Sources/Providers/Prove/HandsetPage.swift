import ProviderKit

/// The page that plays a device: `/console/prove/handset`. It only calls the public endpoints.
var handsetPageRoutes: [Route<Sandbox>] {
  [
    .get("/console/prove/handset", as: "showHandset") { _, _ in
      .page("text/html", PackageResources.handset_html)
    },
    .get("/console/prove/handset.css", as: "showHandsetStyle") { _, _ in
      .page("text/css", PackageResources.handset_css)
    },
    .get("/console/prove/handset.js", as: "showHandsetScript") { _, _ in
      .page("text/javascript", PackageResources.handset_js)
    },
  ]
}

extension Response {
  fileprivate static func page(_ type: String, _ body: [UInt8]) -> Response {
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
