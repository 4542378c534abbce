import ProviderKit

/// The value of `x-correlator`, by which both sides find a request in their logs. Source: contract 2.1.
struct Correlator: Equatable {
  let text: String

  /// The request's own if it may be echoed, else a new one; and whether the request's is malformed.
  static func read(_ request: Request, in sandbox: Sandbox) -> (Correlator, isMalformed: Bool) {
    let text = request.headers["x-correlator"] ?? ""
    let release = APIVersion(of: request.target.path).release
    if !text.isEmpty, release.allows(correlator: text) { return (Correlator(text: text), false) }
    let fresh = UUIDText.version4(sandbox.requestIdentifier("x-correlator"))
    return (Correlator(text: fresh), !text.isEmpty)
  }
}

/// An answer that can carry a correlator.
protocol Correlated {
  func with(_ correlator: Correlator) -> Self
}

extension Response: Correlated {
  func with(_ correlator: Correlator) -> Response {
    var response = self
    response.headers.add("x-correlator", correlator.text)
    return response
  }
}

extension Reply: Correlated {
  func with(_ correlator: Correlator) -> Reply {
    guard case .streamed(let response, let body) = self else { return self }
    return .streamed(response.with(correlator), body)
  }
}
