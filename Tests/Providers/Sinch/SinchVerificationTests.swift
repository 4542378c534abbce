import Domain
import HTTP
import Support
import Testing

/// The other behaviours are in `Checks/Verifications.http`.
@Suite("Sinch · texts", .contract("sinch-verification.md 3, 4, 5"))
struct SinchVerificationTests {
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  @Test("S1: a text has the answer's template with a code")
  func start() throws {
    let exchange = try sinch.start()
    let started = try exchange.decode(SinchStarted.self)
    let message = try #require(try sinch.inbox().last)
    let template = try #require(started.template)

    exchange.matches(golden: "sms")
    #expect(started.method == "sms" && template.contains("{{CODE}}"))
    #expect(message.text == template.replacing("{{CODE}}", with: try sinch.code()))
    #expect(try sinch.code().wholeMatch(of: /[0-9]{4}/) != nil)
    #expect(started.id.wholeMatch(of: /[1-9][0-9]{9}/) != nil)
  }

  @Test("S17: unknown ids, references and numbers are not found")
  func unknown() throws {
    let paths = [
      "id/1234567890", "id/x", "id/99999999999999999999", "reference/r9", "sms/number/+12025550101",
      "fax/number/+12025550100",
    ]
    for path in paths {
      #expect(try sinch.send(.get, "\(SinchWorld.base)/\(path)").sinchError() == "404 40400")
    }
    try sinch.send(.get, "\(SinchWorld.base)/id/1234567890").matches(golden: "unknown")
    try sinch.send(.get, "\(SinchWorld.base)/reference/r9").matches(golden: "unknown")
    try sinch.send(.get, "\(SinchWorld.base)/sms/number/+12025550101").matches(golden: "unknown")
    let report = SinchWorld.reportBody("1234")
    try sinch.send(.put, "\(SinchWorld.base)/id/1234567890", report).matches(golden: "unknown")
    try sinch.send(.put, "\(SinchWorld.base)/number/+12025550101", report).matches(golden: "unknown")
    try sinch.send(.get, "/verification/v1/nothing").matches(golden: "unknown-path")
    try sinch.send(.delete, SinchWorld.base).matches(golden: "wrong-method")
  }

  @Test("the status by number is that of the newest of its method, in any letter case")
  func byNumber() throws {
    let first = try sinch.started("callout")
    let second = try sinch.started("callout")
    _ = try sinch.started("sms")

    let exchange = try sinch.send(.get, "\(SinchWorld.base)/CallOut/number/+12025550100")

    exchange.matches(golden: "aborted")
    let status = try exchange.decode(SinchStatus.self)
    #expect(status.id == second.id && status.id != first.id && status.status == "ABORTED")
    try sinch.configure(#""openStatus":true"#)
    let open = try sinch.send(.get, "\(SinchWorld.base)/callout/number/+12025550100", as: [:])
    #expect(try open.decode(SinchStatus.self).id == second.id)
    #expect(try sinch.send(.get, "\(SinchWorld.base)/id/\(second.id)", as: [:]).sinchError() == "401 40100")
  }

  @Test(
    "S18: a code has the characters of its type",
    arguments: [("Alpha", "[A-Z]{4}"), ("Alphanumeric", "[A-Z0-9]{4}")])
  func codeType(type: String, pattern: String) throws {
    let started = try sinch.started("sms", SinchWorld.number, #","smsOptions":{"codeType":"\#(type)"}"#)

    #expect(started.codeType == type)
    #expect(try sinch.code().wholeMatch(of: Regex(pattern)) != nil)
    #expect(try sinch.report(sinch.code(), of: started.id).sinchOutcome() == "SUCCESSFUL")
  }

  @Test("S20: the last wrong code fails the verification")
  func attempts() throws {
    let id = try sinch.started().id
    let code = try sinch.code()
    let wrong = code == "0000" ? "1111" : "0000"

    for attempt in 1...3 {
      let exchange = try sinch.report(wrong, of: id)
      if attempt == 1 { exchange.matches(golden: "wrong-code") }
      #expect(try exchange.sinchOutcome() == "FAIL Invalid code")
      #expect(try sinch.status(id).status == (attempt < 3 ? "PENDING" : "FAIL"))
    }
    #expect(try sinch.report(code, of: id).sinchOutcome() == "FAIL Invalid code")
    #expect(try sinch.status(id).outcome == "FAIL Invalid code")
  }

  @Test(
    "S23: the language of a text is the first one that is known",
    arguments: [
      ("es-ES", "es-ES"), ("xx-XX", "en-US"), ("xx, fr;q=0.8, de", "fr-FR"), ("", "en-US"),
    ])
  func language(accepted: String, content: String) throws {
    var headers = SinchWorld.credentials
    headers.add("Accept-Language", accepted)

    let exchange = try sinch.start(as: headers)

    #expect(exchange.headers["Content-Language"] == content)
    #expect(try sinch.inbox().last?.text.contains(sinch.code()) == true)
  }

  @Test("a text has the request's own template, and its locale wins over the header")
  func template() throws {
    var headers = SinchWorld.credentials
    headers.add("Accept-Language", "es-ES")
    let options = #","smsOptions":{"template":"Shop: {{CODE}}","locale":"de-DE"}"#

    let exchange = try sinch.start("sms", SinchWorld.number, options, as: headers)

    #expect(try exchange.decode(SinchStarted.self).template == "Shop: {{CODE}}")
    #expect(exchange.headers["Content-Language"] == "de-DE")
    #expect(try sinch.inbox().last?.text == "Shop: \(try sinch.code())")
  }

  @Test("unknown members are ignored and noted, or refused if the setting says so")
  func strays() throws {
    let stray = #","expiry":"00:01:00""#
    let exchange = try sinch.start("sms", SinchWorld.number, stray)
    #expect(try exchange.decode(SinchStarted.self).method == "sms")
    #expect(exchange.unread == ["$.expiry"] || exchange.unread == ["expiry"])

    try sinch.configure(#""strictMembers":true"#)
    #expect(try sinch.start("sms", SinchWorld.number, stray).sinchError() == "400 40001")
    #expect(try sinch.started().method == "sms")
  }

  @Test("an intercepted code is told in the status")
  func source() throws {
    let id = try sinch.started().id
    let body = #"{"method":"sms","sms":{"code":"\#(try sinch.code())","cli":"Sinch","source":"intercepted"}}"#
    let exchange = try sinch.send(.put, "\(SinchWorld.base)/id/\(id)", body)

    #expect(try exchange.sinchOutcome() == "SUCCESSFUL")
    #expect(exchange.unread == [])
    #expect(try sinch.status(id).source == "intercepted")
  }

  @Test("S31: a WhatsApp message has the code")
  func whatsapp() throws {
    let exchange = try sinch.start("whatsapp", SinchWorld.number, #","whatsappOptions":{"codeType":"Alpha"}"#)
    let started = try exchange.decode(SinchStarted.self)

    exchange.matches(golden: "whatsapp")
    #expect(try sinch.inbox().last?.channel == .whatsapp && started.codeType == "Alpha")
    #expect(try sinch.report(sinch.code(), of: started.id, "whatsapp").sinchOutcome() == "SUCCESSFUL")
  }

  @Test("S45: a price is known after the end, and after the setting's delay")
  func price() throws {
    try sinch.configure(#""priceDelay":60"#)
    let id = try sinch.started().id
    #expect(try sinch.status(id).amount == nil)
    _ = try sinch.report(sinch.code(), of: id)

    #expect(try sinch.status(id).amount == nil)
    try sinch.advance(60)
    #expect(try sinch.status(id).amount == "USD")
  }

  @Test("S47: the links lead to the status and to the report")
  func links() throws {
    let started = try sinch.started()
    let url = "http://127.0.0.1:5550\(SinchWorld.base)"

    #expect(
      started.links == [
        "GET status \(url)/id/\(started.id)", "GET status \(url)/sms/number/+12025550100",
        "PUT report \(url)/id/\(started.id)", "PUT report \(url)/number/+12025550100",
      ])
    for link in started.links where link.hasPrefix("GET") {
      let path = String(link.dropFirst("GET status http://127.0.0.1:5550".count))
      #expect(try sinch.send(.get, path).decode(SinchStatus.self).id == started.id)
    }
  }

  @Test("S48: two sandboxes with the same seed have the same ids, codes and callers")
  func sameSeed() throws {
    let runs = try (0..<2).map { _ in
      let sinch = try SinchWorld()
      let sms = try sinch.started()
      let code = try sinch.code()
      let call = try sinch.started("flashcall")
      return [sms.id, code, call.id, call.cliFilter, try sinch.inbox().last?.sender]
    }
    #expect(runs[0] == runs[1])
  }

  @Test(
    "S42, without a callback: a text that fails ends the verification",
    arguments: [
      ("30", "FAIL SMS delivery failure"), ("31", "PENDING"), ("34", "FAIL SMS delivery failure"),
      ("53", "FAIL SMS delivery failure"), ("54", "FAIL SMS delivery failure"),
      ("56", "FAIL SMS delivery failure"), ("33", "FAIL SMS delivery failure"),
      ("12", "FAIL SMS delivery failure"), ("00", "PENDING"),
    ])
  func lost(ending: String, outcome: String) throws {
    let id = try sinch.started("sms", "+120255501\(ending)").id
    try sinch.advance(10)

    #expect(try sinch.status(id).outcome == outcome)
  }

  @Test("a text that expires at the same time as its code is a delivery failure", arguments: [300, 600])
  func switchedOff(expiry: Int) throws {
    try sinch.configure(#""expiry":\#(expiry)"#)
    let id = try sinch.started("sms", "+12025550152").id
    try sinch.advance(301)

    #expect(try sinch.status(id).outcome == "FAIL SMS delivery failure")
  }
}
