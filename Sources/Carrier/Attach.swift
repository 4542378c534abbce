import Crypto
import Domain
import HTTP
import Markup
import Numbers

/// The page on which a browser becomes a handset. Source: `carrier.md` 4.5.
extension Carrier {
  /// Shows the handsets. `number` attaches the browser to one; an empty `number` detaches it.
  static func attachHandset(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let wanted = query["number"]
    if let unknown = query.unread.first {
      return sentence(400, "\(unknown): unknown field; expected number.")
    }
    var attached = Cookies(request.headers)[HandsetCookie.name].flatMap(PhoneNumber.init)
    var cookie: String?
    if let wanted, !wanted.isEmpty {
      // A `+` that was not escaped is decoded as a space.
      guard let number = PhoneNumber(wanted.first == " " ? "+" + wanted.dropFirst() : wanted) else {
        throw FormError(field: "number", expected: "a phone number such as +12025550100")
      }
      attached = number
      cookie = PercentCoding.encode(number.description)
    } else if wanted != nil {
      attached = nil
      cookie = "; Max-Age=0"
    }
    let page = AttachPage(
      attached: attached, subscribers: try sandbox.subscribers.all, sandbox: sandbox.name,
      path: request.prefix + request.target.path)
    var response = Response(200, headers: AttachPage.headers, body: page.html)
    if let cookie {
      let path = request.prefix.isEmpty ? "/" : request.prefix
      response.headers.add(
        "Set-Cookie", "\(HandsetCookie.name)=\(cookie); Path=\(path); HttpOnly; SameSite=Lax")
    }
    response.closesConnection = true
    return response
  }
}

/// The page on which a browser becomes a handset: the present one, a field for a number, and a list.
struct AttachPage {
  /// Only its own style, nothing from elsewhere, no frames: as the pages of the console.
  static let headers: Headers = [
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": """
    default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.hash(style.source)))'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'
    """,
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
  ]

  let attached: PhoneNumber?
  let subscribers: [Subscriber]
  let sandbox: String
  /// The page's own path.
  let path: String

  var html: [UInt8] {
    HTML.smallPage(
      "Choose a handset for this browser", title: "Choose a handset · Ringfence", style: Self.style
    ) {
      p(.class("lead")) {
        "When a page or link in sandbox "
        strong { sandbox }
        " asks the mobile network for your number, it gets the number of this handset."
      }
      status
      form(.init("action", path), .init("method", "get")) {
        label(.init("for", "number")) { "Another number" }
        div(.class("row")) {
          input(
            .id("number"), .name("number"), .init("placeholder", "+12025550100"), .init("inputmode", "tel"),
            .init("autocomplete", "off"), .init(flag: "required"), .init("pattern", #"\+[1-9][0-9]{6,14}"#))
          button { "Attach" }
        }
      }
      ul { for subscriber in subscribers where subscriber.lineType == .mobile { item(subscriber) } }
    }
  }

  private var status: HTML {
    guard let attached else {
      return p(.class("status none")) {
        "This browser is not a handset yet; the gateway's mode decides."
      }
    }
    return p(.class("status on")) {
      span(.class("dot"))
      "This browser is "
      strong { attached.description }
      " "
      a(.href("\(path)?number=")) { "Detach" }
    }
  }

  private func item(_ subscriber: Subscriber) -> HTML {
    let number = subscriber.number.description
    return li(.init("class", ifPresent: subscriber.number == attached ? "current" : nil)) {
      a(.href("\(path)?number=\(PercentCoding.encode(number))")) {
        span(.class("number")) { number }
        span(.class("about")) {
          if subscriber.coversSilent { span(.class("mark")) { "silent verification" } }
          subscriber.operatorName
          if let country = subscriber.country { " · \(country)" }
        }
      }
    }
  }

  private static let style = OwnCode(resource: Array(styleText.utf8))

  private static let styleText = """

    :root { color-scheme: light dark; --ink: #1c2430; --dim: #5b6675; --line: #dfe4ea; --paper: #fff;
      --ground: #f4f6f8; --accent: #0b6e4f; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --dim: #9aa6b5; --line: #303a46;
      --paper: #1b222b; --ground: #12171d; --accent: #4cc79a; } }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
    main { max-width: 34rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
    h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
    .lead { color: var(--dim); margin: 0 0 1.25rem; }
    .status { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem;
      padding: .75rem 1rem; margin: 0 0 1.25rem; }
    .status a { float: right; color: var(--dim); }
    .on { border-color: var(--accent); }
    .dot { display: inline-block; width: .6rem; height: .6rem; border-radius: 50%;
      background: var(--accent); margin-right: .5rem; }
    label { font-size: .875rem; color: var(--dim); }
    .row { display: flex; gap: .5rem; margin: .25rem 0 1.25rem; }
    input { flex: 1; min-width: 0; font: inherit; padding: .55rem .75rem; color: inherit;
      background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; }
    button { font: inherit; font-weight: 600; padding: .55rem 1rem; border: 0; border-radius: .5rem;
      color: var(--paper); background: var(--accent); cursor: pointer; }
    ul { list-style: none; margin: 0; padding: 0; background: var(--paper);
      border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; }
    li + li { border-top: 1px solid var(--line); }
    li a { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem;
      padding: .6rem 1rem; color: inherit; text-decoration: none; }
    li a:hover, li a:focus { background: var(--ground); }
    .number { font-variant-numeric: tabular-nums; font-weight: 600; }
    .about { color: var(--dim); font-size: .875rem; text-align: right; }
    .mark { color: var(--accent); border: 1px solid; border-radius: 1rem; padding: 0 .5rem;
      margin-right: .6rem; font-size: .75rem; }
    .current { box-shadow: inset .25rem 0 0 var(--accent); }

    """
}
