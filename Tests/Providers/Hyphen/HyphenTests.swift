import Crypto
import HTTP
import Hyphen
import JSON
import Support
import Testing

/// What needs the key of a device; `Checks` have the rest.
@Suite("Hyphen", .contract("hyphen.md 5.1"))
struct HyphenTests {
  @Test("a key signs in with a challenge, which can be answered once")
  func challenge() throws {
    let world = try TestSandbox(of: HyphenProvider.self)
    let phone = Phone()
    _ = try world.send(.json(.post, "/control/seed", #"{"hyphen":{"settings":{}}}"#))
    _ = try world.call(
      "/auth/v1/signup",
      #"{"method":"firebase","token":"sbx-user:mara@example.test","userKey":\#(phone.userKey)}"#)
    func challenge(of user: String) throws -> Exchange {
      try world.call(
        "/auth/v1/signin/challenge",
        #"{"challengeType":"deviceKey","request":{"method":"firebase","token":"sbx-user:\#(user)"},"publicKey":"\#(phone.publicKey)"}"#
      )
    }

    let created = try challenge(of: "mara@example.test")
    created.matches(golden: "created")
    try challenge(of: "ada@example.test").matches(golden: "no-account")
    let data = try Fields(JSON(parsing: created.body)).string("challengeData")
    let answer =
      #"{"challengeType":"deviceKey","challengeData":"\#(data)","deviceKey":{"signature":"\#(phone.sign(data))"}}"#
    try world.call("/auth/v1/signin/challenge/respond", answer).matches(golden: "signed-in")
    try world.call("/auth/v1/signin/challenge/respond", answer).matches(golden: "answered-before")
  }
}

extension TestSandbox {
  fileprivate func call(_ path: String, _ body: String) throws -> Exchange {
    try send(
      Request(
        .post, Target(path),
        headers: [
          "Host": "127.0.0.1:5550", "X-Hyphen-App-Secret": "sbx_app_tern", "X-Hyphen-SDK-Platform": "Android",
          "Content-Type": "application/json",
        ], body: Array(body.utf8)))
  }
}

/// A device with a key that follows from its name.
private struct Phone {
  private let key: P256PrivateKey

  init() {
    var number = SHA256.hash(Array("old".utf8))
    number[0] &= 0x7F
    guard let key = P256PrivateKey(number: number) else { preconditionFailure("the number is in range") }
    self.key = key
  }

  var publicKey: String { Hex.encode(key.publicDER.suffix(64)) }

  var userKey: String {
    """
    {"type":"device","publicKey":"\(publicKey)","device":{"publicKey":"\(publicKey)","pushToken":"sbx-fcm-old",\
    "name":"old","osName":"Android","osVersion":"14","deviceManufacturer":"Nord","deviceModel":"FJ3",\
    "lang":"fr-FR","type":"mobile"}}
    """
  }

  func sign(_ text: String) -> String { Hex.encode(key.deterministicRawSignature(of: Array(text.utf8))) }
}
