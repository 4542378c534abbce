import Domain
import JSON
import ProviderKit

/// A message as a transactional send answers it. Source: contract 10.
struct TransactionalBody {
  let notification: Notification
  let sandbox: Sandbox

  /// The members.
  func write(to json: inout JSONWriter) {
    let plan = notification.plan
    json.member("id", notification.id(in: sandbox))
    json.member("template_id", plan.template.id)
    json.member("to", notification.to.description)
    json.object("variables") { plan.form.variables.write(to: &$0) }
    json.member("created_at", plan.createdAt.iso8601Milliseconds)
    json.member("expires_at", plan.expiresAt.iso8601Milliseconds)
    if let url = plan.form.callbackURL { json.member("callback_url", url) }
    if let correlation = plan.form.correlationID { json.member("correlation_id", correlation) }
    if let sender = plan.form.sender { json.member("from", sender) }
  }
}

/// The same as a send answers it, which can be put off and is measured. Source: contract 10.
struct NotificationBody {
  let notification: Notification
  let sandbox: Sandbox

  /// The members.
  func write(to json: inout JSONWriter) {
    TransactionalBody(notification: notification, sandbox: sandbox).write(to: &json)
    MessageMeasures(notification: notification).write(to: &json)
  }
}

/// When a message leaves, and how long its text is. Source: contract 10.
private struct MessageMeasures {
  let notification: Notification

  func write(to json: inout JSONWriter) {
    if let schedule = notification.plan.form.scheduleAt {
      json.member("schedule_at", schedule.iso8601Milliseconds)
    }
    guard notification.channel == .sms else { return }
    let encoding = TextEncoding(of: notification.plan.text)
    json.member("encoding", encoding.alphabet == .gsm7 ? "GSM-7" : "UCS-2")
    json.member("estimated_segment_count", encoding.segments)
  }
}

/// What became of a batch, receiver by receiver. Source: contract 10.
struct BatchBody {
  /// What became of one receiver.
  struct Result {
    /// The receiver as it came.
    let receiver: String
    /// The message, or why there is none.
    let outcome: Swift.Result<Notification, Problem>

    /// Whether there is a message.
    var isSuccess: Bool { if case .success = outcome { true } else { false } }
  }

  let form: MessageForm
  let results: [Result]
  let sandbox: Sandbox

  /// The members but for the request's id.
  func write(to json: inout JSONWriter) {
    let successes = results.count(where: \.isSuccess)
    json.member("total_count", results.count)
    json.member("success_count", successes)
    json.member("error_count", results.count - successes)
    json.array("results", results) { json, result in
      json.value { write(result, to: &$0) }
    }
    json.member("template_id", form.templateID)
    json.object("variables") { form.variables.write(to: &$0) }
    if let url = form.callbackURL { json.member("callback_url", url) }
  }

  private func write(_ result: Result, to json: inout JSONWriter) {
    json.member("phone_number", result.receiver)
    json.member("success", result.isSuccess)
    switch result.outcome {
    case .success(let notification): json.object("message") { write(notification, to: &$0) }
    case .failure(let problem):
      json.object("error") {
        $0.member("code", problem.code)
        $0.member("message", problem.message)
      }
    }
  }

  private func write(_ notification: Notification, to json: inout JSONWriter) {
    let plan = notification.plan
    json.member("id", notification.id(in: sandbox))
    json.member("to", notification.to.description)
    json.member("created_at", plan.createdAt.iso8601Milliseconds)
    json.member("expires_at", plan.expiresAt.iso8601Milliseconds)
    if let correlation = plan.form.correlationID { json.member("correlation_id", correlation) }
    if let sender = plan.form.sender { json.member("from", sender) }
    if let locale = plan.form.locale { json.member("locale", locale) }
    MessageMeasures(notification: notification).write(to: &json)
  }
}
