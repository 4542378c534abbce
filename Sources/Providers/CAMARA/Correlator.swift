import Domain
import HTTP
import JSON
import ProviderKit

/// The value of `x-correlator`, by which both sides find a request in their logs. Source: contract 2.1.
struct Correlator: Equatable {
  let text: String

  /// The request's own if it may be echoed, else a new one; and whether the request's is malformed.
  static func read(_ request: Request, in sandbox: Sandbox) -> (Correlator, isMalformed: Bool) {
    let text = request.headers["x-correlator"] ?? ""
    if !text.isEmpty, isValid(text) { return (Correlator(text: text), false) }
    let fresh = uuidOfVersion4(sandbox.requestIdentifier("x-correlator"))
    return (Correlator(text: fresh), !text.isEmpty)
  }

  private static func isValid(_ text: String) -> Bool {
    text.utf8.count <= 256
      && text.utf8.allSatisfy { $0.isAlphanumeric || #"-_:;./<>{}"#.utf8.contains($0) }
  }

  func added(to response: Response) -> Response {
    var response = response
    response.headers.add("x-correlator", text)
    return response
  }
}
