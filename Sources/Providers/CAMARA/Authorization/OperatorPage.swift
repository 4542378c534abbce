import Crypto
import HTTP
import JSON

/// The pages that the operator shows to a person in the front end.
enum OperatorPage {
  static let unknownSession = page(
    404, "Nothing to decide", "<p>This sign-in does not exist, or it has ended. Go back to the app.</p>")

  /// A client to which nobody may be redirected.
  static func problem(_ error: OAuthError) -> Response {
    var response = page(
      400, "The app made a mistake", "<p>\(escaped(error.description))</p><p>Go back to the app.</p>")
    response.why = error.why
    return response
  }

  /// `canChoose`: with a box for each scope.
  static func consent(
    of client: String, to scopes: [String], for purpose: String?, path: String, canChoose: Bool = false
  ) -> Response {
    let items = scopes.map { scope in
      let text = escaped(scope)
      let box = #"<input type="checkbox" name="scope" value="\#(text)" form="decision" checked>"#
      return canChoose ? "<li><label>\(box) \(text)</label></li>" : "<li>\(text)</li>"
    }.joined()
    let purpose = purpose.map { String($0.dropFirst(Purpose.prefix.count)) } ?? "its service"
    return page(
      200, "Share data with this app?",
      """
      <p><b>\(escaped(client))</b> asks your operator for:</p>
      <ul\(canChoose ? #" class="choice""# : "")>\(items)</ul>
      <p>Purpose: <b>\(escaped(purpose))</b></p>
      <form id="decision" method="post" action="\(escaped(path))">
      <button name="decision" value="allow">Allow</button>
      <button name="decision" value="deny" class="quiet">Deny</button>
      </form>
      """)
  }

  static func page(_ status: Status, _ title: String, _ body: String) -> Response {
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(body)
      </main>
      </body>
      </html>

      """
    return Response(status, headers: headers, body: Array(html.utf8))
  }

  /// Only its own style, nothing from elsewhere, no frames. A form may end at the client, whose address this
  /// page does not know.
  private static let headers: Headers = [
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": """
    default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.hash(Array(style.utf8))))'; \
    base-uri 'none'; frame-ancestors 'none'
    """,
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
  ]

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { html, character in
      switch character {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      default: html.append(character)
      }
    }
  }

  private static let style = """

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
