import ProviderKit

/// The handler of an operation whose requests are listed as push attempts, failed ones included.
func recordingAttempt(_ operation: @escaping (RequestContext) throws -> Response) -> RequestHandler {
  { request, sandbox in
    var attempt = RecordedAttempt.start(request, in: sandbox)
    let id = NotificationID(of: request, in: sandbox)
    do {
      let response = try operation(RequestContext(request, in: sandbox, id: id))
      (attempt.status, attempt.reference) = (200, id.text)
      try sandbox.pushAttempts.record(attempt)
      return response
    } catch let error as APIError {
      (attempt.status, attempt.code) = (error.status.code, error.reason.rawValue)
      try sandbox.pushAttempts.record(attempt)
      throw error.with(id)
    }
  }
}

/// An entry of the list of push attempts, failed ones included.
enum RecordedAttempt {
  /// Records a request that got an error before its operation ran.
  static func fail(_ error: APIError, of request: Request, in sandbox: Sandbox) {
    guard request.parameters.value("token") != nil else { return }
    var attempt = start(request, in: sandbox)
    (attempt.status, attempt.code) = (error.status.code, error.reason.rawValue)
    do {
      try sandbox.pushAttempts.record(attempt)
    } catch {
      sandbox.warn("a push attempt was not recorded: \(error)")
    }
  }

  fileprivate static func start(_ request: Request, in sandbox: Sandbox) -> PushAttempt {
    var attempt = sandbox.pushAttempts.start(with: APNsProvider.name)
    attempt.target = .init(kind: "token", value: DeviceToken(of: request).text)
    return attempt
  }
}
