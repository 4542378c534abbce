import Domain
import HTTP
import JSON
import ProviderKit

// Sending. Source: contract 2, 4 and 5

/// `POST /3/device/{token}`
func sendNotification(_ context: RequestContext) throws -> Response {
  let notification = try Notification(context)
  try context.sender.require(notification.topic, in: context.sandbox)
  try context.sender.require(notification.type)
  let device = try context.device(for: notification.topic)
  try context.deliver(notification, to: device)
  var response = Response(200, headers: ["apns-id": context.id.text])
  if Environment(host: context.request.host) == .development {
    response.headers.add(
      "apns-unique-id", uuidOfVersion4(context.sandbox.requestIdentifier("apns-unique-id")))
  }
  response.remark = notification.warning
  return response
}

/// What the operation works with: a request whose credentials are valid.
struct RequestContext {
  let request: Request
  let sandbox: Sandbox
  let settings: Settings
  let sender: Sender
  let id: NotificationID

  /// Fails for bad credentials and headers.
  init(_ request: Request, in sandbox: Sandbox, id: NotificationID) throws {
    if let name = Notification.headerNames.first(where: { request.headers.values($0).count > 1 }) {
      throw APIError(.duplicateHeaders, because: "\(name): found \(request.headers.values(name).count) times")
    }
    self.request = request
    self.sandbox = sandbox
    self.id = id
    settings = try Settings.current(in: sandbox)
    sender = try Sender(of: request, in: sandbox, settings)
    if let text = request.headers["apns-id"], NotificationID(text) == nil {
      throw APIError(.badMessageID, because: "apns-id: expected a UUID; found \(text)")
    }
  }

  var token: String { DeviceToken.normalized(request[parameter: "token"]) }
}

/// The handler of an operation whose requests are listed as push attempts, failed ones included.
func recordingAttempt(
  _ operation: @escaping (RequestContext) throws -> Response
) -> (Request, Sandbox) throws -> Response {
  { request, sandbox in
    var attempt = startAttempt(request, in: sandbox)
    let id = NotificationID(of: request, in: sandbox)
    do {
      let response = try operation(RequestContext(request, in: sandbox, id: id))
      (attempt.status, attempt.reference) = (200, id.text)
      try sandbox.pushAttempts.record(attempt)
      return response
    } catch let error as APIError {
      (attempt.status, attempt.code) = (error.status.code, error.reason.rawValue)
      try sandbox.pushAttempts.record(attempt)
      throw error.with(id)
    }
  }
}

/// Records a request that got an error before its operation ran.
func recordFailedAttempt(_ error: APIError, of request: Request, in sandbox: Sandbox) {
  guard request.parameters.value("token") != nil else { return }
  var attempt = startAttempt(request, in: sandbox)
  (attempt.status, attempt.code) = (error.status.code, error.reason.rawValue)
  do {
    try sandbox.pushAttempts.record(attempt)
  } catch {
    sandbox.warn("a push attempt was not recorded: \(error)")
  }
}

private func startAttempt(_ request: Request, in sandbox: Sandbox) -> PushAttempt {
  var attempt = sandbox.pushAttempts.start(with: APNsProvider.name)
  attempt.target = .init(kind: "token", value: DeviceToken.normalized(request[parameter: "token"]))
  return attempt
}

extension RequestContext {
  fileprivate func deliver(_ notification: Notification, to device: Device) throws {
    let now = sandbox.clock.now
    let draft = MessageDraft(
      provider: APNsProvider.name, reference: id.text, channel: .push, destination: device.draft.holder,
      sender: notification.topic.text, text: notification.text, code: nil)
    let target = PushAttempt.Target(kind: "token", value: token)
    let entry = PushEntry(
      notification: notification, target: target, now: now,
      attempts: 1 + (try sandbox.pushAttempts.failuresInARow(naming: target)),
      owner: sandbox.providerOwningPush(notification.texts))
    try sandbox.pushes.send(
      draft, to: device, payload: entry.encoded, addressing: token, until: notification.expiry,
      slot: PushSlot(
        storageGroup: notification.topic.text,
        collapseID: notification.collapseID.map { "\(notification.topic.text) \($0)" }))
  }
}
