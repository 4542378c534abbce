import Testing

@testable import Domain

@Suite("Domain · codes that are read out")
struct SpokenCodeTests {
  @Test(
    "a code is found if it is read digit by digit",
    arguments: [
      ("Hello, your code is 1, 2, 3, 4, 5. Once again, your code is 1, 2, 3, 4, 5. Goodbye.", "12345"),
      ("1 2 3 4", "1234"), ("1. 2. 3. 4. 5. 6. 7. 8.", "12345678"), ("code: 0-0-4-2", "0042"),
    ])
  func codes(text: String, code: String) {
    #expect(SpokenCode.find(in: text) == code)
  }

  @Test(
    "there is none in other texts",
    arguments: [
      "", "Your code is 12345", "1, 2, 3", "1 2 3 4 5 6 7 8 9", "1 2 3 4 or 5 6 7 8", "Press 1 or 2",
    ])
  func others(text: String) {
    #expect(SpokenCode.find(in: text) == nil)
  }

  @Test(
    "calls have it if the provider names no code, other messages do not", arguments: [Channel.call, .sms])
  func channels(channel: Channel) {
    func draft(_ code: String?) -> MessageDraft {
      MessageDraft(
        provider: "acme", reference: "r", channel: channel, destination: "+12025550100", sender: "Acme",
        text: "1, 2, 3, 4", code: code)
    }

    #expect(draft(nil).code == (channel == .call ? "1234" : nil))
    #expect(draft("99").code == "99")
  }
}
