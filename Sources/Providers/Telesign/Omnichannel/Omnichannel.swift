import Domain
import HTTP
import JSON
import ProviderKit

// Messaging: a message over one channel after another. Source: contract 9.2.

var omnichannelRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v1/omnichannel", as: "sendOmnichannel", of: .omnichannel, sendOmnichannel),
    route(
      .get, "/v1/omnichannel/{reference_id}", as: "fetchOmnichannel", of: .omnichannel, fetchOmnichannel),
    route(
      .get, "/capability/{channel}/{phone_number}", as: "checkCapability", of: .omnichannel, checkCapability
    ),
    route(
      .get, "/capability/{channel}/{phone_number}/{agent}", as: "checkCapabilityOfAgent", of: .omnichannel,
      checkCapability),
  ] + templateRoutes
}

/// `POST /v1/omnichannel`
func sendOmnichannel(_ call: Call) throws -> Response {
  let form = try OmnichannelForm(call)
  try call.admitSending(to: form.number)
  let externalID = form.circumstances.externalID
  let transaction = try Transaction.open(.omnichannelMessage, for: call, externalID: externalID) {
    try call.send(form, as: $0)
  }
  return call.answer { json in
    json.member("reference_id", transaction.reference)
    if let externalID { json.member("external_id", externalID) }
    call.writeStatus(3001, to: &json)
  }
}

/// `GET /v1/omnichannel/{reference_id}`
func fetchOmnichannel(_ call: Call) throws -> Response {
  let (transaction, message) = try Transaction.find(.omnichannelMessage, for: call)
  let now = call.sandbox.clock.now
  let changed = message.receipts(by: now).last.map { message.submittedAt + $0.after }
  return call.answer { json in
    json.member("reference_id", transaction.reference)
    if let externalID = transaction.externalID { json.member("external_id", externalID) }
    call.writeStatus(
      Delivery(of: message, at: now).omnichannel, at: changed ?? message.submittedAt, to: &json)
  }
}

/// `GET /capability/{channel}/{phone_number}[/{agent}]`; every agent may write to every number.
func checkCapability(_ call: Call) throws -> Response {
  let word = call.request[parameter: "channel"]
  guard let channel = OmnichannelChannel(rawValue: word) else {
    throw Problem(3113, in: call.family)
      .because("channel: expected one of \(OmnichannelChannel.allCases.map(\.rawValue))")
  }
  let number = try call.number(call.request[parameter: "phone_number"])
  let line = try Line(of: number, in: call.sandbox)
  let isReached = channel.reaches(line, at: call.sandbox.clock.now)
  let reference = requestReference(in: call.sandbox)
  return call.answer { json in
    json.member("reference_id", reference)
    call.writeStatus(line.flaw != nil ? 3115 : isReached ? 3060 : 3055, to: &json)
  }
}

extension Call {
  /// Sends a message over its channels.
  ///
  /// The carrier decides what becomes of a message when it gets it, so it is known at once which channels will be
  /// needed, and when: the next one where one has failed, or has not delivered in its time. Those messages are handed
  /// over now, and leave then. Source: contract 9.2.
  func send(_ form: OmnichannelForm, as reference: String) throws -> [Message] {
    let subscriber = try sandbox.subscribers[form.number.number]
    var messages: [Message] = []
    var leavesAt: Timestamp? = sandbox.clock.now
    for step in form.steps {
      guard let time = leavesAt else { break }
      var draft = MessageDraft(
        provider: TelesignProvider.name, reference: reference, channel: step.channel,
        destination: form.number.number.description, sender: defaultSender, text: step.text,
        code: form.isPassword ? passcode(in: step.text) : nil)
      draft.ending = form.number.ending?.scenario
      let message = try sandbox.messages.submit(draft, to: subscriber, at: time)
      messages.append(message)
      leavesAt = message.givenUp(after: step.timeout)
    }
    try promiseCallback(of: messages, form, as: reference)
    return messages
  }

  private func promiseCallback(
    of messages: [Message], _ form: OmnichannelForm, as reference: String
  ) throws {
    guard let last = messages.last else { return }
    var callback = Callback(
      .omnichannelDelivery, of: last.ordinal, as: reference, for: customer)
    callback.externalID = form.circumstances.externalID
    try promise(
      callback, at: Course(of: last, in: sandbox).end, to: form.callbackURL, in: sandbox)
  }
}

extension Message {
  /// When the next channel is tried: on failure, or when this long nothing was delivered; nil where it was.
  fileprivate func givenUp(after timeout: Duration) -> Timestamp? {
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
