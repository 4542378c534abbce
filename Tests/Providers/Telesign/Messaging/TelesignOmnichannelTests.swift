import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · omnichannel", .contract("telesign.md 9.2"))
struct TelesignOmnichannelTests {
  private static let text = #"{"template":"text","parameters":{"text":"Your code is 123456"}}"#
  private static let twoChannels =
    #"{"phone_number":"15558675309","message":{"whatsapp":\#(text),"sms":\#(text)},"message_type":"OTP","#
    + #""external_id":"mine","channels":[{"channel":"whatsapp","fallback_time":60},{"channel":"sms"}]}"#

  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("one callback is sent, at the end")
  func callback() throws {
    try telesign.configure(#""account.callback_url":"\#(TelesignWorld.hook)""#)
    try telesign.seed(#"{"scenarios":[{"match":{"channel":"whatsapp"},"outcome":"fail"}]}"#)
    let reference = try telesign.send(.post, "/v1/omnichannel", json: Self.twoChannels).reference()
    _ = try telesign.world.send(.json(.post, "/control/clock", #"{"advance":"600s"}"#))

    let bodies = telesign.world.receiver.deliveries.map(\.body)
    #expect(bodies.count == 1)
    #expect(
      bodies.first?.hasPrefix(
        #"{"reference_id":"\#(reference)","external_id":"mine","status":{"code":3000,"#) == true)
  }
}
