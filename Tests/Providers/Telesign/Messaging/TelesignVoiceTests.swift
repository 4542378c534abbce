import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Voice", .contract("telesign.md 9.3"))
struct TelesignVoiceTests {
  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func call(_ more: [String: String] = [:]) throws -> Exchange {
    let fields = ["phone_number": TelesignWorld.number, "message": "Hello", "message_type": "ARN"].merging(
      more
    ) { $1 }
    let body = fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
    return try telesign.send(.post, "/v1/voice", json: "{\(body.joined(separator: ","))}")
  }

  private func status(_ reference: String) throws -> Exchange { try telesign.get("/v1/voice/\(reference)") }

  @Test("the last pressed key is reported")
  func keys() throws {
    let reference = try call().reference()
    try telesign.advance(5)
    let message = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect(try status(reference).answer.contains(#""user_input":"""#))

    _ = try telesign.world.send(.json(.post, "/control/calls/\(message.id)/keys", #"{"keys":"12"}"#))

    #expect(try status(reference).answer.contains(#""user_input":"2""#))
  }

  @Test("a prompt asks for its digit before the text is read")
  func prompt() throws {
    _ = try call(["prompt_message": "Press 7.", "prompt_digit": "7"])

    #expect(try telesign.transcript().contains("caller Press 7."))
  }

  private static let menu = [
    "select_digits": "12", "tts_message_1": "Confirmed.", "tts_message_2": "Canceled.", "repeat_digit": "9",
    "tts_repeat": "Again.",
  ]

  @Test(
    "the pressed key decides what is said after the text, and only valid keys are reported",
    arguments: [
      (nil, ["(presses 1)", "Confirmed.", "(the call ends)"], "1"),
      ("2", ["(presses 2)", "Canceled.", "(the call ends)"], "2"),
      ("5921", ["(presses 9)", "Again.", "Hello", "(presses 2)", "Canceled.", "(the call ends)"], "2"),
      (
        "9999",
        Array(repeating: ["(presses 9)", "Again.", "Hello"], count: 3).flatMap { $0 } + ["(the call ends)"],
        "9"
      ),
      ("7", [], ""), ("", [], ""),
    ] as [(String?, [String], String)])
  func menu(keys: String?, said: [String], reported: String) throws {
    if let keys {
      try telesign.seed(
        #"{"subscribers":[{"number":"+15558675309","scenarios":[{"outcome":"answer","keys":"\#(keys)"}]}]}"#)
    }
    let reference = try call(Self.menu).reference()
    try telesign.advance(5)

    let texts = try telesign.transcript().map { $0.split(separator: " ", maxSplits: 1)[1] }
    #expect(Array(texts.dropFirst(3)) == said.map { Substring($0) })
    #expect(try status(reference).answer.contains(#""user_input":"\#(reported)""#))
    #expect(try status(reference).statusCode() == 100)
  }

  @Test("keys can be pressed until the call ends; a prompt's third wrong key ends it")
  func presses() throws {
    try telesign.seed(
      #"{"subscribers":[{"number":"+15558675309","scenarios":[{"outcome":"answer","keys":""}]}]}"#)
    func press(_ keys: String) throws -> String {
      let id = try #require(try telesign.inbox(TelesignWorld.number).last).id
      return String(
        try telesign.world.send(.json(.post, "/control/calls/\(id)/keys", #"{"keys":"\#(keys)"}"#)).answer
          .prefix(3))
    }
    let reference = try call(Self.menu).reference()
    try telesign.advance(5)
    #expect(try [press("9"), press("2"), press("1")] == ["200", "200", "409"])
    #expect(try status(reference).answer.contains(#""user_input":"2""#))

    _ = try call(["prompt_message": "Press 7.", "prompt_digit": "7"])
    try telesign.advance(5)
    #expect(try [press("12"), press("3"), press("7")] == ["200", "200", "409"])
    #expect(try !telesign.transcript().contains("caller Hello"))
  }

  @Test("caller id and voice come from the request", arguments: ["f-fr-FR", "f-FR-fr"])
  func speech(voice: String) throws {
    let exchange = try call(["caller_id": "12025550100", "voice": voice])

    #expect(exchange.answer.contains(#""caller_id":"12025550100""#))
    let message = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect(try telesign.sandbox.calls.find(message.ordinal)?.speech.language == "fr-FR")
  }
}
