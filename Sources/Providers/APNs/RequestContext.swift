import ProviderKit

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

  var token: DeviceToken { DeviceToken(of: request) }
}
