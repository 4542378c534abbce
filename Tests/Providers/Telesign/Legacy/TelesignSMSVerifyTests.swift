import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · SMS Verify", .contract("telesign.md 7.1"))
struct TelesignSMSVerifyTests {
  let telesign: TelesignWorld

  init() throws { telesign = try TelesignWorld() }

  @Test("a code of seven digits is sent, and the status is in progress")
  func sent() throws {
    let exchange = try telesign.sms()

    exchange.matches(golden: "in-progress")
    let message = try #require(try telesign.inbox(TelesignWorld.number).first)
    #expect(message.text == "Your code is \(try telesign.code()).")
    #expect(try telesign.code().count == 7)
    #expect(message.sender == "Telesign")
  }

  @Test("the request's own code and text are sent, with amount and payee")
  func own() throws {
    let exchange = try telesign.sms(
      TelesignWorld.number,
      [
        "verify_code": "007", "template": "$$PAYEE$$ gets $$AMOUNT$$: $$CODE$$ é", "sender_id": "Acme",
        "transaction_amount": "5 EUR", "transaction_payee": "Café", "ucid": "PWRT",
        "originating_ip": "2001:db8::1", "is_primary": "true", "dlt_template_id": "1",
      ])

    let message = try #require(try telesign.inbox(TelesignWorld.number).first)
    #expect(message.text == "Café gets 5 EUR: 007 é")
    #expect(message.sender == "Acme" && message.code == "007")
    #expect(exchange.unread.isEmpty)
  }

  @Test("a text without a placeholder does not contain the code")
  func noPlace() throws {
    _ = try telesign.sms(TelesignWorld.number, ["template": "Hello", "verify_code": "4242"])

    let message = try #require(try telesign.inbox(TelesignWorld.number).first)
    #expect(message.text == "Hello" && message.code == nil)
  }

  @Test(
    "the default text is in the requested language, else in English",
    arguments: [
      ("fr-FR", "Votre code est 4242."), ("DE", "Ihr Code lautet 4242."), ("pt_BR", "O seu código é 4242."),
      ("ja-JP", "Your code is 4242."),
    ])
  func languages(tag: String, text: String) throws {
    _ = try telesign.sms(TelesignWorld.number, ["language": tag, "verify_code": "4242"])

    #expect(try telesign.inbox(TelesignWorld.number).first?.text == text)
  }

  @Test(
    "invalid parameters are rejected and named in the journal, and nothing is sent",
    arguments: [
      ("verify_code", "12"), ("verify_code", "12345678"), ("verify_code", "12a4"), ("verify_code", "１２３"),
      ("ucid", "NOPE"), ("template", String(repeating: "x", count: 1601)),
      ("sender_id", String(repeating: "x", count: 21)), ("originating_ip", "1.2.3"),
      ("sim_swap_check", "perhaps"),
    ])
  func invalid(name: String, value: String) throws {
    let exchange = try telesign.post(
      "/v1/verify/sms", form: ["phone_number": TelesignWorld.number, name: value])

    if value == "12" { exchange.matches(golden: "invalid-code") }
    #expect(try exchange.errorCodes() == "400 500 -10001")
    #expect(exchange.why?.hasPrefix("\(name): expected ") == true)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test("the number is mandatory and must be valid; amount and payee come together")
  func missing() throws {
    let numberless = try telesign.post("/v1/verify/sms", form: ["phone_number": ""])
    let wordy = try telesign.sms("abc")
    let amount = try telesign.sms(TelesignWorld.number, ["transaction_amount": "5"])
    let payee = try telesign.sms(TelesignWorld.number, ["transaction_payee": "Acme"])

    numberless.matches(golden: "missing-number")
    wordy.matches(golden: "invalid-number")
    for exchange in [numberless, wordy, amount, payee] {
      #expect(try exchange.errorCodes() == "400 500 -10001")
    }
    #expect(amount.answer.contains("Parameter: transaction_payee"))
    #expect(payee.answer.contains("Parameter: transaction_amount"))
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty)
  }

  @Test(
    "some number endings cause errors, and so does an account without money",
    arguments: [
      ("15558670429", "429 500 -40007"), ("15558670503", "503 500 -90001"), ("15558670033", "401 500 -10033"),
    ])
  func endings(number: String, refusal: String) throws {
    #expect(try telesign.sms(number).errorCodes() == refusal)
    #expect(try telesign.inbox(number).isEmpty)
    try telesign.configure(#""account.funds":false"#)
    #expect(try telesign.sms().errorCodes() == "402 500 -10030")
  }

  @Test(
    "the number's ending decides the delivery",
    arguments: [
      ("0207", [290, 207]), ("0221", [290, 203, 221]), ("0230", [230]), ("0250", [290, 250]), ("0290", [290]),
      ("0001", [290, 203, 200]),
    ])
  func deliveries(ending: String, codes: [Int]) throws {
    let first = try telesign.sms("1555867\(ending)")
    var seen = [try first.statusCode()]
    for _ in 0..<80 {
      try telesign.sandbox.atomically { try telesign.sandbox.advance(by: .milliseconds(100)) }
      let code = try telesign.progress(first.reference())
      if code != seen.last { seen.append(code) }
    }

    #expect(seen == codes)
  }

  @Test("each request has its own reference and code, and both are valid")
  func two() throws {
    let first = try telesign.sms().reference()
    let code = try telesign.code()
    let second = try telesign.sms().reference()
    let other = try telesign.code()

    #expect(first != second && code != other)
    #expect(try telesign.codeState(first, other) == "INVALID")
    #expect(try telesign.codeState(first, code) == "VALID")
    #expect(try telesign.codeState(second, other) == "VALID")
  }

  @Test("settings decide the length and validity of a code")
  func switches() throws {
    try telesign.configure(#""sms_verify.code_length":4,"sms_verify.ttl_s":60,"sms_verify.attempts":1"#)
    let first = try telesign.sms().reference()
    let code = try telesign.code()
    let second = try telesign.sms().reference()
    let other = try telesign.code()

    #expect(code.count == 4)
    #expect(try telesign.codeState(first, "0") == "INVALID")
    #expect(try telesign.codeState(first, code) == "MAX_ATTEMPTS_EXCEEDED")
    try telesign.advance(61)
    #expect(try telesign.codeState(second, other) == "EXPIRED")
  }

  @Test(
    "a SIM card changed today blocks the message if the request asks for the check",
    arguments: [(0, 518, 4), (3, 290, 3), (20, 290, 2), (400, 290, 1)])
  func simSwap(days: Int, status: Int, risk: Int) throws {
    try telesign.seed(
      #"{"subscribers":[{"number":"+15558675309","simSwaps":["-\#(days * 24 + 1)h"]}]}"#)

    let exchange = try telesign.sms(TelesignWorld.number, ["sim_swap_check": "true"])

    if status == 518 { exchange.matches(golden: "sim-swapped") }
    let found = try exchange.members().object("sim_swap")
    #expect(try exchange.statusCode() == status)
    #expect(try found.int("risk_indicator") == risk)
    #expect(try telesign.inbox(TelesignWorld.number).isEmpty == (status == 518))
    #expect(try telesign.progress(exchange.reference()) == status)
    #expect(try telesign.codeState(exchange.reference(), "0") == "INVALID")
  }

  @Test("a number out of service cannot be checked, so nothing is sent")
  func noSIMSwap() throws {
    try telesign.seed(#"{"subscribers":[{"number":"+15558675309","deactivatedAt":"-3d"}]}"#)

    let exchange = try telesign.sms(TelesignWorld.number, ["sim_swap_check": "true"])

    #expect(try exchange.statusCode() == 519)
    #expect(try exchange.members().object("sim_swap").object("status").int("code") == 2805)
  }

  @Test("with Score and number deactivation enabled, the first response describes the number too")
  func features() throws {
    try telesign.configure(#""sms_verify.features":["score","number_deactivation"]"#)
    let sent = try telesign.sms()
    let members = try sent.members()

    sent.matches(golden: "features")
    #expect(try members.object("phone_type").string("code") == "2")
    #expect(try members.object("risk").string("recommendation") == "allow")
    #expect(try members.object("number_deactivation").object("status").int("code") == 2800)
    let unasked = try telesign.sms(TelesignWorld.number, ["num_deac_req": "false"]).members()
    #expect(try unasked.optionalObject("number_deactivation") == nil)
    let call = try telesign.voice().members()
    #expect(try call.object("numbering").object("original").string("country_code") == "1")
    #expect(try call.optionalObject("number_deactivation") == nil)
    #expect(try telesign.status(sent.reference()).members().optionalObject("risk") == nil)
    try telesign.configure(#""sms_verify.features":["number_deactivation"]"#)
    let one = try telesign.sms().members()
    #expect(try one.optionalObject("risk") == nil && one.optionalObject("number_deactivation") != nil)
  }
}
