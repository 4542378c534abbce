import Domain
import HTTP
import JSON
import ProviderKit

/// What every operation starts from: who calls is proven, under which settings, and the request's own id.
struct Call {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// Stands in the body and in `X-Request-Id`. Source: contract 2.3.
  let requestID: String

  /// The answer of an operation: 200 and an object that `write` fills; `request_id` comes last.
  func answer(_ write: (inout JSONWriter) -> Void) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        write(&json)
        json.member("request_id", requestID)
      })
  }

  /// The same without `request_id`, for operations that have none.
  func bareAnswer(_ write: (inout JSONWriter) -> Void) -> Response {
    .json(200, JSONWriter.object(write))
  }
}

/// An operation of a server: proves who calls, and puts the request's id on the answer, refusals included.
func calling(
  _ operation: @escaping (Call) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let requestID = requestIdentifier(in: sandbox)
    do {
      try authenticate(request, in: sandbox)
      guard request.body.count <= bodyLimit else { throw Problem.bodyTooLarge }
      let settings = try Settings.current(in: sandbox)
      let call = Call(request: request, sandbox: sandbox, settings: settings, requestID: requestID)
      var response = try operation(call)
      response.headers.add("X-Request-Id", requestID)
      return response
    } catch let problem as Problem {
      throw problem.signed(requestID)
    }
  }
}

/// A route of the server API that takes a body. A longer one than is allowed is read all the same, as far as
/// it goes, so that it is refused in JSON. Source: contract 11.2.
func post(
  _ pattern: Pattern, as name: String, _ operation: @escaping (Call) throws -> Response
) -> Route<Sandbox> {
  route(.post, pattern, as: name, operation)
}

/// The same for another method that takes a body.
func route(
  _ method: HTTP.Method, _ pattern: Pattern, as name: String,
  _ operation: @escaping (Call) throws -> Response
) -> Route<Sandbox> {
  .on(method, pattern, as: name, bodyLimit: 8 * bodyLimit, calling(operation))
}

private let bodyLimit = 1 << 20
