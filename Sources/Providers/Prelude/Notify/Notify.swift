import HTTP
import ProviderKit

// The resources `/v2/notify` and `/v2/transactional`. Source: contract 10.

func sendMessage(_ call: Call) throws -> Response {
  let form = try MessageForm(call.request.json, as: .single)
  let notification = try call.notification(call.plan(form), to: form.receivers[0])
  try notification.send(in: call.sandbox)
  return call.bareAnswer {
    NotificationBody(notification: notification, sandbox: call.sandbox).write(to: &$0)
  }
}

func sendBatch(_ call: Call) throws -> Response {
  let form = try MessageForm(call.request.json, as: .batch)
  let plan = try call.plan(form)
  let results = try form.receivers.map { receiver in
    BatchBody.Result(receiver: receiver, outcome: try call.outcome(of: plan, to: receiver))
  }
  return call.answer {
    BatchBody(form: form, results: results, sandbox: call.sandbox).write(to: &$0)
  }
}

func sendTransactional(_ call: Call) throws -> Response {
  let form = try MessageForm(call.request.json, as: .transactional)
  let plan = try call.plan(form)
  guard plan.template.category == .transactional else {
    throw Problem(.categoryForbidden, "the template is for marketing", param: "template_id")
  }
  let notification = try call.notification(plan, to: form.receivers[0])
  try notification.send(in: call.sandbox)
  return call.bareAnswer {
    TransactionalBody(notification: notification, sandbox: call.sandbox).write(to: &$0)
  }
}

extension Call {
  /// What becomes of one receiver of a batch: the others do not suffer from a refusal.
  fileprivate func outcome(
    of plan: NotificationPlan, to receiver: String
  ) throws -> Result<Notification, Problem> {
    do {
      let notification = try notification(plan, to: receiver)
      try notification.send(in: sandbox)
      return .success(notification)
    } catch let problem as Problem {
      return .failure(problem)
    }
  }
}
