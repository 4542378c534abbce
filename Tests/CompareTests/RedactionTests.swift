import Domain
import JSON
import Testing

@testable import Compare

@Suite("Compare · secrets")
struct RedactionTests {
  private static let request = """
    {"method":"POST","uri":"https://api.provider.example/v1/codes?api_key=query-secret-1",
    "headers":{"Authorization":["Basic dXNlcjpwYXNzd29yZC0x"]},"body":"To=%2B12025550100&Code=123456"}
    """
  private static let answer = #"{"access_token":"token-of-answer","phone":"+447700900123"}"#

  private func redaction() throws -> Redaction {
    let body = String(decoding: JSON.string(Self.answer).encoded(), as: UTF8.self)
    let text = """
      {"version":1,"interactions":[{"request":\(Self.request),
      "response":{"status":{"code":200},"headers":{},"body":{"string":\(body)}}}]}
      """
    let recording = try Recording(Array(text.utf8)) { _ in true }
    var redaction = Redaction(recording)
    redaction.addSecrets(of: recording.entries[0], named: .common)
    return redaction
  }

  @Test(
    "secrets, codes, addresses and the middle of numbers are hidden wherever they stand",
    arguments: [
      ("user:password-1", "user:********"), ("to +12025550100.", "to +12•••••••00."),
      ("(202) 555-0100", "(20•) •••-••00"), ("2025550100", "20••••••00"), ("447700900123", "44••••••••23"),
      ("to ana.s+1@mail.example, b@c.de", "to ********@mail.example, ********@c.de"),
      ("@ana and a@b", "@ana and a@b"), ("code 123456 is", "code ******** is"),
      ("a token-of-answer", "a ********"),
      ("query-secret-1", "********"), ("https://a.example/?token=a1", "https://a.example/?token=********"),
      ("VE12345678 of 1234567", "VE12345678 of 1234567"),
    ])
  func hides(text: String, shown: String) throws {
    #expect(try redaction().text(text) == shown)
  }

  @Test("the value of a secret member is hidden, whatever it is")
  func hidesMembers() throws {
    let difference = Difference(place: "$.a.client_secret", kind: .text, recorded: "abc", own: "def")
    let shown = try redaction().hidingSecrets(in: difference)

    #expect(shown.recorded == maskedSecret)
    #expect(shown.own == maskedSecret)
  }
}
