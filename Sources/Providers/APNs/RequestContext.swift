import Domain
import HTTP
import ProviderKit

/// What the operation works with: a request whose credentials are valid.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let sender: Sender
  let id: NotificationID

  /// Fails for bad credentials and headers.
  init(_ request: Request, in sandbox: Sandbox, id: NotificationID) throws {
    if let name = Notification.headerNames.first(where: { request.headers.values($0).count > 1 }) {
      throw APIError(.duplicateHeaders, because: "\(name): found \(request.headers.values(name).count) times")
    }
    self.request = request
    self.sandbox = sandbox
    self.id = id
    settings = try Settings.current(in: sandbox)
    sender = try Sender(of: request, in: sandbox, settings)
    if let text = request.headers["apns-id"], NotificationID(text) == nil {
      throw APIError(.badMessageID, because: "apns-id: expected a UUID; found \(text)")
    }
  }

  var token: DeviceToken { DeviceToken(of: request) }
}

/// The handler of an operation whose requests are listed as push attempts, failed ones included.
func recordingAttempt(
  _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    var attempt = startAttempt(request, in: sandbox)
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

/// Records a request that got an error before its operation ran.
func recordFailedAttempt(_ error: APIError, of request: Request, in sandbox: Sandbox) {
  guard request.parameters.value("token") != nil else { return }
  var attempt = startAttempt(request, in: sandbox)
  (attempt.status, attempt.code) = (error.status.code, error.reason.rawValue)
  do {
    try sandbox.pushAttempts.record(attempt)
  } catch {
    sandbox.warn("a push attempt was not recorded: \(error)")
  }
}

private func startAttempt(_ request: Request, in sandbox: Sandbox) -> PushAttempt {
  var attempt = sandbox.pushAttempts.start(with: APNsProvider.name)
  attempt.target = .init(kind: "token", value: DeviceToken(of: request).text)
  return attempt
}
