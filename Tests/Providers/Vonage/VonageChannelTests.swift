import Domain
import HTTP
import JSON
import Support
import Testing

/// Checks V25 to V28 of the contract, section 13.
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

  @Test("V26: the client's own code completes the request")
  func v26() throws {
    let id = try vonage.start([Self.sms], #","code":"a1B2c3""#).id

    #expect(try vonage.inbox().map(\.text) == ["Acme code: a1B2c3."])
    #expect(try vonage.check("a1B2c3", id).answer.hasPrefix("200"))
  }

  @Test("V27: code length and language")
  func v27() throws {
    _ = try vonage.start([Self.sms], #","code_length":6,"locale":"de-de""#)

    let message = try #require(try vonage.inbox().last)
    #expect(message.code?.count == 6)
    #expect(message.text == "Acme-Code: \(message.code ?? "").")
  }

  @Test(
    "V28: each channel has its inbox",
    arguments: [
      ("email", "ana@example.com", "ana@example.com", Channel.email),
      ("whatsapp", "12025550150", "+12025550150", .whatsapp), ("rcs", "12025550150", "+12025550150", .rcs),
      ("voice", "12025550150", "+12025550150", .call),
    ])
  func v28(name: String, to: String, destination: String, channel: Channel) throws {
    let id = try vonage.start([VonageWorld.channel(name, #","from":"Acme1""#, to: to)]).id
    try vonage.advance(5)

    #expect(try vonage.inbox(destination).map(\.channel) == [channel])
    #expect(try vonage.check(try vonage.code(for: destination), id).answer.hasPrefix("200"))
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
