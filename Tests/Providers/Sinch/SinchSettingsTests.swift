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

  @Test("credit may be spent while a callback decides")
  func creditAfterCallback() throws {
    try sinch.callBack()
    try sinch.configure(#""credit":1"#)
    sinch.world.receiver.isSilent = true
    for number in ["+12025550100", "+12025550101"] { _ = try sinch.start("sms", number) }
    sinch.world.receiver.isSilent = false
    sinch.world.sendWebhooks()

    let path = "\(SinchWorld.base)/sms/number"
    #expect(try sinch.send(.get, "\(path)/+12025550100").sinchOutcome() == "PENDING")
    #expect(
      try sinch.send(.get, "\(path)/+12025550101").sinchOutcome()
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
