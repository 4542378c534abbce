import ProviderKit

/// An authenticated request.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let application: Application
  let level: AuthLevel
  /// The name of the request in errors.
  let requestID: String

  /// A UUID.
  static func newID(in sandbox: Sandbox) -> String {
    UUIDText.version4(sandbox.requestIdentifier("sinch request"))
  }

  /// Scheme, host and path before `/id/…`, for links. Source: contract 3.
  var linkBase: String {
    sandbox.baseURL(requestOrigin: request.origin) + "/verification/v1/verifications"
  }
}

/// The handler of an operation: authenticates the request, and names it in errors.
func authenticated<Answer>(
  allowingOpenStatus isOpen: Bool = false, _ operation: @escaping (RequestContext) throws -> Answer
) -> (Request, Sandbox) throws -> Answer {
  { request, sandbox in
    let requestID = RequestContext.newID(in: sandbox)
    do {
      let settings = try Settings.current(in: sandbox)
      let (application, level) = try Authentication(
        request: request, settings: settings, sandbox: sandbox
      ).caller(isOpen: isOpen && settings.openStatus)
      return try operation(
        RequestContext(
          request: request, sandbox: sandbox, settings: settings, application: application, level: level,
          requestID: requestID))
    } catch let error as APIError {
      throw error.stamped(at: sandbox.clock.now, requestID: requestID)
    }
  }
}
