import Domain
import Support
import Testing

@Suite("Prelude · checks", .contract("prelude.md 4.1, 4.3"))
struct PreludeCheckTests {
  let prelude: PreludeWorld

  init() throws { prelude = try PreludeWorld() }

  @Test("the right code succeeds once; a wrong code is a failure, not an error")
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

  @Test("a check without a verification is expired_or_not_found, with an id")
  func nothing() throws {
    let answer = try prelude.check("123456").decode(PreludeCheck.self)

    #expect(answer.status == "expired_or_not_found")
    #expect(answer.id.hasPrefix("vrf_"))
  }

  @Test("a body without a usable code or with an incomplete payment is rejected")
  func broken() throws {
    let target = #""target":{"type":"phone_number","value":"+33639980050"}"#
    let errors = try ["", #","code":"""#, #","code":123456"#, #","code":"1","psd2":{"amount":"1"}"#].map {
      try prelude.post(PreludeWorld.check, "{\(target)\($0)}")
    }

    errors[0].matches(golden: "no-code")
    #expect(
      try errors.map { try $0.preludeError() } == [
        "400 invalid_request code", "400 invalid_request code", "400 invalid_request code",
        "400 invalid_request psd2.currency",
      ])
  }

  @Test("after five wrong codes every check fails, and a creation starts a new verification")
  func limit() throws {
    let created = try prelude.create().decode(PreludeCreation.self)
    let code = try prelude.code()
    for _ in 0..<5 { #expect(try prelude.status("000000") == "failure") }

    #expect(try prelude.status(code) == "failure")
    #expect(try prelude.status(code) == "failure")
    try prelude.configure(#""checkLimit":"error""#)
    let rejected = try prelude.check(code)
    rejected.matches(golden: "too-many-checks")
    #expect(try rejected.preludeError() == "429 too_many_checks")
    let next = try prelude.create().decode(PreludeCreation.self)
    #expect(next.status == "success" && next.id != created.id)
  }

  @Test("text that cannot be a code fails, or is rejected if the setting says so")
  func impossible() throws {
    _ = try prelude.create()
    let plain = try ["abc", "123", "123456789"].map { try prelude.status($0) }
    try prelude.configure(#""impossibleCode":"error""#)

    let rejected = try prelude.check("abc")

    #expect(plain == ["failure", "failure", "failure"])
    #expect(try rejected.preludeError() == "400 impossible_code code")
    #expect(try prelude.status(try prelude.code()) == "success")
  }

  @Test("the code of a payment needs the same payment; a different one invalidates all codes until a retry")
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

  @Test("a payment is ignored with other templates")
  func needlessPayment() throws {
    _ = try prelude.create()
    let payment = #","psd2":{"amount":"1","currency":"EUR","recipient":"X"}"#

    #expect(try prelude.status(try prelude.code(), payment) == "success")
  }

  @Test("a verification expires after its window")
  func time() throws {
    try prelude.configure(#""windowSeconds":60"#)
    _ = try prelude.create()
    let code = try prelude.code()
    try prelude.advance(60)

    #expect(try prelude.status(code) == "expired_or_not_found")
  }
}
