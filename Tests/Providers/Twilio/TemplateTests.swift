import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Twilio

@Suite("Twilio · templates", .contract("twilio-verify.md 4.1, 8.5, 13.2"))
struct TemplateTests {
  let twilio: TwilioWorld
  static let own = "HJ" + String(repeating: "c", count: 32)

  init() throws { twilio = try TwilioWorld() }

  private func seedOwn(_ translations: String, channels: String = #"["sms","voice"]"#) throws {
    try twilio.seed(
      """
      {"twilio":{"templates":[{"sid":"\(Self.own)","friendlyName":"Own","channels":\(channels),
        "translations":[\(translations)]}]}}
      """)
  }

  @Test("own templates are in the exported seed, which loads again")
  func export() throws {
    try seedOwn(#"{"locale":"is","text":"{{code}}","status":"rejected","default":true}"#)
    let exported = try TwilioProvider.seed.export(from: twilio.sandbox)

    let other = try TwilioWorld()
    try other.seed(
      #"{"twilio":{"templates":\#(String(decoding: exported["templates"]?.encoded() ?? [], as: UTF8.self))}}"#
    )

    #expect(try Template.own(in: other.sandbox) == Template.own(in: twilio.sandbox))
  }
}
