import Basics
import Domain
import JSON
import Testing

@testable import ringfence

/// Issue 45, C8.
@Suite("Command · control characters")
struct ControlCharactersTests {
  @Test(
    "each is visible, of both ranges and in between; tabs and line breaks stay",
    arguments: [
      ("a\u{1B}[2Jb", #"a\x1B[2Jb"#), ("\u{9B}31m\u{7F}\u{0}", #"\x9B31m\x7F\x00"#),
      ("one\r\ntwo\n\tthree\rfour", "one\ntwo\n\tthree\\x0Dfour"), ("ä€ \u{A0}¡", "ä€ \u{A0}¡"),
    ])
  func printable(text: String, shown: String) {
    #expect(text.printable == shown)
  }

  @Test("a document of JSON has none, and means the same")
  func json() throws {
    let document = JSON.array([.string("\u{9B}2J\u{7F}\u{1B}]0;x\u{7}, ¡ and ä")])
    let shown = document.encoded().printableJSON

    #expect(String(decoding: shown, as: UTF8.self) == #"["\u009B2J\u007F\u001b]0;x\u0007, ¡ and ä"]"#)
    #expect(try JSON(parsing: shown) == document)
  }

  @Test("a line about a request has none, whatever the request has")
  func liveLine() throws {
    let sandbox = try SeedFiles.freshSandboxes().defaultSandbox
    let before = sandbox.newestOrdinal
    _ = try sandbox.messages.submit(
      MessageDraft(
        provider: "twilio", reference: "", channel: .email, destination: "\u{1B}[1m@mail.example",
        sender: "1", text: "", code: "1\u{9B}2"), to: nil)
    let exchange = Journal.Exchange(
      at: Timestamp(milliseconds: 0), owner: "twilio", route: nil, method: "POST", target: "/\u{7F}",
      requestHead: [], requestBody: [], status: 201, responseHead: [], responseBody: [], why: nil, unread: [],
      nearest: [], effects: .init(newestBefore: before, newestAfter: sandbox.newestOrdinal))

    let line = LiveStyle(hasColor: false).text(of: LiveLine(exchange, in: sandbox), width: 100)
    #expect(line.hasSuffix(#"twilio    \x1B[1m@mail.example  POST /\x7F 201, email 1\x9B2"#))
  }
}
