import ProviderKit

// Omnichannel: a message over one channel, or over others if that fails. Source: contract 9.2.

func sendOmnichannel(_ context: RequestContext) throws -> Response {
  let form = try OmnichannelForm(context)
  let rules = AccountRules(context)
  try rules.checkSending(to: form.number)
  try rules.checkBlocks(of: form.number)
  let externalID = form.metadata.externalID
  let transaction = try Transaction.create(.omnichannelMessage, for: context, externalID: externalID) {
    try send(form, as: $0, for: context)
  }
  return .json(200) { json in
    json.member("reference_id", transaction.reference)
    if let externalID { json.member("external_id", externalID) }
    context.writeStatus(3001, to: &json)
  }
}

func fetchOmnichannel(_ context: RequestContext) throws -> Response {
  let (transaction, message) = try Transaction.find(.omnichannelMessage, for: context)
  let now = context.sandbox.clock.now
  let changedAt = message.receipts(by: now).last.map { message.submittedAt + $0.after }
  return .json(200) { json in
    json.member("reference_id", transaction.reference)
    if let externalID = transaction.externalID { json.member("external_id", externalID) }
    context.writeStatus(
      DeliveryStatus(of: message, at: now).omnichannelCode, at: changedAt ?? message.submittedAt, to: &json)
  }
}

/// `GET /capability/{channel}/{phone_number}[/{agent}]`. The agent has no effect.
func checkCapability(_ context: RequestContext) throws -> Response {
  guard let channel = OmnichannelChannel(rawValue: context.request[parameter: "channel"]) else {
    throw APIError(3113, in: context.format).because("channel: expected one of \(OmnichannelChannel.words)")
  }
  let number = try ParsedNumber.toSendTo(context.request[parameter: "phone_number"], in: context)
  let line = try LineInfo(of: number, in: context.sandbox)
  let isSupported = channel.isSupported(by: line, at: context.sandbox.clock.now)
  let reference = ReferenceID.ofRequest(in: context.sandbox)
  return .json(200) { json in
    json.member("reference_id", reference)
    context.writeStatus(line.invalidReason != nil ? 3115 : isSupported ? 3060 : 3055, to: &json)
  }
}

/// Submits a message over its channels.
///
/// The carrier decides the outcome when a message is submitted. So it is known at once which channels are
/// needed and when: the next one if one fails, or does not deliver in time. All are submitted now, later
/// ones with the time when they leave. Source: contract 9.2.
private func send(
  _ form: OmnichannelForm, as reference: String, for context: RequestContext
) throws -> [Message] {
  let sandbox = context.sandbox
  let subscriber = try sandbox.subscribers[form.number.phoneNumber]
  var messages: [Message] = []
  var leavesAt: Timestamp? = sandbox.clock.now
  for step in form.steps {
    guard let time = leavesAt else { break }
    var draft = MessageDraft(
      provider: TelesignProvider.name, reference: reference, channel: step.channel,
      destination: form.number.phoneNumber.description, sender: defaultSender, text: step.text,
      code: nil)
    draft.ending = form.number.ending?.scenario
    let message = try sandbox.messages.submit(draft, to: subscriber, at: time)
    messages.append(message)
    leavesAt = message.fallbackTime(timeout: step.timeout)
  }
  guard let last = messages.last else { return messages }
  var callback = Callback(.omnichannelDelivery, of: last.ordinal, as: reference, for: context.customer)
  callback.externalID = form.metadata.externalID
  let timeline = try DeliveryTimeline(of: last, in: sandbox)
  try callback.schedule(at: timeline.finalEntry?.at, to: form.callbackURL, in: sandbox)
  return messages
}

extension Message {
  /// When the next channel is tried: at a failure, or after the timeout; nil if the message is delivered
  /// before.
  fileprivate func fallbackTime(timeout: Duration) -> Timestamp? {
    for receipt in receipts.all where receipt.after < timeout {
      switch receipt.state {
      case .delivered, .read: return nil
      case .undeliverable, .rejected, .refused, .expired: return submittedAt + receipt.after
      case .accepted, .enroute: continue
      }
    }
    return submittedAt + timeout
  }
}
