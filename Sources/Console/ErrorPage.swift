import Markup
import ProviderKit

/// The page for a request that no page answers.
struct ErrorPage: Page {
  private let status: Status
  private let reason: String
  private var detail: String?
  /// The page to go on with; nil for the sandbox's phones.
  private var next: (url: String, name: String)?

  init(_ status: Status, _ reason: String) { (self.status, self.reason) = (status, reason) }

  /// For a workshop that was deleted, or never was.
  init(unknownWorkshop name: String) {
    self.init(404, "There is no workshop \(name).")
    detail = "Maybe it was deleted, with its sandboxes and its results."
    next = ("/console/workshops", "Workshops")
  }

  init(_ failure: RequestFailure) {
    switch failure {
    case .unknownPath, .notEmulated: (status, reason) = (404, "There is no such page.")
    case .wrongMethod(let allowed):
      (status, reason) = (405, "This page only answers \(allowed.map(\.rawValue).joined(separator: ", ")).")
    case .malformed(let field, let expected):
      (status, reason) = (400, "\(field ?? "The address"): expected \(expected).")
    case .fault(let code, _): (status, reason) = (code ?? 500, "This request failed.")
    case .rejected(let code, let why): (status, reason) = (code, why)
    case .internalError: (status, reason) = (500, "The server failed. Its log says why.")
    case .overload: (status, reason) = (503, "The server is busy.")
    }
  }

  var title: String { reason }

  func content(_ layout: Layout) -> HTML {
    section(.class("panel nothing")) {
      h1 { reason }
      if let detail { p { detail } }
      p(.class("actions")) {
        a(.class("button"), .href(next?.url ?? layout.url("/"))) { next?.name ?? "Phones" }
      }
    }
  }

  /// For a sandbox that does not exist, or that the browser's token does not open. So nothing of a sandbox is
  /// on it.
  static func missingSandbox(_ request: Request) -> Response {
    let text = "There is no such sandbox"
    return Layout.document(404, title: text, prefix: "", theme: Theme(request)) {
      main(.id("main"), .class("sign-in")) {
        Brand.html
        h1 { text }
        p { "It may have been deleted, for example with its workshop, or it is not yours." }
        OwnSandboxLink(request, insteadOf: request.prefix).html
        p { a(.href("/join")) { "Join a workshop with the phrase of your card" } }
        p { a(.href(SignInPage.path)) { "Sign in with another token" } }
      }
    }
  }

  func response(_ request: Request, _ sandbox: Sandbox) -> Response {
    guard let layout = try? Layout(request, sandbox) else { return .text(status, reason + "\n") }
    return layout.response(status, self)
  }
}

/// The error for a page whose subject does not exist, such as an unknown phone.
struct NotFound: ResponseError {
  let response: Response
  var why: String? { nil }

  /// Completes the sentence "There is no …".
  init(_ what: String, _ request: Request, _ sandbox: Sandbox) throws {
    response = try Layout(request, sandbox).response(404, ErrorPage(404, "There is no \(what)."))
  }

  init(workshop name: String, _ request: Request, _ sandbox: Sandbox) throws {
    response = try Layout(request, sandbox).response(404, ErrorPage(unknownWorkshop: name))
  }
}
