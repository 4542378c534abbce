import Basics
import Domain
import JSON
import Support
import Testing

@Suite("Domain · damaged texts")
struct TextDamageTests {
  let world: World

  init() throws { world = try World() }

  @Test(
    "a damaged text arrives without its code, and the receipts are those of a delivery",
    arguments: [
      ("garbled", "Your code is 482913.", "Your code is ??????."),
      ("truncated", "Your code is 482913.", "Your code is 482"),
      ("truncated", "Your code is 482-913.", "Your code is 482-"),
      ("truncated", "Hello Ada", "Hell"),
      ("wrongEncoding", "Code 482913!", "\u{436F}\u{6465}\u{2034}\u{3832}\u{3931}\u{3321}"),
    ])
  func damage(outcome: String, text: String, shown: String) throws {
    let message = try send(text, code: text.contains("48") ? "482913" : nil, outcome)

    #expect(message.text == shown)
    #expect(message.code == nil)
    #expect(message.arrivesAt == world.sandbox.clock.now)
    #expect(message.receipts == Behaviour.delivered.plan(Scenario()).receipts)
  }

  @Test("45 A2: an empty code is nowhere in a text")
  func emptyCode() throws {
    #expect(try send("Hello Ada", code: "", "truncated").text == "Hell")
  }

  @Test("a lost segment is the one with the code, or the last one")
  func segment() throws {
    let text = String(repeating: "a", count: 150) + " 482913 " + String(repeating: "b", count: 140)

    let withCode = try send(text, code: "482913", "segmentLost")
    let without = try send(text.replacing("482913", with: "letter"), code: nil, "segmentLost")

    #expect(withCode.text == "2913 " + String(repeating: "b", count: 140))
    #expect(withCode.code == nil)
    #expect(without.text == String(repeating: "a", count: 150) + " le")
  }

  @Test("a segment can only be lost of a long text, and an old code needs a code")
  func unsuited() throws {
    #expect(try send("Your code is 482913.", code: "482913", "segmentLost").code == "482913")
    #expect(try send("Hello", code: nil, "oldCode").text == "Hello")
    #expect(try world.sandbox.scenarios.all.map(\.counts.hits) == [0])
  }

  @Test("an old code is that of the text before")
  func oldCode() throws {
    _ = try world.sandbox.messages.submit(.text("111111"), to: nil)
    let message = try send("Your code is 482-913.", code: "482913", "oldCode")

    #expect(message.text == "Your code is 111-111.")
    #expect(message.code == "111111")
  }

  @Test("without a text before, the old code is one that was never sent, the same for the same seed")
  func firstOldCode() throws {
    let message = try send("Your code is 482913.", code: "482913", "oldCode")
    let other = try TextDamageTests().send("Your code is 482913.", code: "482913", "oldCode")

    #expect(message.code?.count == 6 && message.code != "482913")
    #expect(message.text == "Your code is \(message.code ?? "").")
    #expect(other == message)
  }

  @Test(
    "the reason is named",
    arguments: [
      ("garbled", "the text shows no readable code"), ("truncated", "the text is cut off"),
      ("wrongEncoding", "the text is shown in a wrong encoding"), ("oldCode", "the text shows an old code"),
    ])
  func reason(outcome: String, sentence: String) throws {
    let message = try send("Your code is 482913.", code: "482913", outcome)

    #expect(
      try world.sandbox.messages.problem(with: message)
        == "\(sentence), because scenario 1 says so (/control/scenarios)")
  }

  private func send(_ text: String, code: String?, _ outcome: String) throws -> Message {
    try world.sandbox.scenarios.replace(with: [Scenario(Fields(#"{"outcome":"\#(outcome)"}"#))])
    let draft = MessageDraft(
      provider: "acme", reference: "r-1", channel: .sms, destination: "+12025550100", sender: "ACME",
      text: text, code: code)
    return try world.sandbox.messages.submit(draft, to: nil)
  }
}
