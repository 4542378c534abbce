import Crypto
import ProviderKit

// An app registers its device with the code that was sent to its number. Source: contract 5.1 and 5.4.1.

func registerDevice(_ context: HandsetContext) throws -> Response {
  let form = try RegistrationForm(context)
  let devices = context.sandbox.devices
  if let device = try devices.find(
    registeredBy: context.reference, of: context.holder, provider: TelesignProvider.name)
  {
    return response(200, with: device, context)
  }
  guard context.details.registersDevice else {
    throw APIError(3931, in: .omnichannel).because("the verification does not register a device")
  }
  try requireNumber(form.phoneNumber, of: context)
  let result = try CodeCheckResult(of: form.code, for: context.verification, in: context.sandbox)
  guard result.code == 3900 else { return context.respond(result.code, try result.status()) }
  return response(201, with: try devices.register(form.draft), context)
}

func fetchRegistration(_ context: HandsetContext) throws -> Response {
  let query = try context.request.query
  guard let number = query["phone_number"] else {
    throw FormError(field: "phone_number", expected: "a phone number")
  }
  guard let app = query["app_id"] else { throw FormError(field: "app_id", expected: "the id of the app") }
  try requireNumber(number, of: context)
  let devices = try context.sandbox.devices.all(of: context.holder, provider: TelesignProvider.name)
  let isRegistered = devices.contains { $0.draft.app == app }
  return .json(200) { $0.member("registered", isRegistered) }
}

/// Throws if the number is not the verification's.
private func requireNumber(_ text: String, of context: HandsetContext) throws {
  guard let number = ParsedNumber(text, context.settings), number.phoneNumber.description == context.holder
  else {
    throw APIError(3101, in: .omnichannel).because("phone_number: expected the number of the verification")
  }
}

private func response(_ status: Status, with device: Device, _ context: HandsetContext) -> Response {
  context.respond(3900, status) { json in
    json.member("device_id", context.sandbox.devices.identifier(of: device))
    json.member("registered", true)
  }
}

private struct RegistrationForm {
  let phoneNumber: String
  let code: String
  let draft: Device.Draft

  init(_ context: HandsetContext) throws {
    let fields = try RequestBody.json(context.request)
    phoneNumber = try fields.string("phone_number")
    code = try fields.string("otp_code")
    guard let app = try fields.shortText("app_id", maxLength: 255) else {
      throw fields.mismatch("app_id", expected: "1 to 255 bytes")
    }
    var draft = Device.Draft(provider: TelesignProvider.name, holder: context.holder, app: app)
    draft.reference = context.reference
    // The provider's SDK does not send the token: the back end did, in the request for the verification.
    draft.pushToken =
      try fields.shortText("push_app_token", maxLength: 4096) ?? context.details.recipient.pushToken
    draft.publicKey = try fields.shortText("public_key", maxLength: 1024)
    if let key = draft.publicKey, Base64.decode(key) == nil {
      throw fields.mismatch("public_key", expected: "base64")
    }
    if let platform = try fields.optionalWord("platform", of: Device.Platform.self) {
      draft.platform = platform
    }
    self.draft = draft
  }
}

extension Fields {
  /// `maxLength` in bytes.
  fileprivate func shortText(_ name: String, maxLength: Int) throws(FieldError) -> String? {
    try optionalText(name, expected: "1 to \(maxLength) bytes") { (1...maxLength).contains($0.utf8.count) }
  }
}
