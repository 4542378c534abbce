import ProviderKit

// The resources `/v2/notify` and `/v2/transactional`. Source: contract 10.

func sendMessage(_ context: RequestContext) throws -> Response {
  let input = try NotifyRequest(context.request.json, as: .single)
  let content = try NotifyContent(input, in: context)
  let message = try NotifyMessage(content, to: input.receivers[0], in: context)
  try message.send(in: context.sandbox)
  return .json(200) { json in
    message.write(to: &json, in: context.sandbox)
    message.writeScheduleAndLength(to: &json)
  }
}

/// An error of one receiver does not affect the others.
func sendBatch(_ context: RequestContext) throws -> Response {
  let input = try NotifyRequest(context.request.json, as: .batch)
  let content = try NotifyContent(input, in: context)
  guard content.text.utf8.count <= batchTextLimit / max(1, input.receivers.count) else {
    throw APIError(.invalidTemplateVariables, param: "variables").because(
      "the texts of a batch have more than \(batchTextLimit) bytes in all")
  }
  let results = try input.receivers.map { try send(content, to: $0, in: context) }
  let successes = results.count(where: \.isSuccess)
  return context.response { json in
    json.member("total_count", results.count)
    json.member("success_count", successes)
    json.member("error_count", results.count - successes)
    json.array("results", zip(input.receivers, results)) { json, entry in
      json.value { json in
        json.member("phone_number", entry.0)
        json.member("success", entry.1.isSuccess)
        switch entry.1 {
        case .success(let message):
          json.object("message") { message.writeBatchItem(to: &$0, in: context.sandbox) }
        case .failure(let error):
          json.object("error") {
            $0.member("code", error.code)
            $0.member("message", error.message)
          }
        }
      }
    }
    json.member("template_id", input.templateID)
    json.object("variables") { input.variables.write(to: &$0) }
    if let url = input.callbackURL { json.member("callback_url", url) }
  }
}

/// In bytes. A limit of the sandbox: each receiver has a copy of the text.
private let batchTextLimit = 2 << 20

func sendTransactional(_ context: RequestContext) throws -> Response {
  let input = try NotifyRequest(context.request.json, as: .transactional)
  let content = try NotifyContent(input, in: context)
  guard content.template.category == .transactional else {
    throw APIError(.categoryForbidden, param: "template_id").because("the template is for marketing")
  }
  let message = try NotifyMessage(content, to: input.receivers[0], in: context)
  try message.send(in: context.sandbox)
  return .json(200) { message.write(to: &$0, in: context.sandbox) }
}

/// The failure is the receiver's own error.
private func send(
  _ content: NotifyContent, to receiver: String, in context: RequestContext
) throws -> Result<NotifyMessage, APIError> {
  do {
    let message = try NotifyMessage(content, to: receiver, in: context)
    try message.send(in: context.sandbox)
    return .success(message)
  } catch let error as APIError {
    return .failure(error)
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension NotifyMessage {
  /// `tx_…`
  private func id(in sandbox: Sandbox) -> String {
    Identifier.text(.message, ordinal, at: content.createdAt, in: sandbox)
  }

  fileprivate func write(to json: inout JSONWriter, in sandbox: Sandbox) {
    let input = content.input
    json.member("id", id(in: sandbox))
    json.member("template_id", content.template.id)
    json.member("to", to.description)
    json.object("variables") { input.variables.write(to: &$0) }
    json.member("created_at", content.createdAt.iso8601Milliseconds)
    json.member("expires_at", content.expiresAt.iso8601Milliseconds)
    if let url = input.callbackURL { json.member("callback_url", url) }
    if let correlationID = input.correlationID { json.member("correlation_id", correlationID) }
    if let sender = input.sender { json.member("from", sender) }
  }

  fileprivate func writeBatchItem(to json: inout JSONWriter, in sandbox: Sandbox) {
    let input = content.input
    json.member("id", id(in: sandbox))
    json.member("to", to.description)
    json.member("created_at", content.createdAt.iso8601Milliseconds)
    json.member("expires_at", content.expiresAt.iso8601Milliseconds)
    if let correlationID = input.correlationID { json.member("correlation_id", correlationID) }
    if let sender = input.sender { json.member("from", sender) }
    if let locale = input.locale { json.member("locale", locale) }
    writeScheduleAndLength(to: &json)
  }

  /// The length is that of a text message.
  fileprivate func writeScheduleAndLength(to json: inout JSONWriter) {
    if let schedule = content.input.scheduleAt { json.member("schedule_at", schedule.iso8601Milliseconds) }
    guard channel == .sms else { return }
    let encoding = TextEncoding(of: content.text)
    json.member("encoding", encoding.alphabet == .gsm7 ? "GSM-7" : "UCS-2")
    json.member("estimated_segment_count", encoding.segments)
  }
}
