import Domain
import HTTP
import JSON
import Numbers
import Support
import Testing

@Suite("Sinch · callbacks", .contract("sinch-verification.md 7"))
struct SinchCallbackTests {
  let sinch: SinchWorld

  init() throws { sinch = try SinchWorld() }

  @Test("S36: the callback's code is sent, after it was asked")
  func code() throws {
    try sinch.callBack(
      answering: #"{"action":"allow","sms":{"code":"AB-12","expiry":"00:01:00","acceptLanguage":["de-DE"]}}"#)
    let exchange = try sinch.start()
    let started = try SinchStarted(exchange)
    let asked = try #require(try sinch.sandbox.webhooks.all(.init()).first)

    #expect(try sinch.code() == "AB-12" && exchange.headers["Content-Language"] == "de-DE")
    #expect(try asked.ordinal < sinch.inbox()[0].ordinal)
    #expect(try sinch.eventNames() == ["VerificationRequestEvent"])
    #expect(try sinch.report("AB-12", of: started.id).sinchOutcome() == "SUCCESSFUL")
    let second = try sinch.started()
    try sinch.advance(61)
    #expect(try sinch.outcome(second.id) == "FAIL Expired")
  }

  @Test("S37: the callback's caller calls", arguments: ["+447700900123", "447700900123"])
  func caller(number: String) throws {
    try sinch.callBack(answering: #"{"action":"allow","flashCall":{"cli":"\#(number)","dialTimeout":20}}"#)
    let started = try sinch.started("flashcall")
    let call = try #require(try sinch.inbox().last)

    #expect(call.sender == "+447700900123")
    #expect(call.sender.wholeMatch(of: try Regex(#require(started.cliFilter))) != nil)
    #expect(try sinch.report("+447700900123", of: started.id, "flashcall").sinchOutcome() == "SUCCESSFUL")
  }

  @Test("other methods are allowed too, with their options")
  func otherMethods() throws {
    try sinch.callBack(
      answering:
        #"{"action":"allow","callout":{"code":"77","speech":{"locale":"de_DE"}},"whatsapp":{"codeType":"Alpha"}}"#
    )
    let callout = try sinch.started("callout")
    #expect(try sinch.code() == "77")
    let whatsapp = try sinch.started("whatsapp")
    let seamless = try sinch.started("seamless")

    #expect(whatsapp.codeType == "Alpha" && seamless.targetURI != nil)
    #expect(try sinch.outcome(callout.id) == "ABORTED")
  }

  @Test("S38: the callback denies the verification")
  func denied() throws {
    try sinch.callBack(answering: #"{"action":"deny"}"#)
    let exchange = try sinch.start()
    let id = try sinch.events()[0].string("id")

    exchange.matches(golden: "denied")
    #expect(try exchange.sinchError() == "403 40300")
    #expect(try sinch.outcome(id) == "DENIED Denied by callback")
    #expect(try sinch.eventNames() == ["VerificationRequestEvent", "VerificationResultEvent DENIED"])
    #expect(try sinch.inbox() == [])
    try sinch.configure(#""denyAnswer":"record""#)
    let second = try sinch.started("flashcall")
    #expect(try sinch.outcome(second.id) == "DENIED Denied by callback")
  }

  @Test(
    "S39: an answer that cannot be used denies the verification",
    arguments: [
      .answered(status: 500, body: #"{"action":"allow"}"#), .answered(status: 200, body: "{}"),
      .unanswered(why: "no answer in 5 s"), .answered(status: 200, body: ""), .refused(why: "not allowed"),
      .answered(status: 200, body: #"{"action":"maybe"}"#),
      .answered(status: 200, body: #"{"action":"allow","sms":{"code":"12345678901"}}"#),
      .answered(status: 200, body: #"{"action":"allow","sms":{"code":7}}"#),
    ] as [WebhookAttempt.Result])
  func unusable(answer: WebhookAttempt.Result) throws {
    try sinch.callBack()
    sinch.world.receiver.answer = answer
    let exchange = try sinch.start()
    let request = try #require(sinch.world.receiver.deliveries.first)
    let id = try Fields(request.request.body).string("id")

    #expect(try exchange.sinchError() == "403 40300")
    #expect(request.timeouts.total == .seconds(5))
    #expect(try sinch.outcome(id) == "DENIED Invalid callback")
    try sinch.advance(60)
    #expect(try sinch.eventNames().filter { $0 == "VerificationRequestEvent" }.count == 1)
    #expect(try sinch.inbox() == [])
  }

  @Test("a receiver that does not answer in time is unavailable; its later answer decides")
  func late() throws {
    try sinch.callBack()
    sinch.world.receiver.isSilent = true
    let exchange = try sinch.start()
    #expect(try exchange.sinchError() == "503 50300")
    #expect(try sinch.inbox() == [])
    let id = try #require(try sinch.sandbox.verifications.newest(1, of: "sinch").first)
    #expect(
      try sinch.send(.get, "\(SinchWorld.base)/sms/number/\(SinchWorld.number)").sinchOutcome() == "PENDING")
    let early = try sinch.send(
      .put, "\(SinchWorld.base)/number/\(SinchWorld.number)", SinchWorld.reportBody("1234"))
    #expect(try early.sinchOutcome() == "PENDING")

    sinch.world.receiver.isSilent = false
    sinch.world.sendWebhooks()

    #expect(try sinch.inbox().count == 1)
    #expect(try sinch.sandbox.verifications.find(id.ordinal)?.checks == 0)
  }

  @Test("S40: a callback is signed by the application, over body and path")
  func signature() throws {
    try sinch.configure(#""callbackUrl":"http://127.0.0.1:9/hooks/sinch?a=1""#)
    sinch.world.receiver.answer = .answered(status: 200, body: #"{"action":"allow"}"#)
    _ = try sinch.started()
    let delivery = try #require(sinch.world.receiver.deliveries.first)
    let time = try #require(delivery["x-timestamp"])
    func expected(_ secret: String = SinchWorld.secret, path: String = "/hooks/sinch?a=1") -> String? {
      SinchWorld.signature(
        "POST", path, delivery.body, type: "application/json; charset=utf-8", at: time, secret: secret
      )["Authorization"]
    }

    #expect(delivery["Authorization"] == expected())
    #expect(
      delivery["Authorization"] != expected("c2VjcmV0") && delivery["Authorization"] != expected(path: "/"))
    #expect(delivery["Content-Type"] == "application/json; charset=utf-8")
    #expect(time == "2026-01-05T10:20:30.000Z")
  }

  @Test("S41: request, delivery and result are told once each, with the application's own data")
  func events() throws {
    try sinch.callBack()
    var headers = SinchWorld.credentials
    headers.add("Accept-Language", "es-ES, en;q=0.5")
    let started = try SinchStarted(
      sinch.start("sms", SinchWorld.number, #","reference":"r1","custom":"c1""#, as: headers))
    try sinch.advance(1)
    _ = try sinch.send(
      .put, "\(SinchWorld.base)/number/\(SinchWorld.number)", SinchWorld.reportBody(sinch.code()))
    try sinch.advance(600)

    #expect(
      try sinch.eventNames() == [
        "VerificationRequestEvent", "VerificationSmsDeliveredEvent Successful",
        "VerificationResultEvent SUCCESSFUL",
      ])
    for event in try sinch.events() {
      #expect(try event.string("id") == started.id && event.string("method") == "sms")
      #expect(try event.string("reference") == "r1" && event.string("custom") == "c1")
      #expect(try event.object("identity").string("endpoint") == SinchWorld.number)
    }
    #expect(try sinch.events()[0].optionalStrings("acceptLanguage") == ["es-ES", "en"])
    #expect(try sinch.events()[0].object("price").string("currencyId") == "USD")
    #expect(try sinch.events()[2].string("source") == "manual")
  }

  @Test("S42: a text that fails is told, then the result")
  func failed() throws {
    try sinch.callBack()
    _ = try sinch.started("sms", "+12025550130")
    try sinch.advance(1)

    #expect(
      try sinch.eventNames() == [
        "VerificationRequestEvent", "VerificationSmsDeliveredEvent Failed", "VerificationResultEvent FAIL",
      ])
    #expect(try sinch.events()[2].string("reason") == "SMS delivery failure")
  }

  @Test("a text that the carrier holds is told when it arrives")
  func held() throws {
    try sinch.callBack()
    let number = try #require(PhoneNumber(SinchWorld.number))
    func apply(_ event: String) throws {
      let change = try SubscriberChange(Fields(Array(#"{"event":"\#(event)"}"#.utf8)))
      try sinch.sandbox.atomically { _ = try sinch.sandbox.subscribers.apply(change, to: number) }
    }
    try apply("detach")
    _ = try sinch.started()
    try sinch.advance(100)
    #expect(try sinch.eventNames().count == 1)
    try apply("attach")
    try sinch.advance(1)
    #expect(try sinch.eventNames().last == "VerificationSmsDeliveredEvent Successful")
  }

  @Test("S43: a result is repeated until it is acknowledged, and stays the same")
  func repeated() throws {
    try sinch.callBack()
    let id = try sinch.started().id
    sinch.world.receiver.answer = .answered(status: 500, body: "")
    _ = try sinch.report(sinch.code(), of: id)
    sinch.world.receiver.answer = .answered(status: 200, body: "")
    try sinch.advance(1)
    try sinch.advance(60)

    let results = sinch.world.receiver.deliveries.filter { $0.body.contains("ResultEvent") }
    #expect(results.count == 2 && results[0].request == results[1].request)
    #expect(try sinch.outcome(id) == "SUCCESSFUL")
  }

  @Test("an application's own URL wins over the setting")
  func ownURL() throws {
    try sinch.callBack()
    let url = "http://127.0.0.1:9/own"
    try sinch.seed(
      #"{"sinch":{"applications":[{"key":"\#(SinchWorld.key)","secret":"********","callbackUrl":"\#(url)"}]}}"#
    )
    _ = try sinch.started()

    #expect(sinch.world.receiver.deliveries[0].url == url)
  }
}
