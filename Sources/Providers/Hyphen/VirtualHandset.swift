import Crypto
package import ProviderKit

// The app on a virtual handset: what the mobile SDK sends, with the device's own key. Source: contract 2 and
// 5.

extension HyphenProvider {
  package static var mobileSDK: MobileSDK? {
    MobileSDK(reading: [.identity], register: registerDevice, answer: answerRequest)
  }

  /// The SDKs take the app's secret in code. Source: contract 1.
  package static var appSetup: AppSetup? {
    AppSetup { sandbox, _, _ in
      try App.all(in: sandbox).first.map { [.init("appSecret", $0.secret)] } ?? []
    }
  }
}

/// Signs a device in: by sign-up, or by a request for approval where the user has an account. The person
/// approves it at once on the device that is asked, which must be a virtual handset too.
private func registerDevice(_ handset: HandsetApp, _ enrolment: Enrolment) throws {
  // With a key of its own, the app signs in by itself.
  guard handset.device.privateKey != nil else { return }
  let number = PhoneNumber(handset.device.draft.holder)?.description.dropFirst()
  let email = enrolment.identity ?? "user-\(number ?? "handset")@example.test"
  var client = try Client(handset, email: email)
  let identity = client.identity
  let signUp = JSONWriter.object { json in
    identity.write(to: &json)
    json.object("userKey") { client.writeUserKey(to: &$0) }
  }
  let answer = try handset.exchange(client.request(.post, "/auth/v1/signup", signUp))
  if answer.isSuccess { return }
  guard (try? Fields(answer.body).string("code")) == ErrorCode.accountAlreadyExists.rawValue else {
    throw AppRefusal(client.request(.post, "/auth/v1/signup", signUp), answer)
  }

  let ask = JSONWriter.object { json in
    json.object("request") { identity.write(to: &$0) }
    json.object("userKey") { client.writeUserKey(to: &$0) }
  }
  let asked = try Fields(handset.send(client.request(.post, "/auth/v1/signin/2fa", ask)))
  let id = try asked.object("twoFactorAuth").string("id")
  client.token = try asked.string("ephemeralAccessToken")
  guard let challenge = try handset.sandbox.challenges.latest(about: id, provider: HyphenProvider.name)
  else { throw AppRefusal("no challenge of \(id)") }
  _ = try handset.sandbox.challenges.answerOnHandset(.approve, to: challenge)
  let finish = JSONWriter.object { $0.member("twoFactorAuthRequestId", id) }
  _ = try handset.send(client.request(.post, "/auth/v1/signin/2fa/finish", finish))
}

/// Signs in with the key of the device, and approves or denies. A transaction that approves exists in the
/// sandbox only: its id is the SHA-256 of the id of the request. Source: contract 8.
private func answerRequest(
  _ handset: HandsetApp, _ answer: Challenge.Answer, _ challenge: Challenge
) throws {
  guard let request = try TwoFactorAuth.find(challenge.reference, in: handset.sandbox) else {
    throw AppRefusal("no request for approval \(challenge.reference)")
  }
  guard let key = handset.device.privateKey.flatMap({ P256PrivateKey(pem: $0) }) else {
    throw AppRefusal("the key of \(request.destination.name) is not in the sandbox; its app has to answer")
  }
  var client = try Client(handset, email: request.email)
  let identity = client.identity
  let question = JSONWriter.object { json in
    json.member("challengeType", SignInChallenge.Kind.deviceKey.rawValue)
    json.object("request") { identity.write(to: &$0) }
    json.member("publicKey", handset.device.point)
  }
  let data = try Fields(handset.send(client.request(.post, "/auth/v1/signin/challenge", question)))
    .string("challengeData")
  let signed = JSONWriter.object { json in
    json.member("challengeType", SignInChallenge.Kind.deviceKey.rawValue)
    json.member("challengeData", data)
    json.object("deviceKey") {
      $0.member("signature", Hex.encode(key.deterministicRawSignature(of: Array(data.utf8))))
    }
  }
  let credentials = try Fields(
    handset.send(client.request(.post, "/auth/v1/signin/challenge/respond", signed)))
  client.token = try credentials.object("credentials").string("accessToken")
  let path = "/device/v1/2fa/\(request.id)"
  guard answer == .approve else {
    _ = try handset.send(client.request(.delete, path))
    return
  }
  let id = Hex.encode(SHA256.hash(Array(request.id.utf8)))
  let transaction = JSONWriter.object { $0.member("txId", id) }
  _ = try handset.send(client.request(.post, "\(path)/approve", transaction))
}

/// The mobile SDK in one app.
private struct Client {
  let device: Device
  let email: String
  let secret: String
  /// Goes with every request once it is there.
  var token: String?

  /// The app is the sandbox's own.
  init(_ handset: HandsetApp, email: String) throws {
    device = handset.device
    self.email = email
    secret = try App.all(in: handset.sandbox).first?.secret ?? ""
  }

  struct Identity {
    let email: String

    func write(to json: inout JSONWriter) {
      json.member("method", "firebase")
      json.member("token", FirebaseIdentity.prefix + email)
    }
  }

  var identity: Identity { Identity(email: email) }

  func writeUserKey(to json: inout JSONWriter) {
    json.member("type", UserKey.Kind.device.rawValue)
    json.member("publicKey", device.point)
    json.object("device") { json in
      let isPhone = device.draft.platform == .ios
      json.member("publicKey", device.point)
      json.member("pushToken", device.draft.pushToken ?? "")
      json.member("name", "Virtual handset")
      json.member("osName", (isPhone ? UserDevice.System.iOS : .android).rawValue)
      json.member("osVersion", isPhone ? "18.1" : "15")
      json.member("deviceManufacturer", isPhone ? "Apple" : "Nord")
      json.member("deviceModel", isPhone ? "iPhone17,1" : "FJ3")
      json.member("lang", "en")
      json.member("type", UserDevice.Kind.mobile.rawValue)
    }
  }

  func request(
    _ method: AppRequest.Method, _ path: String, _ body: [UInt8]? = nil
  ) -> AppRequest {
    var request = AppRequest(
      method, path, authorization: token.map { "Bearer \($0)" }, body: body.map { .json($0) } ?? .none)
    request.headers += [
      .init("X-Hyphen-App-Secret", secret),
      .init("X-Hyphen-SDK-Platform", device.draft.platform == .ios ? "iOS" : "Android"),
      .init("X-Hyphen-SDK-Version", "0.1.0"),
    ]
    return request
  }
}
