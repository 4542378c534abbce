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
      ("VE12345678 of 1234567", "VE12345678 of 1234567"), ("tel:07700 900123", "tel:07••• ••••23"),
      ("0044 (0)7700 900-123", "00•• (•)•••• •••-•23"),
    ])
  func hides(text: String, shown: String) throws {
    #expect(try redaction().text(text) == shown)
  }

  /// Issue 45, C8.
  @Test(
    "a number as people write it at home is hidden, though the recording has it nowhere else",
    arguments: [
      ("01701234567", "01•••••••67"), ("call 0170/123 45 67.", "call 01••/••• •• 67."),
      ("(0170) 1234567", "(01••) •••••67"), ("00491701234567", "00••••••••••67"),
      ("0.0123456789", "0.0123456789"), ("a_0123456789 or 0123456789f", "a_0123456789 or 0123456789f"),
      ("05:06:07 on 2025-03-04", "05:06:07 on 2025-03-04"),
    ])
  func hidesNationalNumbers(text: String, shown: String) throws {
    #expect(try redaction().text(text) == shown)
  }

  /// Issue 45, C8.
  @Test(
    "a credential is hidden under any name",
    arguments: [
      ("sent bearer sk_live.1/a==, why", "sent bearer ********, why"), ("Basic YTpi", "Basic ********"),
      ("(eyJhbGciOi.eyJzdWIi.c2ln)", "(********)"), ("Bearer eyJhbGciOi.eyJzdWIi.", "Bearer ********"),
      ("Bearer token. Basic plan", "Bearer token. Basic plan"),
      (#"Bearer realm="a", error="b""#, #"Bearer realm="a", error="b""#),
    ])
  func hidesCredentials(text: String, shown: String) throws {
    #expect(try redaction().text(text) == shown)
  }

  @Test("a number that is the name of a member is hidden")
  func hidesNames() throws {
    let difference = Difference(place: "$.states.447700900123", kind: .extra, recorded: nil, own: "1")

    #expect(try redaction().hidingSecrets(in: difference).place == "$.states.44••••••••23")
  }

  @Test("the value of a secret member is hidden, whatever it is")
  func hidesMembers() throws {
    let difference = Difference(place: "$.a.client_secret", kind: .text, recorded: "abc", own: "def")
    let shown = try redaction().hidingSecrets(in: difference)

    #expect(shown.recorded == maskedSecret)
    #expect(shown.own == maskedSecret)
  }
}
