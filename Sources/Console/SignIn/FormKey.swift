import Control
import Markup

/// The value that a form and the browser that shows it have in common, until the form is sent.
///
/// ```
/// GET page ──> the value, in the form and in a cookie
/// POST form ──> equal? ──> done; the cookie is removed
/// ```
/// Over plain HTTP on a name, browsers do not say from which site a request comes. Another site cannot read
/// the value, and the browser does not send the cookie with its forms.
struct FormKey {
  private static let (name, cookie) = ("key", "ringfence-form")
  static let problem = "This page was sent already, or this browser keeps no cookies. Try again."

  private let value: String

  /// The browser's, which may have several pages open, or a new one.
  init(_ request: Request, in sandbox: Sandbox) {
    value = Self.known(request) ?? sandbox.requestToken("form")
  }

  /// True for a form that this browser was shown and has not sent yet.
  static func isRight(in form: Form, of request: Request) -> Bool {
    form[name].map { $0 == known(request) } ?? false
  }

  private static func known(_ request: Request) -> String? {
    request.cookie(cookie).flatMap { $0.isEmpty ? nil : $0 }
  }

  var html: HTML { input(.type("hidden"), .name(Self.name), .value(value)) }

  /// The field that makes the browser keep it.
  func field(for request: Request) -> Headers {
    BrowserCookie.field(Self.cookie, keeping: value, for: request)
  }

  /// The field that makes the browser forget it.
  static func used(for request: Request) -> Headers {
    BrowserCookie.field(cookie, keeping: nil, for: request)
  }
}
