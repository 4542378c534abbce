package import Domain
package import HTTP

/// The mobile network's own routes. Contract: `carrier.md`.
///
/// It does not know the provider: it has only a session and the URL to which it redirects the handset.
package enum Carrier {
  /// The owner's name in the router, the journal and in faults.
  package static let name = "carrier"

  /// Where providers send a handset.
  package static let gatewayPath = "/carrier/v1/authorize"

  /// The carrier as the router sees it.
  package static var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: name, routes: routes,
      errorResponse: { why, request, _ in errorResponse(for: why, to: request) },
      addCommonHeaders: { headers, _, _ in headers.append(everyAnswer) })
  }

  /// What injected faults can name. The network has no error codes.
  package static var routeNames: RouteNames {
    RouteNames(
      provider: name,
      routes: routes.map {
        .init(name: $0.name, method: $0.method.rawValue, path: $0.pattern.description)
      }, errorCodes: [])
  }

  static var routes: [Route<Sandbox>] {
    [
      .deferred(.get, Pattern(stringLiteral: gatewayPath), as: "authorize", authorize),
      .get("/handset/attach", as: "attachHandset", attachHandset),
    ]
  }

  /// The answer to a request that no handler answers: a sentence, because people read it.
  private static func errorResponse(for why: RequestFailure, to request: Request) -> Response {
    switch why {
    case .unknownPath, .notEmulated:
      sentence(404, "The network answers nothing at \(request.target.path).")
    case .wrongMethod(let allowed):
      sentence(405, "The path takes \(allowed.map(\.rawValue).joined(separator: ", ")).")
    case .malformed(let field, let expected):
      sentence(400, "\(field.map { "\($0): " } ?? "")expected \(expected).")
    case .fault(status: 429, _): sentence(429, "There were too many requests.")
    case .fault(let status, _): sentence(status ?? 503, "A fault that was asked for.")
    case .rejected(let status, let why): sentence(status, why)
    case .internalError: sentence(500, "The sandbox failed; nothing of the request was kept.")
    case .overload: sentence(503, "There is no room for another connection.")
    }
  }

  /// An answer in plain text, after which the connection is closed.
  static func sentence(_ status: Status, _ text: String) -> Response {
    var response = Response.text(status, text + "\n")
    response.closesConnection = true
    return response
  }

  /// A chain is never cached, and pages of any origin may follow it. Source: `carrier.md` 4.5.
  private static let everyAnswer: Headers = [
    "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*",
  ]
}

/// An error of the carrier.
struct NetworkProblem: ResponseError {
  let status: Status
  let sentence: String
  var why: String? { sentence }

  var response: Response { Carrier.sentence(status, sentence) }
}
