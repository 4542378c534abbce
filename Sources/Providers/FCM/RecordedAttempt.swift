import ProviderKit

/// The handler of an operation whose requests are listed as push attempts, failed ones included.
func recordingAttempt(
  _ operation: @escaping (RequestContext, JSON, inout PushAttempt) throws -> Response
) -> RequestHandler {
  { request, sandbox in
    let body = Result { try RecordedAttempt.body(of: request) }
    var attempt = RecordedAttempt.start(body, in: sandbox)
    do {
      let response = try RequestContext(request, in: sandbox).run { context in
        try operation(context, body.get(), &attempt)
      }
      try sandbox.pushAttempts.record(attempt)
      return response
    } catch let error as APIError {
      attempt.setError(error)
      try sandbox.pushAttempts.record(attempt)
      throw error
    }
  }
}

/// An entry of the list of push attempts, failed ones included.
enum RecordedAttempt {
  /// Records a request that got an error before its operation ran.
  static func fail(_ error: APIError, of request: Request, in sandbox: Sandbox) {
    var attempt = start(Result { try body(of: request) }, in: sandbox)
    attempt.setError(error)
    do {
      try sandbox.pushAttempts.record(attempt)
    } catch {
      sandbox.warn("a push attempt was not recorded: \(error)")
    }
  }

  fileprivate static func body(of request: Request) throws(APIError) -> JSON {
    do throws(SyntaxError) {
      return try request.document()
    } catch {
      throw APIError(400, MalformedJSON(body: request.body, error: error).message).because("body: \(error)")
    }
  }

  fileprivate static func start(_ body: Result<JSON, any Error>, in sandbox: Sandbox) -> PushAttempt {
    var attempt = sandbox.pushAttempts.start(with: FCMProvider.name)
    if case .success(let json) = body {
      (attempt.target, attempt.isDryRun) = (Message.target(in: json), Message.isDryRun(json))
    }
    return attempt
  }
}

extension PushAttempt {
  mutating func setError(_ error: APIError) {
    (status, code) = (error.status.code, error.code?.rawValue)
  }
}
