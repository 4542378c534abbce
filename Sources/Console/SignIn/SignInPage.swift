import Control
import Markup

/// The form in which a person enters a token, on a server that requires one. This page itself requires none.
struct SignInPage {
  static let path = "/console/sign-in"
  private static let tokenField = "token"
  /// The field of query and form with the page to show after signing in.
  private static let destinationField = "next"

  private let request: Request
  private let key: FormKey
  /// That of a link; nil to ask for one.
  private let token: String?
  /// The page to show after signing in; nil for the first page.
  private let destination: LocalPath?
  private let problem: String?

  private init(
    _ request: Request, _ sandbox: Sandbox, token: String? = nil, to destination: LocalPath?,
    problem: String? = nil
  ) {
    self.request = request
    key = FormKey(request, in: sandbox)
    self.token = token.flatMap { $0.isEmpty ? nil : $0 }
    self.destination = destination
    self.problem = problem
  }

  /// Shows the form. With a token in the query, as in the link that the server prints, it has one button: a
  /// link changes no cookie, because another site may have it.
  static func show(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let destination = query[destinationField].flatMap(LocalPath.init)
    return SignInPage(request, sandbox, token: query[tokenField], to: destination).response(200)
  }

  /// The next request shows whether the token is right.
  static func submit(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let form = try request.form
    let (token, destination) = (form[tokenField], form[destinationField].flatMap(LocalPath.init))
    guard FormKey.isRight(in: form, of: request) else {
      let page = SignInPage(request, sandbox, token: token, to: destination, problem: FormKey.problem)
      return page.response(403)
    }
    let location = destination?.text ?? "\(request.prefix)/"
    var response = Response(303, headers: ["Location": location, "Cache-Control": "no-store"])
    response.headers.append(BrowserToken.field(keeping: token ?? "", for: request))
    response.headers.append(FormKey.used(for: request))
    return response
  }

  static func signOut(_ request: Request, _ sandbox: Sandbox) -> Response {
    var response = Response(303, headers: ["Location": "\(request.prefix)\(path)"])
    response.headers.append(BrowserToken.field(keeping: nil, for: request))
    return response
  }

  /// The answer to a browser that asked for a page without being allowed to see it.
  static func response(insteadOf denial: Response, to request: Request, _ sandbox: Sandbox) -> Response {
    let asked = request.method == .get ? LocalPath(request.prefix + request.target.text) : nil
    func page(_ problem: String) -> SignInPage { SignInPage(request, sandbox, to: asked, problem: problem) }
    switch denial.status {
    case 401 where BrowserToken.read(from: request) == nil:
      let query = asked.map { "?\(destinationField)=\(PercentCoding.encode($0.text))" } ?? ""
      return Response(
        303, headers: ["Location": "\(request.prefix)\(path)\(query)", "Cache-Control": "no-store"])
    case 401, 429:
      let isRepeated = denial.status == 429
      let advice = isRepeated ? " There were many wrong ones: use the right one, or wait a minute." : ""
      var response = page("This token is wrong.\(advice)").response(denial.status)
      response.headers.append(BrowserToken.field(keeping: nil, for: request))
      return response
    case 403 where request.method == .get && BrowserToken.read(from: request) != nil:
      return page("This page needs the admin token; this browser is signed in with another one.").response(
        403)
    case 404: return ErrorPage.missingSandbox(request)
    default: return denial
    }
  }

  private func response(_ status: Status) -> Response {
    var response = Layout.document(status, title: "Sign in", prefix: request.prefix, theme: Theme(request)) {
      main(.id("main"), .class("sign-in")) {
        Brand.html
        h1 { "Sign in to Ringfence" }
        if let problem {
          p(.class("why"), .init("role", "alert")) { problem }
          OwnSandboxLink(request).html
        }
        form(.init("method", "post"), .init("action", "\(request.prefix)\(Self.path)")) {
          if let token { offer(of: token) } else { question }
          if let destination {
            input(.type("hidden"), .name(Self.destinationField), .value(destination.text))
          }
          key.html
          button(.type("submit"), .class("primary"), .init(flag: "autofocus", token != nil)) { "Sign in" }
        }
        if token == nil { help }
      }
    }
    response.headers.append(key.field(for: request))
    return response
  }

  @HTMLBuilder private var question: HTML {
    label(.init("for", "token")) { "Token" }
    input(
      .type("password"), .id("token"), .name(Self.tokenField), .init("autocomplete", "current-password"),
      .init(flag: "required"), .init(flag: "autofocus"))
  }

  @HTMLBuilder private func offer(of token: String) -> HTML {
    p {
      if let name = BrowserToken.sandboxName(in: token) {
        "This token opens the sandbox "
        strong { name }
        "."
      } else {
        "This token opens the whole server: every sandbox, and the workshops."
      }
      if BrowserToken.read(from: request) != nil { " It replaces the token of this browser." }
    }
    input(.type("hidden"), .name(Self.tokenField), .value(token))
  }

  @HTMLBuilder private var help: HTML {
    p { a(.href("/join")) { "Join a workshop with the phrase of your card" } }
    p {
      "The server printed its admin token when it started, unless it was given one. "
      "The token of a sandbox opens that sandbox."
    }
  }
}
