import HTTP
import JSON
import Support
import Testing

@Suite("Hyphen · every operation", .contract("hyphen.md 5.1"))
struct HyphenGoldenTests {
  let world: HyphenWorld
  let old: SignedIn

  init() throws {
    world = try HyphenWorld()
    old = try world.signUp(Phone("old"))
  }

  @Test("sign-up creates an account, once for a user")
  func signUp() throws {
    let body =
      #"{"method":"firebase","token":"sbx-user:ada@example.test","chainName":"flow-mainnet","userKey":\#(Phone("new").userKey)}"#

    try world.call(.post, "/auth/v1/signup", body).matches(golden: "created")
    try world.call(.post, "/auth/v1/signup", body).matches(golden: "account-exists")
  }

  @Test("a key signs in with a challenge, which can be answered once")
  func challenge() throws {
    let body =
      #"{"challengeType":"deviceKey","request":{"method":"firebase","token":"sbx-user:\#(HyphenWorld.user)"},"publicKey":"\#(old.phone.publicKey)"}"#
    let challenge = try world.call(.post, "/auth/v1/signin/challenge", body)
    challenge.matches(golden: "created")
    try world.call(
      .post, "/auth/v1/signin/challenge",
      #"{"challengeType":"deviceKey","request":{"method":"firebase","token":"sbx-user:ada@example.test"},"publicKey":"\#(old.phone.publicKey)"}"#
    ).matches(golden: "no-account")

    let data = try world.fields(of: challenge).string("challengeData")
    let answer =
      #"{"challengeType":"deviceKey","challengeData":"\#(data)","deviceKey":{"signature":"\#(old.phone.sign(data))"}}"#
    try world.call(.post, "/auth/v1/signin/challenge/respond", answer).matches(golden: "signed-in")
    try world.call(.post, "/auth/v1/signin/challenge/respond", answer).matches(golden: "answered-before")
  }

  @Test("a new device asks for approval, and finishes after it")
  func approval() throws {
    let phone = Phone("new")
    try world.ask(phone, user: "ada@example.test").matches(golden: "no-account")
    try world.ask(phone, user: "nodevice@example.test").matches(golden: "no-destination")
    let asked = try world.ask(phone)
    asked.matches(golden: "asked")
    let answer = try world.fields(of: asked)
    let request = Pending(
      id: try answer.object("twoFactorAuth").string("id"), token: try answer.string("ephemeralAccessToken"))
    try world.call(.get, "/device/v1/2fa/\(request.id)", token: request.token).matches(golden: "pending")
    try world.finish(request).matches(golden: "pending")
    try world.approve(request.id, token: request.token).matches(golden: "not-the-destination")
    try world.approve(request.id, token: old.accessToken).matches(golden: "approved")
    try world.approve(request.id, token: old.accessToken).matches(golden: "answered-before")
    try world.call(.get, "/device/v1/2fa/\(request.id)", token: request.token).matches(golden: "approved")
    try world.finish(request).matches(golden: "signed-in")
    try world.call(.get, "/device/v1/2fa/0b54a8d2-5f0e-4c7a-9a70-3d1f6a3c0001", token: request.token)
      .matches(golden: "unknown")
  }

  @Test("a destination denies, and denies again")
  func denial() throws {
    let request = try world.request(Phone("new"))

    try world.call(.delete, "/device/v1/2fa/\(request.id)", token: request.token)
      .matches(golden: "not-the-destination")
    try world.call(.delete, "/device/v1/2fa/\(request.id)", token: old.accessToken, platform: "iOS")
      .matches(golden: "denied-for-ios")
    try world.call(.delete, "/device/v1/2fa/\(request.id)", token: old.accessToken)
      .matches(golden: "denied-again")
  }

  @Test("a source asks another device")
  func retry() throws {
    _ = try world.add(Phone("other"), approvedBy: old)
    let devices = try world.fields(of: world.call(.get, "/device/v1/devices", token: old.accessToken))
    let id = try devices.objects("devices").map { try $0.string("id") }
    let request = try world.request(Phone("new"))
    let asked = try world.fields(of: world.call(.get, "/device/v1/2fa/\(request.id)", token: request.token))
      .object("twoFactorAuth").object("request").object("destDevice").string("id")
    let other = id.first { $0 != asked } ?? ""

    try world.call(
      .put, "/device/v1/2fa/\(request.id)", #"{"destDeviceId":"\#(other)"}"#, token: request.token
    ).matches(golden: "another-device")
    try world.call(.put, "/device/v1/2fa/\(request.id)", #"{"destDeviceId":"x"}"#, token: request.token)
      .matches(golden: "unknown-device")
  }

  @Test("a refresh token is used once")
  func refresh() throws {
    let body = #"{"refreshToken":"\#(old.refreshToken)"}"#

    try world.call(.post, "/auth/v1/refresh", body).matches(golden: "refreshed")
    try world.call(.post, "/auth/v1/refresh", body).matches(golden: "used-before")
  }

  @Test("a device lists and changes devices", .contract("hyphen.md 5.2"))
  func devices() throws {
    let path = "/device/v1/devices/\(old.phone.publicKey.uppercased())"

    try world.call(.get, "/device/v1/devices", token: old.accessToken).matches(golden: "listed")
    try world.call(.get, "/device/v1/devices").matches(golden: "no-token")
    try world.call(.put, path, #"{"pushToken":"sbx-fcm-newer","osVersion":"15"}"#, token: old.accessToken)
      .matches(golden: "changed")
    try world.call(.put, path, #"{"osName":"Symbian"}"#, token: old.accessToken)
      .matches(golden: "wrong-system")
  }

  @Test("account and keys", .contract("hyphen.md 5.3"))
  func account() throws {
    try world.call(.get, "/account/v1/me", token: old.accessToken).matches(golden: "fetched")
    try world.call(.get, "/account/v1/me", secret: nil).matches(golden: "no-secret")
    let key = String(repeating: "3f", count: 64)
    let recovery =
      #"{"recoveryKey":{"publicKey":"\#(key)","cloudKey":{"accountName":"mara@cloud.example"}}}"#
    try world.call(.post, "/key/v1/recovery", recovery, token: old.accessToken).matches(golden: "added")
    try world.call(.post, "/key/v1/recovery", recovery, token: old.accessToken)
      .matches(golden: "known-key")
    try world.call(.delete, "/key/v1/keys/\(key)", token: old.accessToken).matches(golden: "revoked")
    try world.call(.delete, "/key/v1/keys/\(key)", token: old.accessToken).matches(golden: "unknown")
    try world.call(.get, "/key/v1/keys?include_revoked=true", token: old.accessToken)
      .matches(golden: "with-revoked")
    try world.call(.get, "/key/v1/keys?include_revoked=yes", token: old.accessToken)
      .matches(golden: "wrong-flag")
  }

  @Test("the server signs", .contract("hyphen.md 5.3"))
  func signing() throws {
    let token = old.accessToken

    try world.call(.get, "/sign/v1/cadence", token: token).matches(golden: "fetched")
    try world.call(.get, "/sign/v1/cadence", token: "x").matches(golden: "wrong-token")
    try world.call(.post, "/sign/v1/cadence/transaction", #"{"message":"00ff"}"#, token: token)
      .matches(golden: "signed")
    try world.call(.post, "/sign/v1/cadence/transaction", #"{"message":"0"}"#, token: token)
      .matches(golden: "not-hex")
    try world.call(.post, "/sign/v1/cadence/paymaster", #"{"message":"00ff"}"#, token: token)
      .matches(golden: "signed")
    try world.call(.post, "/sign/v1/cadence/paymaster", token: token).matches(golden: "no-message")
  }

  @Test("an unknown path and method", .contract("hyphen.md 6"))
  func unknownPaths() throws {
    try world.call(.get, "/device/v1/nothing", host: "api.dev.hyphen.at").matches(golden: "unknown-path")
    try world.call(.get, "/auth/v1/signup").matches(golden: "wrong-method")
  }
}
