import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · devices: older push", .contract("telesign.md 5.6"))
struct TelesignLegacyPushTests {
  let telesign: TelesignWorld

  init() throws {
    telesign = try TelesignWorld()
    try telesign.registeredDevice()
  }

  private func push(_ number: String = TelesignWorld.number) throws -> Exchange {
    try telesign.post(
      "/v2/verify/push",
      form: [
        "phone_number": number, "ucid": "ATCK", "notification_type": "SIMPLE", "notification_value": "654321",
        "template": "Sign in?",
      ])
  }

  private func softToken(_ code: String, _ number: String = TelesignWorld.number) throws -> Exchange {
    try telesign.post(
      "/v2/verify/soft_token",
      form: [
        "bundle_id": TelesignWorld.app, "phone_number": number, "soft_token_id": "t-1", "verify_code": code,
      ])
  }

  @Test("a push goes to the registered device, and its challenge can be answered")
  func pushed() throws {
    let answer = try push()

    answer.matches(golden: "sent")
    #expect(try answer.members().string("sub_resource") == "push")
    #expect(try telesign.inbox(TelesignWorld.number).last?.text == "Sign in?")
    let reference = try answer.members().string("reference_id")
    let approved = try telesign.send(.post, "/control/devices/\(reference)/approve")
    #expect(approved.answer.contains(#""state":"approved""#))
  }

  @Test("without a registered app every operation fails with its own error")
  func notRegistered() throws {
    let answers = try [
      push("15558675310"), softToken("1", "15558675310"), telesign.get("/v2/verify/registration/15558675310"),
    ]
    let otherApp = try telesign.get("/v2/verify/registration/\(TelesignWorld.number)?bundle_id=com.other")

    for answer in answers { answer.matches(golden: "not-registered") }
    #expect(
      try (answers + [otherApp]).map { try $0.errorCodes() }
        == .init(repeating: "400 500 -50058", count: 4))
  }

  @Test("the code of a soft token is the one that the number's record pins")
  func softTokens() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+\#(TelesignWorld.number)","code":"123456"}]}"#)

    let right = try softToken("123456")

    right.matches(golden: "valid")
    #expect(try right.members().object("verify").string("code_state") == "VALID")
    #expect(try softToken("654321").members().object("verify").string("code_state") == "INVALID")
    #expect(try softToken("").errorCodes() == "400 500 -10001")
  }

  @Test("a registration includes the device and the app")
  func registration() throws {
    let answer = try telesign.get(
      "/v2/verify/registration/\(TelesignWorld.number)?bundle_id=\(TelesignWorld.app)")

    answer.matches(golden: "registered")
    #expect(try answer.members().object("app").string("bundle_id") == TelesignWorld.app)
  }

  @Test("an invalid number is rejected as in other products")
  func badNumber() throws {
    #expect(try push("abc").errorCodes() == "400 500 -10001")
  }
}
