import Control
import Markup

/// The page on which participants join with the phrase of their card. It is open to everybody.
struct JoinPage {
  private let request: Request
  private let key: FormKey
  private let phrase: String

  private init(_ request: Request, _ sandbox: Sandbox, phrase: String) {
    self.request = request
    key = FormKey(request, in: sandbox)
    self.phrase = phrase
  }

  /// Shows the form, filled with the phrase of the query, as in the QR code of a card. A link changes no
  /// cookie, because another site may have it.
  static func show(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    JoinPage(request, sandbox, phrase: try request.query["phrase"] ?? "").response(200)
  }

  static func submit(_ desk: JoinDesk) -> (Request, Sandbox) throws -> Response {
    { request, sandbox in
      let form = try request.form
      let page = JoinPage(request, sandbox, phrase: form["phrase"] ?? "")
      guard FormKey.isRight(in: form, of: request) else { return page.response(403, FormKey.problem) }
      return try page.join(desk)
    }
  }

  private func join(_ desk: JoinDesk) throws -> Response {
    switch try desk.join(phrase, from: request) {
    case .joined(let sandbox, let token):
      var response = Response(303, headers: ["Location": "/s/\(sandbox.name)/", "Cache-Control": "no-store"])
      response.headers.append(
        token.map { BrowserToken.field(keeping: $0, for: request) }
          ?? JoinedSandbox.field(keeping: sandbox.name, for: request))
      response.headers.append(FormKey.used(for: request))
      return response
    case .wrong: return response(404, "No card has this phrase. Check its three words.")
    case .tooManyAttempts(let seconds):
      var response = response(429, "Too many wrong phrases from your network. Try again in \(seconds) s.")
      response.headers.add("Retry-After", String(seconds))
      return response
    }
  }

  private func response(_ status: Status, _ problem: String? = nil) -> Response {
    var response = Layout.document(status, title: "Join", prefix: "", theme: Theme(request)) {
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
            .init(flag: "autofocus", phrase.isEmpty), .init("aria-describedby", "phrase-help"))
          p(.id("phrase-help"), .class("help")) { "Three words. It opens your own phones, codes and tasks." }
          key.html
          button(.type("submit"), .class("primary"), .init(flag: "autofocus", !phrase.isEmpty)) { "Join" }
        }
      }
    }
    response.headers.append(key.field(for: request))
    return response
  }
}
