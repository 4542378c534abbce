import Domain
import HTTP
import JSON
import ProviderKit

/// An authenticated request of a server.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  /// Sent in the body and in `X-Request-Id`. Source: contract 2.3.
  let requestID: String

  /// 200 with an object that `write` fills and that ends with `request_id`.
  func response(_ write: (inout JSONWriter) -> Void) -> Response {
    .json(
      200,
      JSONWriter.object { json in
        write(&json)
        json.member("request_id", requestID)
      })
  }

  /// 200 with an object, for operations whose responses have no `request_id`.
  func responseWithoutID(_ write: (inout JSONWriter) -> Void) -> Response {
    .json(200, JSONWriter.object(write))
  }

  /// An identifier for a record that is not stored.
  func newIdentifier(_ kind: IdentifierKind) -> String {
    identifier(kind, sandbox.nextOrdinal(), at: sandbox.clock.now, in: sandbox)
  }

  /// A number that can exist. `param` is the field that the error names.
  func requirePhoneNumber(_ text: String, param: String) throws -> PhoneNumber {
    let number = try requireE164(text, param: param)
    let validity = try sandbox.numbers.validity(of: number)
    guard validity == .valid else {
      throw APIError(.invalidPhoneNumber, param: param)
        .because(NumberPlan.explanation(of: validity, number))
    }
    return number
  }

  /// Any number in E.164, also one that cannot exist.
  func requireE164(_ text: String, param: String) throws(APIError) -> PhoneNumber {
    guard let number = PhoneNumber(text) else { throw APIError(.invalidPhoneNumber, param: param) }
    return number
  }
}

/// Longer bodies are rejected. Source: contract 11.2.
let maxBodyBytes = 1 << 20

/// The handler of an operation for servers: authenticates the request, and adds its id to responses and
/// errors.
func authenticated(
  _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let requestID = newRequestID(in: sandbox)
    do {
      try authenticate(request, in: sandbox)
      guard request.body.count <= maxBodyBytes else { throw APIError.bodyTooLarge }
      let settings = try Settings.current(in: sandbox)
      let context = RequestContext(
        request: request, sandbox: sandbox, settings: settings, requestID: requestID)
      var response = try operation(context)
      response.headers.add("X-Request-Id", requestID)
      return response
    } catch let error as APIError {
      throw error.stamped(at: sandbox.clock.now, requestID: requestID)
    }
  }
}
