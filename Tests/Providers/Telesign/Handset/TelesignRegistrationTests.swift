import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · devices: registration", .contract("telesign.md 5.1 and 5.4.1"))
struct TelesignRegistrationTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func isRegistered(_ session: TelesignWorld.AppSession, app: String = TelesignWorld.app) throws
    -> Exchange
  {
    try telesign.handset(
      .get, "registrations?phone_number=\(TelesignWorld.number)&app_id=\(app)", session.token)
  }

  @Test("the right code registers the device, once, and completes the verification")
  func registers() throws {
    let session = try telesign.startRegistration()
    let members = #","push_app_token":"fcm-token-1","platform":"ios","public_key":"MFkwEw==""#

    let first = try telesign.register(session, members)
    let second = try telesign.register(session, code: "000000", members)

    first.matches(golden: "registered")
    #expect(first.answer.hasPrefix("201 "))
    #expect(second.answer == "200 " + first.answer.dropFirst(4))
    #expect(try telesign.state(session.reference) == "VERIFIED: push SKIPPED, sms VERIFIED 3900")
    try isRegistered(session).matches(golden: "registered")
    #expect(try isRegistered(session, app: "com.other").answer == #"200 {"registered":false}"#)
    let device = try #require(try telesign.sandbox.devices.all.first)
    #expect(try first.members().string("device_id") == telesign.sandbox.devices.identifier(of: device))
    #expect(device.draft.holder == "+\(TelesignWorld.number)")
    #expect(device.draft.pushToken == TelesignWorld.token)
    #expect(device.draft.platform == .ios)
    #expect(device.publicKey == "MFkwEw==")
  }

  @Test("an app without a token gets that of its back end, and its key is stored")
  func defaults() throws {
    let created = try telesign.send(
      .post, "/verification",
      json: #"{"recipient":{"phone_number":"\#(TelesignWorld.number)","push_app_token":"fcm-2"},"#
        + #""device_registration":"stamp"}"#)

    _ = try telesign.register(TelesignWorld.AppSession(created))

    let device = try #require(try telesign.sandbox.devices.all.first)
    #expect(device.draft.pushToken == "fcm-2")
    #expect(device.draft.platform == .android)
    #expect(device.privateKey != nil)
  }

  @Test("a wrong code counts as an attempt and registers nothing")
  func wrongCode() throws {
    let session = try telesign.startRegistration()
    let code = try telesign.code()
    let wrong = code == "000000" ? "000001" : "000000"

    let verdicts = try (1...3).map { _ in try telesign.register(session, code: wrong).statusAndCode() }

    #expect(verdicts == ["200 3909", "200 3909", "200 3904"])
    #expect(try telesign.register(session, code: code).statusAndCode() == "200 3904")
    #expect(try telesign.sandbox.devices.all.isEmpty)
    #expect(try isRegistered(session).answer == #"200 {"registered":false}"#)
  }

  @Test("a code that the back end has used registers no device")
  func finalized() throws {
    let session = try telesign.startRegistration()
    let code = try telesign.code()
    _ = try telesign.finalize(session.reference, code)

    let late = try telesign.register(session, code: code)

    late.matches(golden: "finalized")
    #expect(try late.statusAndCode() == "400 3931")
    #expect(try telesign.sandbox.devices.all.isEmpty)
  }

  @Test("a verification without registration, and another number, are rejected")
  func wrongVerification() throws {
    let session = try telesign.startRegistration()
    let login = try telesign.startLogin()

    #expect(try telesign.register(login, code: "123456").statusAndCode() == "400 3931")
    #expect(
      try telesign.register(session, code: "123456", number: "15558675310").statusAndCode() == "400 3101")
    #expect(try telesign.register(session, code: "123456", number: "abc").statusAndCode() == "400 3101")
    let query = "registrations?phone_number=15558675310&app_id=a"
    #expect(try telesign.handset(.get, query, session.token).statusAndCode() == "400 3101")
    #expect(try telesign.handset(.get, "registrations?app_id=a", session.token).statusAndCode() == "400 3110")
    #expect(
      try telesign.handset(.get, "registrations?phone_number=15558675309", session.token).statusAndCode()
        == "400 3110")
  }

  @Test(
    "missing or invalid fields are rejected, and no attempt is counted",
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
    let session = try telesign.startRegistration()

    #expect(try telesign.handset(.post, "registrations", session.token, body).statusAndCode() == "400 3110")

    #expect(try telesign.register(session).answer.hasPrefix("201"))
  }

  @Test("registering the same app of the same number again replaces the device")
  func replaced() throws {
    let first = try telesign.registeredDevice()
    let second = try telesign.registeredDevice()

    #expect(first != second)
    #expect(try telesign.sandbox.devices.all.count == 1)
  }

  @Test("a token stays valid when the random seed is changed")
  func otherEntropy() throws {
    let session = try telesign.startRegistration()

    _ = try telesign.send(.put, "/control/entropy", json: #"{"entropySeed":7}"#)

    #expect(try telesign.register(session).answer.hasPrefix("201"))
  }

  @Test("without a valid token of the verification the request is rejected")
  func tokens() throws {
    let session = try telesign.startRegistration()
    #expect(try telesign.handset(.get, "registrations", nil).statusAndCode() == "401 3400")
    #expect(try telesign.handset(.get, "registrations", "nobody").statusAndCode() == "401 3400")
    let basic = try telesign.get("/handset/telesign/v1/registrations")
    #expect(basic.answer == #"401 {"status":{"code":3400,"description":"Not authorized"}}"#)

    try telesign.advance(300)

    try isRegistered(session).matches(golden: "token-too-old")
    #expect(try telesign.register(session).statusAndCode() == "401 3400")
  }
}
