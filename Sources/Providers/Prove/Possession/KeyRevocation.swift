import ProviderKit

extension ProveProvider {
  static var keyRoutes: [Route<Sandbox>] {
    [.post("/v3/device/revoke", as: "revokeDevice", authenticated(revokeDevice))]
  }
}

/// `POST /v3/device/revoke`. Source: contract 7.6.
func revokeDevice(_ context: RequestContext) throws -> Response {
  let body = try context.body
  let deviceID = try body.requiredText("deviceId")
  _ = try body.text("clientRequestId")
  guard var key = try ProveKey.find(deviceID, of: context.client, in: context.sandbox) else {
    throw APIError(.identityNotFound).because("no Prove Key \(deviceID) of client \(context.client.id)")
  }
  key.isActive = false
  try key.save(in: context.sandbox)
  return .json(200) { $0.member("success", true) }
}
