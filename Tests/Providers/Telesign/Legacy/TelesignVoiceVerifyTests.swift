import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Voice Verify", .contract("telesign.md 7.2"))
struct TelesignVoiceVerifyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("a call reads a code of five digits twice")
  func called() throws {
    _ = try telesign.voice()

    let code = try telesign.code()
    #expect(code.count == 5)
    #expect(
      try telesign.transcript() == [
        "network (ringing)", "person (answers)",
        "caller Hello. Thank you for using our phone verification system. Your code is \(code). "
          + "Once again, your code is \(code). Goodbye.",
      ])
  }

  @Test("if the request asks for a key, it must be pressed first")
  func prompts() throws {
    let question: KeyValuePairs = [
      "prompt_message": "Press 7", "prompt_digit": "7", "tts_message": "It is $$CODE$$", "verify_code": "123",
    ]
    _ = try telesign.voice(TelesignWorld.number, question)
    #expect(
      try telesign.transcript().suffix(3) == ["caller Press 7", "person (presses 7)", "caller It is 123"])
    try telesign.seed(#"{"scenarios":[{"match":{"channel":"call"},"outcome":"answer","keys":"1"}]}"#)
    _ = try telesign.voice(TelesignWorld.number, question)
    #expect(
      try telesign.transcript().suffix(3) == [
        "caller Press 7", "person (presses 1)", "network (the call ends)",
      ])
    #expect(try telesign.inbox(TelesignWorld.number).last?.code == nil)
    let asked = try telesign.voice("15558675310", ["pressx": "1"])
    #expect(try telesign.transcript("15558675310")[2].contains("Please press 5 to hear your code."))
    #expect(asked.isAccepted)
  }

  @Test(
    "wrong keys end the call: the third one of a prompt, the second one of pressx",
    arguments: [("127", true, true), ("1237", true, false), ("15", false, true), ("125", false, false)])
  func tries(keys: String, isPrompt: Bool, isHeard: Bool) throws {
    try telesign.seed(
      #"{"scenarios":[{"match":{"channel":"call"},"outcome":"answer","keys":"\#(keys)"}]}"#)

    let prompt: KeyValuePairs = ["prompt_message": "Press 7", "prompt_digit": "7"]
    _ = try telesign.voice(TelesignWorld.number, isPrompt ? prompt : ["pressx": "1"])

    let message = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect((message.code != nil) == isHeard)
    let pressed = try telesign.sandbox.calls.find(message.ordinal)?.keys
    #expect(pressed == (isHeard ? keys : String(keys.dropLast())))
  }

  @Test(
    "an extension is dialled, or its operator is asked",
    arguments: [("1", "12,,3", "(dials 12,,3)"), ("2", "123", "Please connect me with extension 123.")])
  func extensions(type: String, template: String, words: String) throws {
    _ = try telesign.voice(
      TelesignWorld.number, ["extension_type": type, "extension_template": template])

    #expect(try telesign.transcript()[2] == "caller \(words)")
  }
}
