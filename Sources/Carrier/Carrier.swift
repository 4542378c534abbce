package import Domain
package import HTTP

/// The mobile network as handsets and other parties see it. Contract: `carrier.md`.
///
/// It never learns which provider asked: it sees a session and where the handset is to be sent back.
package enum Carrier {
  /// Its tag in the journal and in faults.
  package static let name = "carrier"

  /// The network as the router sees it.
  package static var owner: RouteOwner<Sandbox> {
    RouteOwner(
      name: name, routes: routes,
      errorResponse: { failure, request, _ in errorResponse(for: failure, to: request) },
      addCommonHeaders: { headers, _ in headers.append(everyAnswer) })
  }

  /// The network's operations.
  static var routes: [Route<Sandbox>] {
    [
      .deferred(.get, "/carrier/v1/authorize", as: "authorize", authorize),
      .get("/handset/attach", as: "attachHandset", attachHandset),
    ]
  }

  /// The network's words for what no handler answers: a sentence, since whoever reads it is a person.
  private static func errorResponse(for failure: RequestFailure, to request: Request) -> Response {
    switch failure {
    case .unknownPath, .notEmulated:
      sentence(404, "The network answers nothing at \(request.target.path).")
    case .wrongMethod(let allowed):
      sentence(405, "The path takes \(allowed.map(\.rawValue).joined(separator: ", ")).")
    case .malformed(let field, let expected):
      sentence(400, "\(field.map { "\($0): " } ?? "")expected \(expected).")
    case .fault(let status, _): sentence(status ?? 503, "A fault that was asked for.")
    case .failure: sentence(500, "The sandbox failed; nothing of the request was kept.")
    case .overload: sentence(503, "There is no room for another connection.")
    }
  }

  /// A sentence as an answer that ends its connection.
  static func sentence(_ status: Status, _ text: String) -> Response {
    var response = Response.text(status, text + "\n")
    response.closesConnection = true
    return response
  }

  /// Nothing of a chain may be kept, and pages of any origin may walk it. Source: `carrier.md` 4.5.
  private static let everyAnswer: Headers = [
    "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*",
  ]
}

/// A refusal of the network: a status and a sentence.
struct NetworkProblem: ResponseError {
  let status: Status
  let sentence: String
  var why: String? { sentence }

  var response: Response { Carrier.sentence(status, sentence) }
}
