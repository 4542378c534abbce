import Crypto
import ProviderKit

/// The app on a virtual handset: what its back end and the mobile SDK send. Source: contract 5.1 and 5.4.
enum VirtualHandset {
  /// Registers the app with the code that the provider sends to its number. Source: contract 5.1.
  static func register(_ app: HandsetApp, _ enrolment: Enrolment) throws {
    let device = app.device
    // An app with a key of its own registers by itself. Without a number, nobody gets the code.
    guard device.privateKey != nil, let number = PhoneNumber(device.draft.holder) else { return }
    let digits = String(number.description.dropFirst())
    let order = JSONWriter.object { json in
      json.object("recipient") { json in
        json.member("phone_number", digits)
        json.member("push_app_token", device.draft.pushToken)
      }
      json.member("device_registration", "stamp")
      json.array("verification_policy", ["sms"]) { json, method in
        json.value { $0.member("method", method) }
      }
    }
    let started = try Fields(app.send(signedRequest("/verification", order, in: app.sandbox)))
    let code = try app.readCode(about: started.string("reference_id"))
    let registration = JSONWriter.object { json in
      json.member("phone_number", digits)
      json.member("app_id", device.draft.app)
      json.member("otp_code", code)
      json.member("push_app_token", device.draft.pushToken)
      json.member("platform", device.draft.platform.rawValue)
      json.member("public_key", device.publicKey)
    }
    let request = AppRequest(
      .post, "/handset/telesign/v1/registrations",
      authorization: "Bearer \(try started.string("mobile_app_token"))", body: .json(registration))
    let answer = try app.exchange(request)
    // A wrong code is answered with 200.
    guard answer.status == 201 else { throw AppRefusal(request, answer) }
  }

  /// Sends the person's decision with the token of the verification. Source: contract 5.4.2.
  static func decide(_ app: HandsetApp, _ answer: Challenge.Answer, _ challenge: Challenge) throws {
    guard let (verification, _) = try VerificationDetails.find(challenge.reference, in: app.sandbox) else {
      // A push of 2013 to 2023. Source: contract 5.6, which knows no request for the answer.
      _ = try app.sandbox.challenges.answer(answer, to: challenge)
      return
    }
    let decision = JSONWriter.object { json in
      json.member("decision", answer.rawValue)
      json.member("device_id", app.sandbox.devices.identifier(of: app.device))
    }
    var token = MobileAppToken(of: verification, in: app.sandbox).text
    if app.fault == .wrongKey { token.removeLast() }
    _ = try app.send(
      AppRequest(
        .post, "/handset/telesign/v1/verifications/\(challenge.reference)/decision",
        authorization: "Bearer \(token)", body: .json(decision)))
  }

  /// A request of the app's back end, signed with the sandbox's own API key. Source: contract 2.3.
  private static func signedRequest(_ path: String, _ body: [UInt8], in sandbox: Sandbox) throws -> AppRequest
  {
    let own = try TelesignProvider.credentialsByName(of: sandbox)
    let signed = [
      AppRequest.Parameter("x-ts-auth-method", "HMAC-SHA256"),
      AppRequest.Parameter("x-ts-nonce", sandbox.requestIdentifier("handset nonce")),
    ]
    let date = sandbox.clock.now.httpDate
    let parts = Digest.Parts(
      method: "POST", contentType: "application/json", date: date,
      headers: signed.map { "\($0.name):\($0.value)" }, body: body, path: path)
    let key = Base64.decode(own["apiKey"] ?? "") ?? []
    let signature = Base64.encode(HMAC.authenticate(parts.joined(), key: key))
    var request = AppRequest(
      .post, path, authorization: "TSA \(own["customerId"] ?? ""):\(signature)", body: .json(body))
    request.headers += signed + [AppRequest.Parameter("Date", date)]
    return request
  }
}
