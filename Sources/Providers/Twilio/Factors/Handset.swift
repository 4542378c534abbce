import Crypto
import Domain
import JSON
import ProviderKit

// The app on a virtual handset: what its back end and the mobile SDK send, with the device's own key. Source: contract 11.

/// Gives a device a push factor, as an app and its back end do: access token, factor, verification.
func enrolHandset(
  _ device: Device, _ enrolment: Enrolment, in sandbox: Sandbox,
  send: (AppRequest) throws -> [UInt8]
) throws {
  // With a key of its own, the app enrols by itself.
  guard let key = device.privateKey.flatMap({ P256PrivateKey(pem: $0) }) else { return }
  let own = Dictionary(
    try TwilioProvider.credentials(of: sandbox).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  let service = enrolment.service ?? own["serviceSid"] ?? ""
  let number = PhoneNumber(device.draft.holder)
  let identity =
    enrolment.identity ?? number.map { "user-\($0.description.dropFirst())" }
    ?? sandbox.devices.identifier(of: device)
  let server = basic(own["accountSid"] ?? "", own["authToken"] ?? "")
  let path = "/v2/Services/\(service)"
  let factors = "\(path)/Entities/\(identity)/Factors"

  let token = try Fields(
    send(
      AppRequest(
        "\(path)/AccessTokens", authorization: server,
        form: [("Identity", identity), ("FactorType", "push")]))
  ).string("token")
  let factor = try Fields(
    send(
      AppRequest(factors, authorization: basic(MobilePassword.userName, token), form: parameters(of: device)))
  )
  let sid = try factor.string("sid")
  let deviceToken = try deviceToken(for: factor, device, at: sandbox.clock.now)
  _ = try send(
    AppRequest(
      "\(factors)/\(sid)", authorization: basic(MobilePassword.userName, deviceToken),
      form: [("AuthPayload", Base64.encode(key.signature(of: Array(sid.utf8))))]))
}

/// Source: contract 11.2.
private func parameters(of device: Device) -> [(name: String, value: String)] {
  let platform = device.draft.platform == .ios ? "apn" : "fcm"
  let token = device.draft.platform == .ios ? device.draft.apnsToken : device.draft.pushToken
  let push: [(name: String, value: String)] =
    token.map {
      [("Config.NotificationPlatform", platform), ("Config.NotificationToken", $0)]
    } ?? [("Config.NotificationPlatform", "none")]
  return [
    ("FriendlyName", "Phone"), ("FactorType", "push"), ("Binding.Alg", "ES256"),
    ("Binding.PublicKey", device.publicKey), ("Config.AppId", device.draft.app),
    ("Config.SdkVersion", device.draft.platform == .ios ? "3.0.2" : "0.9.0"),
  ] + push
}

/// The password of a device's requests. Source: contract 11.3.
private func deviceToken(for factor: Fields, _ device: Device, at now: Timestamp) throws -> String {
  let credential = try factor.object("config").string("credential_sid")
  let account = try factor.string("account_sid")
  let header = JSONWriter.object { json in
    json.member("cty", "twilio-pba;v=1")
    json.member("kid", credential)
    json.member("typ", "JWT")
    json.member("alg", "ES256")
  }
  let claims = JSONWriter.object { json in
    json.member("sub", account)
    json.member("exp", (now + .seconds(600)).unixSeconds)
    json.member("nbf", now.unixSeconds)
  }
  return ES256Token.sign(claims, header: header, withKey: device.privateKey ?? "") ?? ""
}

private func basic(_ name: String, _ password: String) -> String {
  "Basic \(Base64.encode(Array("\(name):\(password)".utf8)))"
}

/// Signs a person's answer with the device's key, and answers the challenge with it. A device whose key is elsewhere
/// answers by itself.
func answerOnHandset(_ asked: Challenge, in sandbox: Sandbox) throws {
  guard let answer = asked.answer, var challenge = try FactorChallenge.find(asked.reference, in: sandbox),
    challenge.status(at: sandbox.clock.now) == .pending
  else { return }
  let device = try asked.device.flatMap { try sandbox.devices.find(ordinal: $0) }
  guard let key = device?.privateKey, let factor = try Factor.find(challenge.factor, in: sandbox),
    let payload = try challenge.signedAnswer(
      answer == .approve ? .approved : .denied, by: factor, withKey: key, in: sandbox)
  else {
    // Handsets with numbers may answer by themselves, where nobody reads an error.
    guard PhoneNumber(asked.holder) == nil else { return }
    throw FieldError(
      path: "id", expected: "a device of POST /control/devices, whose key the sandbox has",
      found: "the phone of \(asked.holder), whose app has to answer")
  }
  try challenge.respond(with: payload, in: sandbox)
}
