import Crypto
import HTTP
import Markup

/// The pages that the operator shows to a person in the front end.
enum OperatorPage {
  static let unknownSession = message(
    404, "Nothing to decide", "This sign-in does not exist, or it has ended. Go back to the app.")

  /// A client to which nobody may be redirected.
  static func problem(_ error: OAuthError) -> Response {
    var response = page(400, "The app made a mistake") {
      p { error.description }
      p { "Go back to the app." }
    }
    response.why = error.why
    return response
  }

  static func message(_ status: Status, _ heading: String, _ text: String) -> Response {
    page(status, heading) { p { text } }
  }

  /// `canChoose`: with a box for each scope.
  static func consent(
    of client: String, to scopes: [String], for purpose: String?, path: String, canChoose: Bool = false
  ) -> Response {
    let purpose = purpose.map { String($0.dropFirst(Purpose.prefix.count)) } ?? "its service"
    return page(200, "Share data with this app?") {
      p {
        strong { client }
        " asks your operator for:"
      }
      ul(.init("class", ifPresent: canChoose ? "choice" : nil)) {
        for scope in scopes { li { if canChoose { box(for: scope) } else { scope } } }
      }
      p {
        "Purpose: "
        strong { purpose }
      }
      form(.id("decision"), .init("method", "post"), .init("action", path)) {
        button(.name("decision"), .value("allow")) { "Allow" }
        button(.name("decision"), .value("deny"), .class("quiet")) { "Deny" }
      }
    }
  }

  private static func box(for scope: String) -> HTML {
    label {
      input(
        .type("checkbox"), .name("scope"), .value(scope), .init("form", "decision"), .init(flag: "checked"))
      " \(scope)"
    }
  }

  private static func page(
    _ status: Status, _ heading: String, @HTMLBuilder content: () -> HTML
  ) -> Response {
    let html = HTML.smallPage(heading, title: heading, style: style, content: content)
    return Response(status, headers: headers, body: html)
  }

  /// Only its own style, nothing from elsewhere, no frames. A form may end at the client, whose address this
  /// page does not know.
  private static let headers: Headers = [
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": """
    default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.hash(style.source)))'; \
    base-uri 'none'; frame-ancestors 'none'
    """,
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
  ]

  private static let style = OwnCode(resource: Array(styleText.utf8))

  private static let styleText = """

    :root { color-scheme: light dark; --ink: #1c2430; --line: #dfe4ea; --paper: #fff; --ground: #f4f6f8;
      --accent: #0b6e4f; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --line: #303a46; --paper: #1b222b;
      --ground: #12171d; --accent: #4cc79a; } }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
    main { max-width: 28rem; margin: 2.5rem auto; padding: 1.25rem; background: var(--paper);
      border: 1px solid var(--line); border-radius: .6rem; }
    h1 { font-size: 1.25rem; line-height: 1.25; margin: 0 0 .75rem; }
    li { overflow-wrap: anywhere; }
    .choice { list-style: none; padding: 0; }
    form { display: flex; gap: .5rem; }
    button { font: inherit; font-weight: 600; padding: .55rem 1rem; border: 1px solid var(--accent);
      border-radius: .5rem; color: var(--paper); background: var(--accent); cursor: pointer; }
    .quiet { color: var(--accent); background: none; }

    """
}
