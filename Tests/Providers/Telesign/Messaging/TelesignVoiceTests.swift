import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Voice", .contract("telesign.md 9.3"))
struct TelesignVoiceTests {
  private let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func call(
    _ digits: String = TelesignWorld.number, _ more: [String: String] = [:]
  ) throws -> Exchange {
    let fields = ["phone_number": digits, "message": "Hello", "message_type": "ARN"].merging(more) { $1 }
    let body = fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
    return try telesign.send(.post, "/v1/voice", json: "{\(body.joined(separator: ","))}")
  }

  private func status(_ reference: String) throws -> Exchange { try telesign.get("/v1/voice/\(reference)") }

  @Test("a new call is in progress, then answered, and the text is heard")
  func answered() throws {
    let exchange = try telesign.post(
      "/v1/voice",
      form: ["phone_number": TelesignWorld.number, "message": "Hello", "message_type": "ARN"])
    exchange.matches(golden: "in-progress")
    try telesign.advance(1)

    let status = try status(exchange.reference())

    status.matches(golden: "answered")
    #expect(status.answer.hasSuffix(#""voice":{"user_input":"","caller_id":"15550100000"}}"#))
    #expect(try telesign.transcript().contains("caller Hello"))
  }

  @Test(
    "the status shows how the call ended",
    arguments: [("busy", 107), ("noAnswer", 101), ("decline", 101), ("unreachable", 106), ("voicemail", 100)])
  func ends(outcome: String, code: Int) throws {
    try telesign.seed(
      #"{"subscribers":[{"number":"+15558675309","scenarios":[{"outcome":"\#(outcome)"}]}]}"#)
    let reference = try call().reference()
    try telesign.advance(1)

    #expect(try status(reference).statusCode() == code)
  }

  @Test("a blocked number is blocked for calls too")
  func blocked() throws {
    let reference = try call("15558670230").reference()
    try telesign.advance(1)

    #expect(try status(reference).statusCode() == 130)
  }

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
    _ = try call(TelesignWorld.number, ["prompt_message": "Press 7.", "prompt_digit": "7"])

    #expect(try telesign.transcript().contains("caller Press 7."))
  }

  @Test("caller id and voice come from the request", arguments: ["f-fr-FR", "f-FR-fr"])
  func speech(voice: String) throws {
    let exchange = try call(TelesignWorld.number, ["caller_id": "12025550100", "voice": voice])

    #expect(exchange.answer.contains(#""caller_id":"12025550100""#))
    let message = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect(try telesign.sandbox.calls.find(message.ordinal)?.speech.language == "fr-FR")
  }

  @Test("missing or invalid parameters are rejected")
  func refusals() throws {
    try telesign.post("/v1/voice", form: ["phone_number": "15558675309", "message": "x"])
      .matches(golden: "without-type")
    try status(String(repeating: "F", count: 32)).matches(golden: "unknown")
    for (fields, refusal) in [
      (["voice": "parrot"], "400 11018"), (["voice": "x-en-US"], "400 11018"),
      (["prompt_digit": "7"], "400 -40006"), (["prompt_digit": "77", "prompt_message": "x"], "400 -40006"),
      (["select_digits": "11"], "400 -40006"), (["repeat_digit": "x"], "400 -40006"),
      (["caller_id": "x"], "400 -40006"), (["phone_number": "x"], "400 11000"),
    ] {
      #expect(try call(TelesignWorld.number, fields).errorCodes() == refusal, "\(fields)")
    }
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }
}
