import Domain
import HTTP
import JSON
import ProviderKit

// Sending. Source: contract 1.1 to 1.3, 4 and 5

/// `POST /v1/projects/{project}/messages:send`
func sendMessage(_ context: RequestContext, _ body: JSON, _ attempt: inout PushAttempt) throws -> Response {
  let message = try Message(body, context.settings.errorTexts)
  let id = messageID(of: message, attempt, in: context.sandbox)
  let warning = try checkBackgroundPriority(of: message, context.settings)
  let delivery = Delivery(
    sandbox: context.sandbox, settings: context.settings, project: context.project, source: .external)
  _ = try delivery.deliver(message, id: id)
  let name = "projects/\(context.project)/messages/\(message.isDryRun ? "fake_message_id" : id)"
  (attempt.status, attempt.reference) = (200, name)
  var response = Response.google(200, JSONWriter.object { $0.member("name", name) })
  response.why = warning
  return response
}

/// The handler of an operation whose requests are listed as push attempts, failed ones included.
func recordingAttempt(
  _ operation: @escaping (RequestContext, JSON, inout PushAttempt) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    let body = Result { try parseBody(of: request) }
    var attempt = startAttempt(body, in: sandbox)
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

/// Records a request that got an error before its operation ran.
func recordFailedAttempt(_ error: APIError, of request: Request, in sandbox: Sandbox) {
  var attempt = startAttempt(Result { try parseBody(of: request) }, in: sandbox)
  attempt.setError(error)
  do {
    try sandbox.pushAttempts.record(attempt)
  } catch {
    sandbox.warn("a push attempt was not recorded: \(error)")
  }
}

private func parseBody(of request: Request) throws(APIError) -> JSON {
  do throws(SyntaxError) {
    return try request.document()
  } catch {
    throw APIError(400, MalformedJSON(body: request.body, error: error).message).because("body: \(error)")
  }
}

private func startAttempt(_ body: Result<JSON, any Error>, in sandbox: Sandbox) -> PushAttempt {
  var attempt = sandbox.pushAttempts.start(with: FCMProvider.name)
  if case .success(let json) = body {
    (attempt.target, attempt.isDryRun) = (Message.target(in: json), Message.isDryRun(json))
  }
  return attempt
}

extension PushAttempt {
  mutating func setError(_ error: APIError) {
    (status, code) = (error.status.code, error.code?.rawValue)
  }
}

/// To a token: `0:1767608430000003%9f2c31bd9f2c31bd`, microseconds with a counter, and the same eight hex
/// digits twice; a message of data only has fixed digits the second time. To topics: 19 decimal digits.
/// Source: contract 1.2 and additions.
func messageID(of message: Message, _ attempt: PushAttempt, in sandbox: Sandbox) -> String {
  let digits = sandbox.entropy.identifier("fcm", attempt.ordinal)
  guard message.target.isOneDevice else {
    let number = UInt64(digits.prefix(15), radix: 16) ?? 0
    return String(1_000_000_000_000_000_000 + number)
  }
  let microseconds = attempt.at.milliseconds * 1000 + Int64(attempt.ordinal % 1000)
  let isNotification = message.isVisible(on: .android) || message.isVisible(on: .ios)
  return "0:\(microseconds)%\(digits.prefix(8))\(isNotification ? digits.prefix(8) : "f9fd7ecd")"
}

extension PushAttempt.Target {
  fileprivate var isOneDevice: Bool { kind != "topic" && kind != "condition" }
}

/// Returns a warning for the journal, or fails if settings say so.
private func checkBackgroundPriority(
  of message: Message, _ settings: Settings
) throws(APIError) -> String? {
  guard message.isBackgroundPushOfHighPriority else { return nil }
  guard settings.strictBackground else {
    return "Apple refuses a background push of priority 10: apns-priority must be 5"
  }
  throw APIError(
    [Violation(field: "message.apns.headers", description: "Invalid APNs priority: 10")],
    code: .invalidArgument)
}
