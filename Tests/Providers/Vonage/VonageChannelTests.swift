import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V25, V27 and V28 of the contract, section 13. The others are in `Checks/Verify.http`.
@Suite("Vonage · channels of Verify v2", .contract("vonage-verify.md 3 and 4"))
struct VonageChannelTests {
  private static let sms = VonageWorld.channel("sms")

  let vonage: VonageWorld

  init() throws { vonage = try VonageWorld() }

  @Test("V25: the client's reference is in events and summary")
  func v25() throws {
    try vonage.receiveEvents()
    let id = try vonage.start([Self.sms], #","client_ref":"r1""#).id
    _ = try vonage.check(try vonage.code(), id)

    #expect(try vonage.events().map { try $0.optionalString("client_ref") } == ["r1", "r1"])
  }

  @Test("V27: code length and language")
  func v27() throws {
    _ = try vonage.start([Self.sms], #","code_length":6,"locale":"de-de""#)

    let message = try #require(try vonage.inbox().last)
    #expect(message.code?.count == 6)
    #expect(message.text == "Acme-Code: \(message.code ?? "").")
  }

  @Test("V28: the question on WhatsApp is answered with yes or no")
  func v28Interactive() throws {
    try vonage.receiveEvents()
    let interactive = VonageWorld.channel("whatsapp_interactive")
    let number = try #require(PhoneNumber(VonageWorld.number))
    func answer(_ text: String) throws {
      _ = try vonage.sandbox.atomically {
        try vonage.sandbox.messages.reply(text, from: number, to: nil)
      }
    }
    let first = try vonage.start([interactive]).id
    let noCode = try vonage.check("1234", first)
    #expect(try noCode.problem() == "409 no-code")
    #expect(
      try noCode.decode(VonageProblem.self).detail
        == "The current Verify workflow step does not support a code.", "46 B4")
    try answer("maybe")
    try answer("Yes!")
    #expect(try vonage.check("1234", first).problem() == "404 request-not-found")
    _ = try vonage.start([interactive, Self.sms])
    try answer("no")

    #expect(
      try vonage.summaries() == [
        "whatsapp_interactive completed", "summary completed: whatsapp_interactive completed",
        "whatsapp_interactive user_rejected",
      ])
    #expect(try vonage.inbox().last?.channel == .sms)
  }
}
