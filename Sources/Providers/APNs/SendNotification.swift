import ProviderKit

// Sending. Source: contract 2, 4 and 5

/// `POST /3/device/{token}`
func sendNotification(_ context: RequestContext) throws -> Response {
  let notification = try Notification(context)
  try context.sender.require(notification.topic, in: context.sandbox)
  try context.sender.require(notification.type)
  let device = try context.token.device(for: notification.topic, in: context.sandbox, context.settings)
  try deliver(notification, to: device, of: context)
  var response = Response(200, headers: ["apns-id": context.id.text])
  if Environment(host: context.request.host) == .development {
    response.headers.add(
      "apns-unique-id", UUIDText.version4(context.sandbox.requestIdentifier("apns-unique-id")))
  }
  response.why = notification.warning
  return response
}

private func deliver(
  _ notification: Notification, to device: Device, of context: RequestContext
) throws {
  let sandbox = context.sandbox
  let now = sandbox.clock.now
  let draft = MessageDraft(
    provider: APNsProvider.name, reference: context.id.text, channel: .push, destination: device.draft.holder,
    sender: notification.topic.text, text: notification.text, code: nil)
  let target = PushAttempt.Target(kind: "token", value: context.token.text)
  let entry = PushEntry(
    notification: notification, target: target, now: now,
    attempts: 1 + (try sandbox.pushAttempts.failuresInARow(naming: target)),
    owner: sandbox.providerOwningPush(notification.texts))
  try sandbox.pushes.send(
    draft, to: device, payload: entry.encoded, addressing: context.token.text, until: notification.expiry,
    slot: PushSlot(
      storageGroup: notification.topic.text,
      collapseID: notification.collapseID.map { "\(notification.topic.text) \($0)" }))
}
