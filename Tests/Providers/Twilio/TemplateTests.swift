import Domain
import JSON
import Support
import Testing

@testable import Twilio

@Suite("Twilio · templates", .contract("twilio-verify.md 4.1, 8.5, 13.2"))
struct TemplateTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("own templates are in the exported seed, which loads again")
  func export() throws {
    let own = "HJ" + String(repeating: "c", count: 32)
    try twilio.seed(
      """
      {"twilio":{"templates":[{"sid":"\(own)","friendlyName":"Own","channels":["sms","voice"],
        "translations":[{"locale":"is","text":"{{code}}","status":"rejected","default":true}]}]}}
      """)
    let exported = try TwilioProvider.seed.export(from: twilio.sandbox)

    let other = try TwilioWorld()
    try other.seed(
      #"{"twilio":{"templates":\#(String(decoding: exported["templates"]?.encoded() ?? [], as: UTF8.self))}}"#
    )

    #expect(try Template.own(in: other.sandbox) == Template.own(in: twilio.sandbox))
  }
}
