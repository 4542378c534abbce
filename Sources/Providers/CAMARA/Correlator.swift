import Domain
import HTTP
import ProviderKit

/// The value of `x-correlator`, by which both sides find a request in their logs. Source: contract 2.1.
struct Correlator: Equatable {
  let text: String

  /// The request's own if it may be echoed, else a new one; and whether the request's is malformed.
  static func read(_ request: Request, in sandbox: Sandbox) -> (Correlator, isMalformed: Bool) {
    let text = request.headers["x-correlator"] ?? ""
    let release = APIVersion(of: request.target.path).release
    if !text.isEmpty, release.allows(correlator: text) { return (Correlator(text: text), false) }
    let fresh = uuidOfVersion4(sandbox.requestIdentifier("x-correlator"))
    return (Correlator(text: fresh), !text.isEmpty)
  }

  func added(to response: Response) -> Response {
    var response = response
    response.headers.add("x-correlator", text)
    return response
  }
}
