import ProviderKit

// Sending. Source: contract 1.1 to 1.3, 4 and 5

/// `POST /v1/projects/{project}/messages:send`
func sendMessage(_ context: RequestContext, _ body: JSON, _ attempt: inout PushAttempt) throws -> Response {
  let message = try Message(body, context.settings.errorTexts)
  let id = message.id(in: attempt, context.sandbox)
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
