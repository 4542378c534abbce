import CatalogSupport
import Domain
import HTTP
import JSON
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

  /// A value of a sandbox's credentials for Twilio.
  func twilio(_ name: String, of sandbox: String) throws -> String {
    let found = try credentials(of: try #require(sandboxes[sandbox]))["twilio"]?[name]
    guard case .string(let value)? = found else { throw NoCredentials() }
    return value
  }

  /// Lets a participant of the workshop `tuesday` send a code to a number.
  func sendCode(_ position: Int, to number: String = "+12025550100") throws -> Status {
    let own = "tuesday-\(position)"
    return try answer(
      .post(
        "/s/\(own)/v2/Services/\(twilio("serviceSid", of: own))/Verifications",
        form: ["To": number, "Channel": "sms"],
        headers: Request.basic(twilio("accountSid", of: own), twilio("authToken", of: own)))
    ).status
  }
}

private struct NoCredentials: Error {}
