import Crypto
import Domain
import HTTP
import JSON
import ProviderKit

// An app registers itself with the code that was sent to its number. Source: contract 5.1 and 5.4.1.

var registrationRoutes: [Route<Sandbox>] {
  [
    handsetRoute(.post, "/handset/telesign/v1/registrations", as: "registerDevice", registerDevice),
    handsetRoute(.get, "/handset/telesign/v1/registrations", as: "fetchRegistration", fetchRegistration),
  ]
}

/// `POST /handset/telesign/v1/registrations`
func registerDevice(_ call: HandsetCall) throws -> Response {
  let form = try RegistrationForm(call)
  let devices = call.sandbox.devices
  if let device = try devices.find(
    registeredBy: call.reference, of: call.holder, provider: TelesignProvider.name)
  {
    return answer(call, device, 200)
  }
  guard call.details.registersDevice else {
    throw Problem(3931, in: .omnichannel).because("the verification registers no device")
  }
  try call.require(number: form.phoneNumber)
  let verdict = try Verdict(of: form.code, for: call.verification, in: call.sandbox)
  guard verdict.code == 3900 else { return call.answer(verdict.code, try verdict.status()) }
  return answer(call, try devices.register(form.draft), 201)
}

/// `GET /handset/telesign/v1/registrations`
func fetchRegistration(_ call: HandsetCall) throws -> Response {
  let query = try call.request.query
  guard let number = query["phone_number"] else {
    throw FormError(field: "phone_number", expected: "a number")
  }
  guard let app = query["app_id"] else { throw FormError(field: "app_id", expected: "the app's id") }
  try call.require(number: number)
  let devices = try call.sandbox.devices.all(of: call.holder, provider: TelesignProvider.name)
  let isRegistered = devices.contains { $0.draft.app == app }
  return .json(200, JSONWriter.object { $0.member("registered", isRegistered) })
}

private func answer(_ call: HandsetCall, _ device: Device, _ status: Status) -> Response {
  call.answer(3900, status) { json in
    json.member("device_id", call.sandbox.devices.identifier(of: device))
    json.member("registered", true)
  }
}

/// The body of a registration.
private struct RegistrationForm {
  let phoneNumber: String
  let code: String
  let draft: Device.Draft

  init(_ call: HandsetCall) throws {
    let fields = try call.request.json
    phoneNumber = try fields.string("phone_number")
    code = try fields.string("otp_code")
    guard let app = try fields.shortText("app_id", atMost: 255) else {
      throw fields.mismatch("app_id", expected: "1 to 255 bytes")
    }
    var draft = Device.Draft(provider: TelesignProvider.name, holder: call.holder, app: app)
    draft.reference = call.reference
    // The vendor's own method has no token: the back end has named it when it asked for the registration.
    draft.pushToken =
      try fields.shortText("push_app_token", atMost: 4096) ?? call.details.recipient.pushToken
    draft.publicKey = try fields.shortText("public_key", atMost: 1024)
    if let key = draft.publicKey, Base64.decode(key) == nil {
      throw fields.mismatch("public_key", expected: "base64")
    }
    if let word = try fields.word("platform", Device.Platform.allCases.map(\.rawValue)) {
      draft.platform = Device.Platform(rawValue: word) ?? draft.platform
    }
    self.draft = draft
  }
}

extension Fields {
  fileprivate func shortText(_ name: String, atMost most: Int) throws(FieldError) -> String? {
    try optionalText(name, expected: "1 to \(most) bytes") { (1...most).contains($0.utf8.count) }
  }
}
