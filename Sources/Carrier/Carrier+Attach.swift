import Domain
import HTTP

/// The page on which a browser becomes a handset. Source: `carrier.md` 4.5.
extension Carrier {
  /// Shows the handsets there are; with `number`, the browser is that one from now on, with an empty one none.
  static func attachHandset(_ request: Request, _ sandbox: Sandbox) throws -> Response {
    let query = try request.query
    let wish = query["number"]
    try query.requireAllRead()
    var attached = Cookies(request.headers)[HandsetCookie.name].flatMap(PhoneNumber.init)
    var cookie: String?
    if let wish, !wish.isEmpty {
      // A `+` that was not escaped has become a blank.
      guard let number = PhoneNumber(wish.first == " " ? "+" + wish.dropFirst() : wish) else {
        throw FormError(field: "number", expected: "a phone number such as +12025550100")
      }
      attached = number
      cookie = PercentCoding.encode(number.description)
    } else if wish != nil {
      attached = nil
      cookie = "; Max-Age=0"
    }
    let page = AttachPage(
      attached: attached, subscribers: try sandbox.subscribers.all, sandbox: sandbox.name,
      path: request.prefix + request.target.path)
    var response = Response(200, headers: ["Content-Type": "text/html; charset=utf-8"], body: page.html)
    if let cookie {
      let path = request.prefix.isEmpty ? "/" : request.prefix
      response.headers.add(
        "Set-Cookie", "\(HandsetCookie.name)=\(cookie); Path=\(path); HttpOnly; SameSite=Lax")
    }
    response.closesConnection = true
    return response
  }
}
