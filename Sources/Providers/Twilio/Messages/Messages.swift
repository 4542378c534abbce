import ProviderKit

// The resource `/2010-04-01/Accounts/{account}/Messages`. Source: contract 16.2.

func createMessage(_ context: RequestContext) throws -> Response {
  let account = try AccountSID.named(by: context)
  let sandbox = context.sandbox
  let form = try MessageForm(context.request.form, in: sandbox)
  let rules = MessageRules(for: form, of: context.caller, context.sharedSettings, in: sandbox)
  let number = try rules.receiver()
  let sender = try rules.sender(to: number)
  var message = StoredMessage(form, of: account, in: sandbox)
  if context.caller.isTest {
    // Nothing is sent or kept.
    return .json(201, MessageBody(message, progress: .queued(at: message.createdAt)).json)
  }
  try message.send(form, from: sender, to: number, in: sandbox)
  return .json(201, try MessageBody(message, in: sandbox).json)
}

func fetchMessage(_ context: RequestContext) throws -> Response {
  .json(200, try MessageBody(StoredMessage.named(by: context), in: context.sandbox).json)
}

/// Redacts the text, or cancels a scheduled message.
func updateMessage(_ context: RequestContext) throws -> Response {
  var message = try StoredMessage.named(by: context)
  let form = try context.request.form
  if form.has("Body") {
    guard form["Body"] == "" else {
      throw APIError.invalidParameter("Body", expected: "an empty text, which deletes the stored one")
    }
    message.body = ""
  }
  if let status = form.text("Status") {
    guard status == "canceled" else { throw APIError.invalidParameter("Status", expected: "canceled") }
    let present = try MessageProgress(of: message, in: context.sandbox).status
    guard present == .scheduled else {
      throw APIError(code: 30409).because("\(message.sid) is \(present.rawValue), not scheduled")
    }
    try context.sandbox.messages.withdraw(message.carrierOrdinal)
    message.isCanceled = true
    try StatusCallback.replacePlanned(of: message, with: .canceled, in: context.sandbox)
  }
  message.changedAt = context.sandbox.clock.now
  try message.save(in: context.sandbox)
  return .json(200, try MessageBody(message, in: context.sandbox).json)
}

func deleteMessage(_ context: RequestContext) throws -> Response {
  try StoredMessage.table.delete(StoredMessage.named(by: context).sid, in: context.sandbox)
  return Response(204)
}

/// `Outcome` has no effect.
func createMessageFeedback(_ context: RequestContext) throws -> Response {
  let message = try StoredMessage.named(by: context)
  let outcome = try context.request.form.text("Outcome") ?? "confirmed"
  guard outcome == "confirmed" || outcome == "unconfirmed" else {
    throw APIError.invalidParameter("Outcome", expected: "confirmed or unconfirmed")
  }
  let now = context.sandbox.clock.now.rfc2822
  return .json(200) { json in
    json.member("account_sid", message.account)
    json.member("message_sid", message.sid)
    json.member("outcome", outcome)
    json.member("date_created", now)
    json.member("date_updated", now)
    json.member("uri", "\(message.path)/Feedback.json")
  }
}

extension StoredMessage {
  /// Sends a new message, and keeps it.
  mutating func send(
    _ form: MessageForm, from sender: String, to number: PhoneNumber, in sandbox: Sandbox
  ) throws {
    let carried = try submit(self, form, from: sender, to: number, in: sandbox)
    carrierOrdinal = carried.ordinal
    try Self.table.deleteOldest(of: account, in: sandbox)
    try save(in: sandbox)
    try StatusCallback.enqueue(for: self, carried, in: sandbox)
  }
}

/// Hands the message to the carrier. If the carrier refuses it, there is no message.
private func submit(
  _ message: StoredMessage, _ form: MessageForm, from sender: String, to number: PhoneNumber,
  in sandbox: Sandbox
) throws -> Message {
  let time = form.sendsAt ?? sandbox.clock.now
  var draft = MessageDraft(
    provider: TwilioProvider.name, reference: message.sid, channel: form.to.channel,
    destination: number.description, sender: sender, text: form.body, code: nil)
  draft.variables = form.variables
  let carried = try sandbox.messages.submit(
    draft, to: sandbox.subscribers[number], at: time, expiring: time + form.validity)
  guard form.sendsAt == nil, let refusal = carried.receipts.all.first, refusal.state == .refused else {
    return carried
  }
  let status = SubmitStatus.allCases.first { $0.commandStatus == refusal.error } ?? .refused
  throw APIError.message(status.errorCode, to: form.to.text, from: form.from?.text ?? sender)
    .because("the carrier has not accepted the message: \(status.rawValue)")
}

extension SubmitStatus {
  /// The sandbox's decision; the provider names no causes.
  fileprivate var errorCode: Int {
    switch self {
    case .queueFull: 21611
    case .throttled: 20429
    case .invalidDestination: 21211
    case .systemError, .refused, .deliveryFailure: 21612
    }
  }
}
