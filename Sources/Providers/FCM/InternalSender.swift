import ProviderKit

/// Messages of the sandbox's own providers. Source: contract 5
enum InternalSender {
  /// Sends a message of a provider, which needs no access token. Rules, token states, injected faults and the
  /// list of attempts are those of `sendMessage`. Nil for a message that is refused.
  static func send(_ message: JSON, project: String, in sandbox: Sandbox) throws -> Domain.Message? {
    let body = JSON.object([.init(name: "message", value: message)])
    var attempt = sandbox.pushAttempts.start(with: FCMProvider.name)
    attempt.target = Message.target(in: body)
    let settings = try Settings.current(in: sandbox)
    do {
      let fault = try fault(for: message, in: sandbox)
      if let fault, fault.preventsWork { throw fault.error }
      let parsed = try Message(body, settings.errorTexts)
      let id = parsed.id(in: attempt, sandbox)
      let delivery = Delivery(sandbox: sandbox, settings: settings, project: project, source: .internal)
      let sent = try delivery.deliver(parsed, id: id)
      if let fault { throw fault.error }
      (attempt.status, attempt.reference) = (200, "projects/\(project)/messages/\(id)")
      try sandbox.pushAttempts.record(attempt)
      return sent.first
    } catch let error as APIError {
      attempt.setError(error)
      try sandbox.pushAttempts.record(attempt)
      return nil
    }
  }

  /// The error of an injected fault whose value is anywhere in the message; nil if none applies.
  private static func fault(
    for message: JSON, in sandbox: Sandbox
  ) throws -> (error: APIError, preventsWork: Bool)? {
    guard try !sandbox.faults.all.isEmpty else { return nil }
    let text = SearchableText([message.encoded()])
    let fault = try sandbox.faults.first(
      provider: FCMProvider.name, route: "sendMessage", names: text.names, contains: text.contains)
    guard let fault = fault?.rule, fault.replacesAnswer else { return nil }
    let failure = RequestFailure.fault(status: fault.status.flatMap { Status($0) }, code: fault.code)
    let error = APIError(failure, to: Request(.post, Target(path: "/")), in: sandbox)
    return (error, fault.preventsWork)
  }
}
