import Crypto
import ProviderKit

/// The app on a virtual handset: what its back end and the mobile SDK send, with the device's own key.
/// Source: contract 11.
enum VirtualHandset {
  /// Gives a device a push factor, as an app and its back end do: access token, factor, verification.
  static func register(_ app: HandsetApp, _ enrolment: Enrolment) throws {
    let (device, sandbox) = (app.device, app.sandbox)
    // With a key of its own, the app enrols by itself.
    guard let key = device.privateKey.flatMap({ P256PrivateKey(pem: $0) }) else { return }
    let order = try EnrolmentOrder(
      enrolment, PhoneNumber(device.draft.holder), else: sandbox.devices.identifier(of: device), in: sandbox)
    let factors = "\(order.path)/Entities/\(order.identity)/Factors"
    let token = try order.accessToken(in: sandbox)
    let factor = try Fields(
      app.send(
        AppRequest(
          .post, factors, authorization: basic(MobilePassword.userName, token),
          body: .form(parameters(of: device)))))
    let sid = try factor.string("sid")
    var credential = DeviceCredential(
      id: try factor.object("config").string("credential_sid"), account: try factor.string("account_sid"),
      key: device.privateKey ?? "")
    let answer = try credential.exchange(
      .post, "\(factors)/\(sid)",
      body: .form([.init("AuthPayload", Base64.encode(key.signature(of: Array(sid.utf8))))]),
      by: app)
    try answer.requireSuccess()
  }

  /// What the app's back end gives to the app of a real phone. Source: contract 11.2.
  static func appValues(
    _ sandbox: Sandbox, _ enrolment: Enrolment, _ number: PhoneNumber?
  ) throws -> [AppRequest.Parameter] {
    let order = try EnrolmentOrder(enrolment, number, else: "user-of-the-phone", in: sandbox)
    return [
      .init("serviceSid", order.service), .init("identity", order.identity),
      .init("accessToken", try order.accessToken(in: sandbox)),
    ]
  }

  /// Source: contract 11.2.
  private static func parameters(of device: Device) -> [AppRequest.Parameter] {
    let platform = device.draft.platform == .ios ? "apn" : "fcm"
    let token = device.draft.platform == .ios ? device.draft.apnsToken : device.draft.pushToken
    let push: [AppRequest.Parameter] =
      token.map {
        [.init("Config.NotificationPlatform", platform), .init("Config.NotificationToken", $0)]
      } ?? [.init("Config.NotificationPlatform", "none")]
    return [
      .init("FriendlyName", "Phone"), .init("FactorType", "push"), .init("Binding.Alg", "ES256"),
      .init("Binding.PublicKey", device.publicKey), .init("Config.AppId", device.draft.app),
      .init("Config.SdkVersion", device.draft.platform == .ios ? "3.0.2" : "0.9.0"),
    ] + push
  }

  /// Reads a challenge, and answers it with the members that the provider wants signed. Source: contract
  /// 11.8.
  static func answer(_ app: HandsetApp, _ answer: Challenge.Answer, _ asked: Challenge) throws {
    guard let challenge = try FactorChallenge.find(asked.reference, in: app.sandbox),
      let factor = try Factor.find(challenge.factor, in: app.sandbox), let push = factor.push
    else { throw AppRefusal("the factor of \(asked.reference) was deleted") }
    guard let key = app.device.privateKey else {
      throw AppRefusal(
        "expected a device of POST /control/devices, whose key the sandbox has; the app of \(asked.holder) has to answer"
      )
    }
    var credential = DeviceCredential(id: push.credential, account: factor.account, key: key)
    let path = "/v2/Services/\(challenge.service)/Entities/\(challenge.identity)/Challenges/\(challenge.sid)"
    let read = try credential.exchange(.get, path, by: app)
    try read.requireSuccess()
    // An app that answers late has read the challenge while it was pending.
    let earlier = app.fault == .late ? try Settings.current(in: app.sandbox).signatureFields : nil
    guard let names = read.response.header("Twilio-Verify-Signature-Fields") ?? earlier, !names.isEmpty else {
      throw AppRefusal("\(path) answered without Twilio-Verify-Signature-Fields")
    }
    let members = try JSON(parsing: read.response.body)
    var claims: [JSON.Member] = []
    for name in names.split(separator: ",").map({ String($0) }) where name != "status" {
      guard let value = members[name] else {
        throw AppRefusal("\(path) answered without the member \(name), which is to be signed")
      }
      claims.append(.init(name: name, value: value))
    }
    claims.append(.init(name: "status", value: .string(answer == .approve ? "approved" : "denied")))
    let header = Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8)
    let signed = JSONWebToken.sign(JSON.object(claims).encoded(), header: header, es256Key: key) ?? ""
    try credential.exchange(.post, path, body: .form([.init("AuthPayload", signed)]), by: app)
      .requireSuccess()
  }
}

/// For whom the app's back end wants a factor, and its credentials.
private struct EnrolmentOrder {
  let service: String
  let identity: String
  let authorization: String

  init(
    _ enrolment: Enrolment, _ number: PhoneNumber?, else other: @autoclosure () -> String, in sandbox: Sandbox
  ) throws {
    let own = try TwilioProvider.credentialsByName(of: sandbox)
    service = enrolment.service ?? own["serviceSid"] ?? ""
    identity = enrolment.identity ?? number.map { "user-\($0.description.dropFirst())" } ?? other()
    authorization = basic(own["accountSid"] ?? "", own["authToken"] ?? "")
  }

  var path: String { "/v2/Services/\(service)" }

  func accessToken(in sandbox: Sandbox) throws -> String {
    try Fields(
      sandbox.send(
        AppRequest(
          .post, "\(path)/AccessTokens", authorization: authorization,
          body: .form([
            .init("Identity", identity), .init("FactorType", "push"), .init("Ttl", "300"),
          ])), to: TwilioProvider.name)
    ).string("token")
  }
}

/// What the app has kept of its factor, with which it signs its requests. Source: contract 11.3.
private struct DeviceCredential {
  let id: String
  let account: String
  let key: String
  /// Corrects the handset's clock, after the provider has refused a token.
  private var offset = Duration.zero

  init(id: String, account: String, key: String) {
    self.id = id
    self.account = account
    self.key = key
  }

  /// A request and its answer.
  struct Exchange {
    let request: AppRequest
    let response: AppResponse

    func requireSuccess() throws(AppRefusal) {
      guard response.isSuccess else { throw AppRefusal(request, response) }
    }
  }

  /// After 401, the SDK takes the time from the answer and tries once more.
  mutating func exchange(
    _ method: AppRequest.Method, _ path: String, body: AppRequest.Body = .none, by app: HandsetApp
  ) throws -> Exchange {
    let first = try send(method, path, body: body, by: app)
    guard first.response.status == 401, let date = first.response.header("Date"),
      let time = Timestamp(rfc1123: date)
    else { return first }
    offset = time - app.now
    return try send(method, path, body: body, by: app)
  }

  private func send(
    _ method: AppRequest.Method, _ path: String, body: AppRequest.Body, by app: HandsetApp
  ) throws -> Exchange {
    let request = AppRequest(
      method, path, authorization: basic(MobilePassword.userName, token(at: app.now + offset)), body: body)
    return Exchange(request: request, response: try app.exchange(request))
  }

  private func token(at now: Timestamp) -> String {
    let header = JSONWriter.object { json in
      json.member("cty", "twilio-pba;v=1")
      json.member("kid", id)
      json.member("typ", "JWT")
      json.member("alg", "ES256")
    }
    let claims = JSONWriter.object { json in
      json.member("sub", account)
      json.member("exp", (now + .seconds(600)).unixSeconds)
      json.member("nbf", now.unixSeconds)
    }
    return JSONWebToken.sign(claims, header: header, es256Key: key) ?? ""
  }
}

private func basic(_ name: String, _ password: String) -> String {
  BasicAuthentication(name: name, password: password).field
}
