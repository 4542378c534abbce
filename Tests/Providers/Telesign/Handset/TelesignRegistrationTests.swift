import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · devices: registration", .contract("telesign.md 5.1 and 5.4.1"))
struct TelesignRegistrationTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func isRegistered(_ errand: TelesignWorld.Errand, app: String = TelesignWorld.app) throws
    -> Exchange
  {
    try telesign.handset(
      .get, "registrations?phone_number=\(TelesignWorld.number)&app_id=\(app)", errand.token)
  }

  @Test("the right code registers the device, once, and ends the verification")
  func registers() throws {
    let errand = try telesign.beginRegistration()
    let members = #","push_app_token":"fcm-token-1","platform":"ios","public_key":"MFkwEw==""#

    let first = try telesign.register(errand, members)
    let second = try telesign.register(errand, code: "000000", members)

    first.matches(golden: "registered")
    #expect(first.answer.hasPrefix("201 "))
    #expect(second.answer == "200 " + first.answer.dropFirst(4))
    #expect(try telesign.state(errand.reference) == "VERIFIED: push SKIPPED, sms VERIFIED 3900")
    try isRegistered(errand).matches(golden: "registered")
    #expect(try isRegistered(errand, app: "com.other").answer == #"200 {"registered":false}"#)
    let device = try #require(try telesign.sandbox.devices.all.first)
    #expect(try first.members().string("device_id") == telesign.sandbox.devices.identifier(of: device))
    #expect(device.draft.holder == "+\(TelesignWorld.number)")
    #expect(device.draft.pushToken == TelesignWorld.token)
    #expect(device.draft.platform == .ios)
    #expect(device.publicKey == "MFkwEw==")
  }

  @Test("an app without a token has the one that its back end named, and a key that the sandbox keeps")
  func defaults() throws {
    let created = try telesign.send(
      .post, "/verification",
      json: #"{"recipient":{"phone_number":"\#(TelesignWorld.number)","push_app_token":"fcm-2"},"#
        + #""device_registration":"stamp"}"#)

    _ = try telesign.register(TelesignWorld.Errand(created))

    let device = try #require(try telesign.sandbox.devices.all.first)
    #expect(device.draft.pushToken == "fcm-2")
    #expect(device.draft.platform == .android)
    #expect(device.privateKey != nil)
  }

  @Test("a wrong code counts as an attempt and registers nothing")
  func wrongCode() throws {
    let errand = try telesign.beginRegistration()
    let code = try telesign.code()
    let wrong = code == "000000" ? "000001" : "000000"

    let verdicts = try (1...3).map { _ in try telesign.register(errand, code: wrong).verdict() }

    #expect(verdicts == ["200 3909", "200 3909", "200 3904"])
    #expect(try telesign.register(errand, code: code).verdict() == "200 3904")
    #expect(try telesign.sandbox.devices.all.isEmpty)
    #expect(try isRegistered(errand).answer == #"200 {"registered":false}"#)
  }

  @Test("a code that the back end has finalized registers no device")
  func finalized() throws {
    let errand = try telesign.beginRegistration()
    let code = try telesign.code()
    _ = try telesign.finalize(errand.reference, code)

    let late = try telesign.register(errand, code: code)

    late.matches(golden: "finalized")
    #expect(try late.verdict() == "400 3931")
    #expect(try telesign.sandbox.devices.all.isEmpty)
  }

  @Test("a verification that registers nothing, and another's number, are refused")
  func wrongErrand() throws {
    let errand = try telesign.beginRegistration()
    let login = try telesign.beginLogin()

    #expect(try telesign.register(login, code: "123456").verdict() == "400 3931")
    #expect(try telesign.register(errand, code: "123456", number: "15558675310").verdict() == "400 3101")
    #expect(try telesign.register(errand, code: "123456", number: "abc").verdict() == "400 3101")
    let query = "registrations?phone_number=15558675310&app_id=a"
    #expect(try telesign.handset(.get, query, errand.token).verdict() == "400 3101")
    #expect(try telesign.handset(.get, "registrations?app_id=a", errand.token).verdict() == "400 3110")
    #expect(
      try telesign.handset(.get, "registrations?phone_number=15558675309", errand.token).verdict()
        == "400 3110")
  }

  @Test(
    "what is missing or cannot be is refused, and no attempt is counted",
    arguments: [
      #"{"app_id":"a","otp_code":"1"}"#, #"{"phone_number":"15558675309","otp_code":"1"}"#,
      #"{"phone_number":"15558675309","app_id":"a"}"#,
      #"{"phone_number":"15558675309","app_id":"","otp_code":"1"}"#,
      #"{"phone_number":"15558675309","app_id":"a","otp_code":1}"#,
      #"{"phone_number":"15558675309","app_id":"a","otp_code":"1","platform":"symbian"}"#,
      #"{"phone_number":"15558675309","app_id":"a","otp_code":"1","push_app_token":""}"#,
      #"{"phone_number":"15558675309","app_id":"a","otp_code":"1","public_key":"!"}"#,
      "[]", "nonsense", "",
    ])
  func malformed(body: String) throws {
    let errand = try telesign.beginRegistration()

    #expect(try telesign.handset(.post, "registrations", errand.token, body).verdict() == "400 3110")

    #expect(try telesign.register(errand).answer.hasPrefix("201"))
  }

  @Test("registering the same app of the same number again replaces the device")
  func replaced() throws {
    let first = try telesign.registered()
    let second = try telesign.registered()

    #expect(first != second)
    #expect(try telesign.sandbox.devices.all.count == 1)
  }

  @Test("a token that was given out stays good when another number is put behind chance")
  func otherEntropy() throws {
    let errand = try telesign.beginRegistration()

    _ = try telesign.send(.put, "/control/entropy", json: #"{"entropySeed":7}"#)

    #expect(try telesign.register(errand).answer.hasPrefix("201"))
  }

  @Test("without a token of the verification, or with one that is too old, nothing is told")
  func tokens() throws {
    let errand = try telesign.beginRegistration()
    #expect(try telesign.handset(.get, "registrations", nil).verdict() == "401 3400")
    #expect(try telesign.handset(.get, "registrations", "nobody").verdict() == "401 3400")
    let basic = try telesign.get("/handset/telesign/v1/registrations")
    #expect(basic.answer == #"401 {"status":{"code":3400,"description":"Not authorized"}}"#)

    try telesign.advance(300)

    try isRegistered(errand).matches(golden: "token-too-old")
    #expect(try telesign.register(errand).verdict() == "401 3400")
  }
}
