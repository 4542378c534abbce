import Control
import Domain
import HTTP
import Markup

/// The form in which a person enters a token, on a server that requires one. This page itself requires none.
struct SignInPage {
  static let path = "/console/sign-in"

  private let request: Request
  private let problem: String?

  init(_ request: Request, problem: String? = nil) {
    self.request = request
    self.problem = problem
  }

  /// Shows the form. With a token in the query, as in the link that the server prints, signs in at once.
  static func show(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    if let token = try request.query["token"] { return signIn(with: token, request) }
    return SignInPage(request).response(200)
  }

  static func submit(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    signIn(with: try request.form["token"] ?? "", request)
  }

  static func signOut(_ request: Request, _ sandbox: Sandbox) -> Response {
    var response = Response(303, headers: ["Location": "\(request.prefix)\(path)"])
    response.headers.append(BrowserToken.field(keeping: nil, for: request))
    return response
  }

  /// The next request shows whether the token is right.
  private static func signIn(with token: String, _ request: Request) -> Response {
    var response = Response(303, headers: ["Location": "\(request.prefix)/", "Cache-Control": "no-store"])
    response.headers.append(BrowserToken.field(keeping: token, for: request))
    return response
  }

  /// The answer to a browser that asked for a page without being allowed to see it.
  static func response(insteadOf denial: Response, to request: Request) -> Response {
    switch denial.status {
    case 401 where BrowserToken.read(from: request) == nil:
      return Response(303, headers: ["Location": "\(request.prefix)\(path)", "Cache-Control": "no-store"])
    case 401:
      var response = SignInPage(request, problem: "This token is wrong.").response(401)
      response.headers.append(BrowserToken.field(keeping: nil, for: request))
      return response
    case 429: return SignInPage(request, problem: "Too many wrong tokens: wait a minute.").response(429)
    case 403 where BrowserToken.read(from: request) != nil:
      return SignInPage(
        request, problem: "This page needs the admin token; you are signed in with another one."
      )
      .response(403)
    default: return denial
    }
  }

  private func response(_ status: Status) -> Response {
    Layout.document(status, title: "Sign in", prefix: request.prefix) {
      main(.id("main"), .class("sign-in")) {
        h1 { "Sign in to Ringfence" }
        if let problem { p(.class("why"), .init("role", "alert")) { problem } }
        form(.init("method", "post"), .init("action", "\(request.prefix)\(Self.path)")) {
          label(.init("for", "token")) { "Token" }
          input(
            .type("password"), .id("token"), .name("token"), .init("autocomplete", "current-password"),
            .init(flag: "required"), .init(flag: "autofocus"))
          button(.type("submit")) { "Sign in" }
        }
        p { a(.href("/join")) { "Join a workshop with the phrase of your card" } }
        p { "The server printed its admin token when it started. The token of a sandbox opens that sandbox." }
      }
    }
  }
}
