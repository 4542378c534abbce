import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Voice and Smart Verify", .contract("telesign.md 7.2, 7.3"))
struct TelesignVoiceVerifyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("a call from the provider's number reads a code of five digits twice")
  func called() throws {
    let exchange = try telesign.voice()

    exchange.matches(golden: "in-progress")
    let code = try telesign.code()
    #expect(code.count == 5)
    #expect(
      try telesign.transcript() == [
        "network (ringing)", "person (answers)",
        "caller Hello. Thank you for using our phone verification system. Your code is \(code). "
          + "Once again, your code is \(code). Goodbye.",
      ])
    #expect(try telesign.inbox(TelesignWorld.number).first?.sender == "15550100000")
    #expect(try telesign.codeState(exchange.reference(), code) == "VALID")
  }

  @Test(
    "the final status is the call's result",
    arguments: [
      ("answer", 100), ("answerHangup", 100), ("voicemail", 100), ("noAnswer", 101), ("decline", 101),
      ("busy", 107), ("unreachable", 106), ("reject", 106),
    ])
  func results(outcome: String, code: Int) throws {
    try telesign.seed(#"{"scenarios":[{"match":{"channel":"call"},"outcome":"\#(outcome)"}]}"#)
    let exchange = try telesign.voice()
    try telesign.advance(1)

    #expect([103, code].contains(try exchange.statusCode()))
    #expect(try telesign.progress(exchange.reference()) == code)
  }

  @Test("a number with the ending for blocked is not called")
  func blocked() throws {
    #expect(try telesign.progress(telesign.voice("15558670230").reference()) == 130)
  }

  @Test("text, language and caller id come from the request")
  func own() throws {
    let exchange = try telesign.voice(
      TelesignWorld.number,
      [
        "verify_code": "042", "tts_message": "Código $$CODE$$", "language": "es-ES",
        "caller_id": "12025550123",
        "redial": "false",
      ])

    #expect(try telesign.transcript().last == "caller Código 042")
    #expect(try exchange.members().object("voice").string("caller_id") == "12025550123")
    #expect(try telesign.inbox(TelesignWorld.number).first?.sender == "12025550123")
    #expect(exchange.unread.isEmpty)
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

  @Test(
    "invalid or incomplete parameters are rejected, and no call is made",
    arguments: [
      ("verify_code", "12"), ("verify_code", "123456"), ("call_forward_action", "pass"), ("caller_id", "me"),
      ("prompt_digit", "7"), ("prompt_digit", "77"), ("prompt_message", "Press 7"), ("extension_type", "1"),
      ("extension_template", "12"), ("pressx", "x"), ("tts_message", String(repeating: "x", count: 2001)),
    ])
  func invalid(name: String, value: String) throws {
    let exchange = try telesign.post(
      "/v1/verify/call", form: ["phone_number": TelesignWorld.number, name: value])

    if value == "123456" { exchange.matches(golden: "invalid-code") }
    #expect(try exchange.errorCodes() == "400 500 -10001")
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test(
    "an extension must fit its type", arguments: [("3", "1"), ("1", "1-2"), ("2", "1,2")])
  func switchboards(type: String, template: String) throws {
    let exchange = try telesign.voice(
      TelesignWorld.number, ["extension_type": type, "extension_template": template])

    #expect(try exchange.errorCodes() == "400 500 -10001")
  }

  @Test(
    "a forwarded number is reported or not called, as the request says",
    arguments: [("flag", 100, "FORWARDED"), ("block", 130, "FORWARDED")])
  func forwarding(action: String, code: Int, finding: String) throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","forwarding":["busy"]}]}"#)
    let exchange = try telesign.voice(TelesignWorld.number, ["call_forward_action": action])
    try telesign.advance(1)

    if action == "block" { exchange.matches(golden: "forwarded") }
    let found = try exchange.members().object("call_forwarding")
    #expect(try found.string("action") == action.uppercased())
    #expect(try found.string("call_forward") == finding)
    #expect(try telesign.progress(exchange.reference()) == code)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty == (action == "block"))
  }

  @Test(
    "forwarding can be unsupported or unavailable",
    arguments: [
      (#""lineType":"non_fixed_voip""#, "UNSUPPORTED"), (#""lineType":"landline""#, "NOT_FORWARDED"),
      (#""deactivatedAt":"-3d""#, "UNAVAILABLE"),
    ])
  func unknownForwarding(record: String, finding: String) throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309",\#(record)}]}"#)

    let found = try telesign.voice().members().object("call_forwarding")

    #expect(try found.string("call_forward") == finding)
  }

  @Test(
    "Smart Verify sends an SMS if the line supports it, else it calls, unless the request prefers otherwise")
  func smart() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675310","lineType":"landline"}]}"#)

    let text = try telesign.smart()
    let call = try telesign.smart("15558675310")
    let wanted = try telesign.smart(
      TelesignWorld.number,
      [
        "preference": "call", "verify_code": "4242", "tts_message": "It is $$CODE$$",
        "sms_message": "$$CODE$$",
      ])

    text.matches(golden: "text")
    call.matches(golden: "call")
    #expect(try text.members().string("sub_resource") == "sms" && text.statusCode() == 290)
    #expect(try call.members().string("sub_resource") == "voice" && call.statusCode() == 103)
    #expect(try telesign.transcript().last == "caller It is 4242")
    #expect(wanted.unread.isEmpty)
    #expect(try telesign.status(wanted.reference()).members().string("sub_resource") == "voice")
  }

  @Test("nothing is sent to a risky number, unless the request ignores the risk")
  func risk() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","risk":{"score":700}}]}"#)

    let risky = try telesign.smart()
    let ending = try telesign.smart("15558670010")
    let ignored = try telesign.smart(TelesignWorld.number, ["ignore_risk": "true"])

    risky.matches(golden: "risky")
    #expect(try risky.statusCode() == 2028 && ending.statusCode() == 2028)
    #expect(try ignored.statusCode() == 290)
    #expect(try telesign.inbox(TelesignWorld.number).count == 1)
  }

  @Test("a Smart Verify request has mandatory and optional parameters")
  func smartRefusals() throws {
    let causeless = try telesign.post("/v1/verify/smart", form: ["phone_number": TelesignWorld.number])
    let torn = try telesign.smart(TelesignWorld.number, ["preference": "both"])

    causeless.matches(golden: "missing-ucid")
    #expect(try causeless.errorCodes() == "400 500 -10001")
    #expect(try torn.errorCodes() == "400 500 -10001")
  }
}
