import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Verify API: creation and retrieval", .contract("telesign.md 4.2 to 4.5"))
struct TelesignVerificationTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("the voice method is a call in the requested language")
  func voice() throws {
    _ = try telesign.create(#","verification_policy":[{"method":"voice"}],"voice_lang":"fr-FR""#)

    let call = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect(call.channel == .call)
    #expect(try telesign.sandbox.calls.find(call.ordinal)?.speech.language == "fr-FR")
  }
}
