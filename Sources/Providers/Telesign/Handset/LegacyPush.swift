import ProviderKit

// Push verification of 2013 to 2023, which no current client uses. The provider's responses are known only
// roughly; the rest is made up. Source: contract 5.6.

func pushVerify(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  let device = try registeredDevice(form.required("phone_number"), app: nil, context)
  let reference = ReferenceID.text(.push, context.sandbox.nextOrdinal(), in: context.sandbox)
  var draft = Challenge.Draft(
    provider: TelesignProvider.name, reference: reference, holder: device.draft.holder,
    lifetime: legacyPushLifetime)
  let text = form.text("template") ?? PushChallenge.defaultText
  let message = MessageDraft(
    provider: TelesignProvider.name, reference: reference, channel: .push, destination: device.draft.holder,
    sender: device.draft.app, text: text, code: nil)
  let data = Texts([
    ("provider", TelesignProvider.name), ("type", "push_verify_v2"), ("reference_id", reference),
  ])
  draft.device = device
  draft.push = (
    message: message,
    payload: PushChallenge.payload(
      of: data, to: device, text: text, lifetime: legacyPushLifetime, at: context.sandbox.clock.now)
  )
  _ = try context.sandbox.challenges.create(draft)
  return .json(200) { json in
    json.member("reference_id", reference)
    json.member("sub_resource", "push")
    json.member("errors", [String]())
    context.writeStatus(290, to: &json)
  }
}

/// The valid code is the one that the subscriber's record pins.
func checkSoftToken(_ context: RequestContext) throws -> Response {
  let form = try LegacyForm(context.request)
  let device = try registeredDevice(form.required("phone_number"), app: form.text("bundle_id"), context)
  _ = try form.required("soft_token_id")
  let code = try form.required("verify_code")
  let pinned = try PhoneNumber(device.draft.holder).flatMap { try context.sandbox.subscribers[$0].code }
  return .json(200) { json in
    json.member("reference_id", ReferenceID.text(.push, context.sandbox.nextOrdinal(), in: context.sandbox))
    json.member("sub_resource", "soft_token")
    json.member("errors", [String]())
    json.object("verify") {
      $0.member("code_state", code == pinned ? "VALID" : "INVALID")
      $0.member("code_entered", code)
    }
    context.writeStatus(290, to: &json)
  }
}

func fetchPushRegistration(_ context: RequestContext) throws -> Response {
  let app = try context.request.query["bundle_id"]
  let device = try registeredDevice(context.request[parameter: "phone_number"], app: app, context)
  return .json(200) { json in
    json.member("errors", [String]())
    json.object("device") { json in
      json.member("device_id", context.sandbox.devices.identifier(of: device))
      json.member("phone_number", String(device.draft.holder.dropFirst()))
      json.member("platform", device.draft.platform.rawValue)
    }
    json.object("app") { json in
      json.member("bundle_id", device.draft.app)
      json.member("registered_on", device.registeredAt.iso8601Microseconds)
    }
    context.writeStatus(300, to: &json)
  }
}

private let legacyPushLifetime = Duration.seconds(300)

/// The newest device of a number; `app` nil: of any app.
private func registeredDevice(_ text: String, app: String?, _ context: RequestContext) throws -> Device {
  let number = try ParsedNumber.toSendTo(text, in: context).phoneNumber.description
  let devices = try context.sandbox.devices.all(of: number, provider: TelesignProvider.name)
  guard let device = devices.last(where: { app == nil || $0.draft.app == app }) else {
    let ofApp = app.map { " for the app \($0)" } ?? ""
    throw APIError(-50058, in: context.format)
      .because("no device of the number is registered\(ofApp): see /control/devices")
  }
  return device
}
