import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Verify API: creation and retrieval", .contract("telesign.md 4.2 to 4.5"))
struct TelesignVerificationTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  private func statusAndCode(_ json: String) throws -> String {
    try telesign.send(.post, "/verification", json: json).statusAndCode()
  }

  @Test("creating a verification returns it and sends the code")
  func create() throws {
    let created = try telesign.create(
      #","verification_policy":[{"method":"whatsapp","fallback_time":60},{"method":"sms"}]"#
        + #","external_id":"login-7781","unknown":1"#)

    created.matches(golden: "created")
    #expect(try telesign.inbox(TelesignWorld.number).map(\.channel) == [.whatsapp])
    #expect(try telesign.inbox(TelesignWorld.number).first?.text.contains(try telesign.code()) == true)
  }

  @Test("an invalid number has its own error")
  func badNumber() throws {
    let refused = try telesign.create(to: "1555abc")

    refused.matches(golden: "invalid-number")
    #expect(try refused.statusAndCode() == "400 3101")
  }

  @Test("fetching shows every method of the policy")
  func fetch() throws {
    let reference = try telesign.start("whatsapp 60,sms")
    try telesign.advance(61)

    try telesign.fetch(reference).matches(golden: "second-method")
  }

  @Test("malformed and unknown ids are invalid requests")
  func unknown() throws {
    let missing = try telesign.fetch(String(repeating: "F", count: 32))

    missing.matches(golden: "unknown-reference")
    #expect(try telesign.fetch("not-an-id").statusAndCode() == "400 3110")
    try telesign.configure(#""verify.unknown_reference_http":404"#)
    #expect(try telesign.fetch(String(repeating: "F", count: 32)).statusAndCode() == "404 3110")
    #expect(try telesign.fetch("not-an-id").statusAndCode() == "400 3110")
  }

  @Test("a verification belongs to its customer, and expires after a day")
  func retention() throws {
    let other = "00000000-1111-2222-3333-444444444444"
    try telesign.seed(#"{"telesign":{"accounts":[{"customerId":"\#(other)","apiKeys":["a2V5"]}]}}"#)
    let reference = try telesign.start()

    #expect(
      try telesign.get("/verification/\(reference)", as: Request.basic(other, "a2V5")).statusAndCode()
        == "400 3110"
    )
    try telesign.advance(86_399)
    #expect(try telesign.state(reference) == "FAILED: sms FAILED 3908")
    try telesign.advance(1)
    #expect(try telesign.fetch(reference).statusAndCode() == "400 3110")
  }

  @Test(
    "invalid members are rejected, and nothing is sent",
    arguments: [
      (#"{}"#, "400 3110"),
      (#"{"recipient":{}}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309","name":"Jo"}}"#, "400 3110"),
      (#"{"recipient":{"phone_number":15558675309}}"#, "400 3101"),
      (#"{"recipient":{"phone_number":"123456"}}"#, "400 3101"),
      (#"{"recipient":{"email":"a@b.co"}}"#, "400 3302"),
      (#"{"recipient":{"email":"nowhere"},"verification_policy":[{"method":"email"}]}"#, "400 3119"),
      (
        #"{"recipient":{"phone_number":"15558675309"},"verification_policy":[{"method":"email"}]}"#,
        "400 3309"
      ),
      (#"{"recipient":{"phone_number":"15558675309"},"security_factor":"12"}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"security_factor":"12345678901"}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"security_factor":"12a4"}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"device_registration":"other"}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"push_registration":"yes"}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"message_template":{"name":"A b"}}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"message_template":{"name":""}}"#, "400 3110"),
      (#"{"recipient":{"phone_number":"15558675309"},"external_id":"é"}"#, "400 3103"),
      (#"{"recipient":{"phone_number":"15558675309"},"callback_url":"http://127.0.0.1/"}"#, "401 3203"),
      ("{", "400 3110"),
    ])
  func broken(json: String, expected: String) throws {
    #expect(try statusAndCode(json) == expected)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test("callback_url must be a URL, and the account must be allowed to use it")
  func callbackURL() throws {
    try telesign.configure(#""verify.callback_allowed":true"#)

    #expect(try telesign.create(#","callback_url":"nowhere""#).statusAndCode() == "400 3106")
    #expect(try telesign.create(#","callback_url":"http://127.0.0.1/hook""#).statusAndCode() == "200 3901")
  }

  @Test("a body of more than 10 KB is too large")
  func bodyLimit() throws {
    let padding = String(repeating: "x", count: 10_240)

    let refused = try telesign.create(#","padding":"\#(padding)""#)

    #expect(try refused.statusAndCode() == "413 3116")
    #expect(try refused.members().string("reference_id").utf8.count == 32)
    #expect(try telesign.create(#","padding":"\#(padding.prefix(10_100))""#).statusAndCode() == "200 3901")
  }

  @Test(
    "number endings cause errors; those about delivery affect SMS only",
    arguments: [("0429", "429 3204"), ("0503", "503 3500"), ("0033", "400 3071")])
  func refusals(ending: String, expected: String) throws {
    #expect(try telesign.create(to: "1555867\(ending)").statusAndCode() == expected)
  }

  @Test("an SMS that fails by its number's ending falls back to another channel")
  func undelivered() throws {
    let alone = try telesign.start("sms", to: "15558670207")
    let first = try telesign.start("sms,whatsapp", to: "15558670207")

    try telesign.advance(1)

    #expect(try telesign.state(alone) == "FAILED: sms FAILED 3003")
    #expect(try telesign.state(first) == "ONGOING: sms FAILED 3003, whatsapp ONGOING 3901")
  }

  @Test("a delivery is reported after the delay")
  func delay() throws {
    try telesign.configure(#""verify.delivered_after_s":10"#)
    let reference = try telesign.start()

    try telesign.advance(9)
    #expect(try telesign.state(reference) == "ONGOING: sms ONGOING 3901")
    try telesign.advance(1)
    #expect(try telesign.state(reference) == "ONGOING: sms ONGOING 3000")
  }

  @Test("the voice method is a call in the requested language")
  func voice() throws {
    _ = try telesign.create(#","verification_policy":[{"method":"voice"}],"voice_lang":"fr-FR""#)

    let call = try #require(try telesign.inbox(TelesignWorld.number).last)
    #expect(call.channel == .call)
    #expect(try telesign.sandbox.calls.find(call.ordinal)?.speech.language == "fr-FR")
  }

  @Test("the method email sends to the email address, with or without a number")
  func email() throws {
    let created = try telesign.send(
      .post, "/verification",
      json: #"{"recipient":{"email":"A@b.co"},"verification_policy":[{"method":"email"}]}"#)
    var filter = Messages.Filter()
    filter.destination = "A@b.co"

    let message = try #require(try telesign.sandbox.messages.latest(filter))
    let reference = try created.members().string("reference_id")
    #expect(try telesign.finalize(reference, message.code).statusAndCode() == "200 3900")
  }
}
