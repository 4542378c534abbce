import Domain
import HTTP
import JSON
import ProviderKit

// Push verification as it was from 2013 to 2023; no client of today has it. The vendor's answers are known in
// outline only: what stands here beyond that is the sandbox's own. Source: contract 5.6.

var legacyPushRoutes: [Route<Sandbox>] {
  [
    route(.post, "/v2/verify/push", as: "pushVerify", of: .push, pushVerify),
    route(.post, "/v2/verify/soft_token", as: "checkSoftToken", of: .push, checkSoftToken),
    route(
      .get, "/v2/verify/registration/{phone_number}", as: "fetchPushRegistration", of: .push,
      fetchPushRegistration),
  ]
}

/// `POST /v2/verify/push`
func pushVerify(_ call: Call) throws -> Response {
  let device = try call.registeredDevice(call.required("phone_number"), app: nil)
  let reference = referenceID(.push, call.sandbox.nextOrdinal(), in: call.sandbox)
  var draft = Challenge.Draft(
    provider: TelesignProvider.name, reference: reference, holder: device.draft.holder,
    lifetime: legacyPushLifetime)
  let text = try call.field("template") ?? "Is it you who signs in?"
  let message = MessageDraft(
    provider: TelesignProvider.name, reference: reference, channel: .push, destination: device.draft.holder,
    sender: device.draft.app, text: text, code: nil)
  let payload = JSONWriter.object { json in
    json.object("data") { json in
      json.member("provider", TelesignProvider.name)
      json.member("type", "push_verify_v2")
      json.member("reference_id", reference)
    }
  }
  draft.device = device
  draft.push = (message: message, payload: String(decoding: payload, as: UTF8.self))
  _ = try call.sandbox.challenges.create(draft)
  return call.answer { json in
    json.member("reference_id", reference)
    json.member("sub_resource", "push")
    json.noErrors()
    call.writeStatus(290, to: &json)
  }
}

/// `POST /v2/verify/soft_token`: right is the code that the number's record pins.
func checkSoftToken(_ call: Call) throws -> Response {
  let device = try call.registeredDevice(call.required("phone_number"), app: call.field("bundle_id"))
  _ = try call.required("soft_token_id")
  let code = try call.required("verify_code")
  let pinned = try PhoneNumber(device.draft.holder).flatMap { try call.sandbox.subscribers[$0].code }
  return call.answer { json in
    json.member("reference_id", referenceID(.push, call.sandbox.nextOrdinal(), in: call.sandbox))
    json.member("sub_resource", "soft_token")
    json.noErrors()
    json.object("verify") {
      $0.member("code_state", code == pinned ? "VALID" : "INVALID")
      $0.member("code_entered", code)
    }
    call.writeStatus(290, to: &json)
  }
}

/// `GET /v2/verify/registration/{phone_number}`
func fetchPushRegistration(_ call: Call) throws -> Response {
  let app = try call.request.query["bundle_id"]
  let device = try call.registeredDevice(call.request[parameter: "phone_number"], app: app)
  return call.answer { json in
    json.noErrors()
    json.object("device") { json in
      json.member("device_id", call.sandbox.devices.identifier(of: device))
      json.member("phone_number", String(device.draft.holder.dropFirst()))
      json.member("platform", device.draft.platform.rawValue)
    }
    json.object("app") { json in
      json.member("bundle_id", device.draft.app)
      json.member("registered_on", device.registeredAt.microseconds)
    }
    call.writeStatus(300, to: &json)
  }
}

private let legacyPushLifetime = Duration.seconds(300)

extension Call {
  /// The newest device of a number, of an app where one is named; the vendor's refusal where there is none.
  fileprivate func registeredDevice(_ text: String, app: String?) throws -> Device {
    let number = try number(text).number.description
    let devices = try sandbox.devices.all(of: number, provider: TelesignProvider.name)
    guard let device = devices.last(where: { app == nil || $0.draft.app == app }) else {
      throw Problem(-50058, in: family)
        .because("no app\(app.map { " \($0)" } ?? "") is registered on the number: see /control/devices")
    }
    return device
  }
}
