import Domain
import Support
import Testing

@Suite("Prelude · checks", .contract("prelude.md 4.1, 4.3"))
struct PreludeCheckTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  @Test("the right code is success once; a wrong one is a failure and no error")
  func codes() throws {
    let created = try prelude.create().decode(PreludeCreation.self)
    let code = try prelude.code()

    let wrong = try prelude.check("0")
    let right = try prelude.check(code)
    let again = try prelude.check(code)

    wrong.matches(golden: "failure")
    right.matches(golden: "success")
    again.matches(golden: "expired-or-not-found")
    let answers = try [wrong, right, again].map { try $0.decode(PreludeCheck.self) }
    #expect(answers.map(\.status) == ["failure", "success", "expired_or_not_found"])
    #expect(Set(answers.map(\.id)) == [created.id])
  }

  @Test("nothing is found where nothing was begun, and an id is there all the same")
  func nothing() throws {
    let answer = try prelude.check("123456").decode(PreludeCheck.self)

    #expect(answer.status == "expired_or_not_found")
    #expect(answer.id.hasPrefix("vrf_"))
  }

  @Test("a body without a code that could be held against anything is refused")
  func broken() throws {
    let target = #""target":{"type":"phone_number","value":"+33639980050"}"#
    let refusals = try ["", #","code":"""#, #","code":123456"#, #","code":"1","psd2":{"amount":"1"}"#].map {
      try prelude.post(PreludeWorld.check, "{\(target)\($0)}")
    }

    refusals[0].matches(golden: "no-code")
    #expect(
      try refusals.map { try $0.preludeRefusal() } == [
        "400 invalid_request code", "400 invalid_request code", "400 invalid_request code",
        "400 invalid_request psd2.currency",
      ])
  }

  @Test("after five wrong codes nothing is right any more, and a creation begins anew")
  func limit() throws {
    let created = try prelude.create().decode(PreludeCreation.self)
    let code = try prelude.code()
    for _ in 0..<5 { #expect(try prelude.status("000000") == "failure") }

    #expect(try prelude.status(code) == "failure")
    #expect(try prelude.status(code) == "failure")
    try prelude.turn(#""checkLimit":"error""#)
    let refused = try prelude.check(code)
    refused.matches(golden: "too-many-checks")
    #expect(try refused.preludeRefusal() == "429 too_many_checks")
    let next = try prelude.create().decode(PreludeCreation.self)
    #expect(next.status == "success" && next.id != created.id)
  }

  @Test("what cannot be a code fails, or is refused where the setting says so")
  func impossible() throws {
    _ = try prelude.create()
    let plain = try ["abc", "123", "123456789"].map { try prelude.status($0) }
    try prelude.turn(#""impossibleCode":"error""#)

    let refused = try prelude.check("abc")

    #expect(plain == ["failure", "failure", "failure"])
    #expect(try refused.preludeRefusal() == "400 impossible_code code")
    #expect(try prelude.status(try prelude.code()) == "success")
  }

  @Test("a payment's code needs the payment; another one makes all codes worthless until a retry")
  func payment() throws {
    let variables = #"{"amount":"12.00","currency":"EUR","recipient":"ACME"}"#
    _ = try prelude.create(options: #"{"template_id":"prelude:psd2","variables":\#(variables)}"#)
    let code = try prelude.code()

    #expect(try prelude.inbox()[0].text == "12.00 EUR to ACME. Your verification code is: \(code)")
    #expect(try prelude.status(code) == "transaction_missing")
    let other = variables.replacing("12.00", with: "13.00")
    #expect(try prelude.status(code, #","psd2":\#(other)"#) == "transaction_mismatch")
    #expect(try prelude.status(code, #","psd2":\#(variables)"#) == "failure")
    _ = try prelude.create()
    let newest = try #require(try prelude.inbox().last?.code)
    #expect(try prelude.status(newest, #","psd2":\#(variables)"#) == "success")
  }

  @Test("a payment is ignored where the template is another")
  func needlessPayment() throws {
    _ = try prelude.create()
    let payment = #","psd2":{"amount":"1","currency":"EUR","recipient":"X"}"#

    #expect(try prelude.status(try prelude.code(), payment) == "success")
  }

  @Test("a window ends with its time")
  func time() throws {
    try prelude.turn(#""windowSeconds":60"#)
    _ = try prelude.create()
    let code = try prelude.code()
    try prelude.advance(60)

    #expect(try prelude.status(code) == "expired_or_not_found")
  }
}
