import Control
import Domain
import HTTP
import Markup

/// The form in which a person enters a token, on a server that requires one. This page itself requires none.
struct SignInPage {
  static let path = "/console/sign-in"

  private let request: Request
  /// The page to show after signing in; nil for the first page.
  private let destination: LocalPath?
  private let problem: String?

  private init(_ request: Request, to destination: LocalPath?, problem: String? = nil) {
    self.request = request
    self.destination = destination
    self.problem = problem
  }

  /// Shows the form. With a token in the query, as in the link that the server prints, signs in at once,
  /// unless a page of another site leads here: it could sign the browser in with its own token.
  static func show(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let destination = query[field].flatMap(LocalPath.init)
    if let token = query["token"], request.foreignSite == nil {
      return signIn(with: token, request, to: destination)
    }
    return SignInPage(request, to: destination).response(200)
  }

  static func submit(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let form = try request.form
    return signIn(with: form["token"] ?? "", request, to: form[field].flatMap(LocalPath.init))
  }

  /// The field of query and form with the page to show after signing in.
  private static let field = "next"

  static func signOut(_ request: Request, _ sandbox: Sandbox) -> Response {
    var response = Response(303, headers: ["Location": "\(request.prefix)\(path)"])
    response.headers.append(BrowserToken.field(keeping: nil, for: request))
    return response
  }

  /// The next request shows whether the token is right.
  private static func signIn(with token: String, _ request: Request, to destination: LocalPath?) -> Response {
    let location = destination?.text ?? "\(request.prefix)/"
    var response = Response(303, headers: ["Location": location, "Cache-Control": "no-store"])
    response.headers.append(BrowserToken.field(keeping: token, for: request))
    return response
  }

  /// The answer to a browser that asked for a page without being allowed to see it.
  static func response(insteadOf denial: Response, to request: Request) -> Response {
    let asked = request.method == .get ? LocalPath(request.prefix + request.target.text) : nil
    func page(_ problem: String) -> SignInPage { SignInPage(request, to: asked, problem: problem) }
    switch denial.status {
    case 401 where BrowserToken.read(from: request) == nil:
      let query = asked.map { "?\(field)=\(PercentCoding.encode($0.text))" } ?? ""
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
    Layout.document(status, title: "Sign in", prefix: request.prefix, theme: Theme(request)) {
      main(.id("main"), .class("sign-in")) {
        Brand.html
        h1 { "Sign in to Ringfence" }
        if let problem {
          p(.class("why"), .init("role", "alert")) { problem }
          OwnSandboxLink(request).html
        }
        form(.init("method", "post"), .init("action", "\(request.prefix)\(Self.path)")) {
          label(.init("for", "token")) { "Token" }
          input(
            .type("password"), .id("token"), .name("token"), .init("autocomplete", "current-password"),
            .init(flag: "required"), .init(flag: "autofocus"))
          if let destination { input(.type("hidden"), .name(Self.field), .value(destination.text)) }
          button(.type("submit"), .class("primary")) { "Sign in" }
        }
        p { a(.href("/join")) { "Join a workshop with the phrase of your card" } }
        p {
          "The server printed its admin token when it started, unless it was given one. "
          "The token of a sandbox opens that sandbox."
        }
      }
    }
  }
}
