import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing

@testable import Sinch

@Suite("Sinch · settings and seeds", .contract("sinch-verification.md 6, 9"))
struct SinchSettingsTests {
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  @Test(
    "the account's rules deny a verification before anything is sent",
    arguments: [
      (#""blocked":["+12025550100"]"#, "DENIED Blocked", "Identity is blacklisted."),
      (#""fraud":["+12025550100"]"#, "DENIED Fraud", "Fraud."),
      (#""countries":["FR"]"#, "DENIED Destination denied", "Destination denied."),
    ])
  func denied(setting: String, outcome: String, message: String) throws {
    try sinch.configure(setting)
    let exchange = try sinch.start()
    let path = "\(SinchWorld.base)/sms/number/\(SinchWorld.number)"
    let status = try sinch.send(.get, path).decode(SinchStatus.self)

    #expect(try exchange.decode(SinchError.self).message == message)
    #expect(status.outcome == outcome && status.amount == nil)
    #expect(try sinch.inbox() == [])
    #expect(try sinch.start("sms", "+33639980050").decode(SinchStarted.self).method == "sms")
  }

  @Test("credit is spent by each verification")
  func credit() throws {
    try sinch.configure(#""credit":1"#)
    _ = try sinch.started()

    #expect(try sinch.start().sinchError() == "402 40200")
    try sinch.configure(#""credit":null"#)
    #expect(try sinch.started().method == "sms")
  }

  @Test("credit may be spent while a callback decides")
  func creditAfterCallback() throws {
    try sinch.callBack()
    try sinch.configure(#""credit":1"#)
    sinch.world.receiver.isSilent = true
    for number in ["+12025550100", "+12025550101"] { _ = try sinch.start("sms", number) }
    sinch.world.receiver.isSilent = false
    sinch.world.sendWebhooks()

    let path = "\(SinchWorld.base)/sms/number"
    #expect(try sinch.send(.get, "\(path)/+12025550100").decode(SinchStatus.self).outcome == "PENDING")
    #expect(
      try sinch.send(.get, "\(path)/+12025550101").decode(SinchStatus.self).outcome
        == "DENIED Not enough credit")
  }

  @Test("ids lead back to their ordinals, and other text to none", arguments: [1, 2, 77, 1_000_000_007])
  func identifiers(ordinal: Int) throws {
    let id = VerificationID.text(of: ordinal, in: sinch.sandbox)

    #expect(VerificationID.ordinal(of: id, in: sinch.sandbox) == ordinal)
    #expect(id.utf8.count == 10)
    for text in ["", "1", "0000000000", "-123456789", "+123456789", "99999999999", "١٢٣٤٥"] {
      #expect(VerificationID.ordinal(of: text, in: sinch.sandbox) == nil)
    }
  }

  @Test("an export masks secrets; loading it keeps them")
  func export() throws {
    try sinch.seed(
      #"{"sinch":{"applications":[{"key":"\#(SinchWorld.key)","secret":"********","callbackUrl":"http://127.0.0.1:9/own","minimumAuth":"signed"}]}}"#
    )
    let export = try SinchProvider.seed.export(from: sinch.sandbox)
    let text = String(decoding: export.encoded(), as: UTF8.self)

    #expect(text.contains(#""secret":"********""#) && !text.contains(SinchWorld.secret))
    try sinch.seed(#"{"sinch":\#(text)}"#)
    #expect(try sinch.sandbox.accounts.find(SinchWorld.key, of: "sinch")?.secret == SinchWorld.secret)
    #expect(try SinchProvider.seed.export(from: sinch.sandbox) == export)
  }

  @Test(
    "a seed that cannot take effect is refused",
    arguments: [
      (#"{"applications":[{"key":"x","secret":"c2VjcmV0"}]}"#, "key"),
      (#"{"applications":[{"key":"\#("1".repeated(8))-2222-3333-4444-555555555556"}]}"#, "secret"),
      (
        #"{"applications":[{"key":"11111111-2222-3333-4444-555555555555","secret":"not base64!"}]}"#, "secret"
      ),
      (
        #"{"applications":[{"key":"11111111-2222-3333-4444-555555555555","secret":"********","callbackUrl":"ftp://a"}]}"#,
        "callbackUrl"
      ),
      (#"{"settings":{"maxAttempts":0}}"#, "maxAttempts"), (#"{"settings":{"plusCode":40001}}"#, "plusCode"),
    ])
  func invalidSeed(seed: String, field: String) throws {
    let error = #expect(throws: FieldError.self) { try sinch.seed(#"{"sinch":\#(seed)}"#) }
    #expect(error?.path.contains(field) == true)
  }

  @Test("a person can have a code sent to a number")
  func testCode() throws {
    let answer = try sinch.world.send(
      .json(.post, "/control/test-codes", #"{"provider":"sinch","number":"+12025550100"}"#)
    ).answer

    #expect(answer.hasPrefix("200"), "\(answer)")
    #expect(try sinch.inbox().count == 1)
  }

  @Test("a new sandbox has an application of its own")
  func ownCredentials() throws {
    let answer = try sinch.world.send(.json(.post, "/control/sandboxes", #"{"name":"own"}"#)).answer
    let own = try #require(sinch.world.sandboxes["own"])
    let credentials = try SinchProvider.credentialsByName(of: own)

    #expect(answer.contains(#""sinch""#))
    #expect(credentials["applicationKey"].map(UUIDText.isValid) == true)
    #expect(credentials["applicationKey"] != SinchWorld.key)
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
