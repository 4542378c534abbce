import Control
import Domain
import HTTP
import Markup

/// The page on which participants join with the phrase of their card. It is open to everybody.
struct JoinPage {
  private let request: Request
  private let problem: String?
  private let phrase: String

  private init(_ request: Request, phrase: String = "", problem: String? = nil) {
    self.request = request
    self.phrase = phrase
    self.problem = problem
  }

  /// Shows the form. With a phrase in the query, as in the QR code of a card, joins at once, unless a page of
  /// another site leads here.
  static func show(_ desk: JoinDesk) -> (Request, Sandbox) throws -> Response {
    { request, _ in
      let phrase = try request.query["phrase"]
      if let phrase, request.foreignSite == nil { return try join(phrase, request, desk) }
      return JoinPage(request, phrase: phrase ?? "").response(200)
    }
  }

  static func submit(_ desk: JoinDesk) -> (Request, Sandbox) throws -> Response {
    { request, _ in try join(try request.form["phrase"] ?? "", request, desk) }
  }

  private static func join(_ phrase: String, _ request: Request, _ desk: JoinDesk) throws -> Response {
    switch try desk.join(phrase, from: request) {
    case .joined(let sandbox, let token):
      var response = Response(303, headers: ["Location": "/s/\(sandbox.name)/", "Cache-Control": "no-store"])
      response.headers.append(
        token.map { BrowserToken.field(keeping: $0, for: request) }
          ?? JoinedSandbox.field(keeping: sandbox.name))
      return response
    case .wrong:
      return JoinPage(request, phrase: phrase, problem: "No card has this phrase. Check its three words.")
        .response(404)
    case .tooManyAttempts(let seconds):
      var response = JoinPage(
        request, phrase: phrase,
        problem: "Too many wrong phrases from your network. Try again in \(seconds) s."
      ).response(429)
      response.headers.add("Retry-After", String(seconds))
      return response
    }
  }

  private func response(_ status: Status) -> Response {
    Layout.document(status, title: "Join", prefix: "", theme: Theme(request)) {
      main(.id("main"), .class("sign-in")) {
        Brand.html
        h1 { "Join the workshop" }
        if let problem { p(.class("why"), .init("role", "alert")) { problem } }
        form(.init("method", "post"), .init("action", "/join")) {
          label(.init("for", "phrase")) { "The phrase on your card" }
          input(
            .id("phrase"), .name("phrase"), .value(phrase), .init("autocomplete", "off"),
            .init("autocapitalize", "none"),
            .init("spellcheck", "false"), .init("placeholder", "calm-blue-otter"), .init(flag: "required"),
            .init(flag: "autofocus"), .init("aria-describedby", "phrase-help"))
          p(.id("phrase-help"), .class("help")) { "Three words. It opens your own phones, codes and tasks." }
          button(.type("submit"), .class("primary")) { "Join" }
        }
      }
    }
  }
}
