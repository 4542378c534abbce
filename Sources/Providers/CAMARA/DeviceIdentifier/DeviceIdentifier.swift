import ProviderKit

// Device Identifier 0.3.0. Source: contract 10.

extension Scope {
  static let deviceIdentifier = [
    "device-identifier:retrieve-identifier",
    "device-identifier:retrieve-type",
    "device-identifier:retrieve-ppid",
  ]
}

extension CAMARAProvider {
  static var deviceIdentifierRoutes: [Route<Sandbox>] {
    [
      .post(
        "/device-identifier/v0.3/retrieve-identifier", as: "retrieveIdentifier",
        operation("device-identifier:retrieve-identifier") { context in
          try identify(context) { handset, json in
            json.member("imei", handset.imei)
            if let version = handset.handset.softwareVersion {
              json.member("imeisv", String(handset.imei.prefix(14)) + version)
            }
            handset.writeType(to: &json)
          }
        }),
      .post(
        "/device-identifier/v0.3/retrieve-type", as: "retrieveType",
        operation("device-identifier:retrieve-type") { context in
          try identify(context) { handset, json in handset.writeType(to: &json) }
        }),
      .post(
        "/device-identifier/v0.3/retrieve-ppid", as: "retrievePPID",
        operation("device-identifier:retrieve-ppid") { context in
          try identify(context) { handset, json in json.member("ppid", pseudonym(of: handset.imei, context)) }
        }),
    ]
  }
}

/// What a request wants to know about a subscriber's handset.
private func identify(
  _ context: RequestContext, _ write: (Subscriber, inout JSONWriter) -> Void
) throws -> Response {
  let target = try Target(of: context.body, context)
  try Subject.requireDevice(of: target.subscriber)
  return context.response { json in
    target.writeDevice(to: &json)
    json.member("lastChecked", context.now.iso8601Milliseconds)
    write(target.subscriber, &json)
  }
}

extension Subscriber {
  fileprivate func writeType(to json: inout JSONWriter) {
    json.member("tac", String(imei.prefix(8)))
    if let model = handset.model { json.member("model", model) }
    if let manufacturer = handset.manufacturer { json.member("manufacturer", manufacturer) }
  }
}

/// Another one for each client, the same for the same device.
private func pseudonym(of imei: String, _ context: RequestContext) -> String {
  context.sandbox.entropy.secret("ppid \(context.client.id) \(imei)", length: 64, of: .hex)
}
