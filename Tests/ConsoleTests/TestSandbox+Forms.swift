import HTTP
import Support
import Testing

extension TestSandbox {
  /// Sends the form of a page as the browser does that was shown it.
  func submit(_ form: KeyValuePairs<String, String>, on path: String) throws -> Response {
    let page = try answer(.to(path))
    let cookie = try #require(page.headers["Set-Cookie"]?.prefix { $0 != ";" })
    let key = try #require(cookie.split(separator: "=").last)
    var request = Request.post(path, form: form, headers: ["Cookie": String(cookie)])
    request.body += "&key=\(key)".utf8
    return try answer(request)
  }
}
