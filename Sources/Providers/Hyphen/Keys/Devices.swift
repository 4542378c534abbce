import ProviderKit

// The devices of the signed-in account. Source: contract 5.2.

/// `GET /device/v1/devices`
func listDevices(_ context: RequestContext, _ session: Session) throws -> Response {
  let devices = try session.account.devices(in: context.sandbox).compactMap(\.device)
  return .json(200) { json in
    json.array("devices", devices) { json, device in json.value { device.write(to: &$0) } }
  }
}

/// `PUT /device/v1/devices/{publicKey}`
func updateDevice(_ context: RequestContext, _ session: Session) throws -> Response {
  let sandbox = context.sandbox
  let publicKey = context.request[parameter: "publicKey"]
  let found = try Key.find(publicKey, of: session.account.id, in: sandbox)
  guard var key = found, let device = key.device else {
    throw APIError(.deviceNotFound).because("no device of \(session.account.email) has this public key")
  }
  var changed = device
  try UserDevice.change.merge(context.body, into: &changed)
  if changed.id.isEmpty { changed.id = device.id }
  changed = try changed.withID(in: session.account, sandbox)
  key.userKey?.device = changed
  key.name = changed.name
  try key.save(in: sandbox)
  if changed.pushToken != device.pushToken {
    try changed.linkPushToken(of: context.app, replacing: device, in: sandbox)
  }
  return .json(200) { json in json.object("device") { changed.write(to: &$0) } }
}
