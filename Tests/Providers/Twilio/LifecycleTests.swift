import Domain
import Support
import Testing

@Suite("Twilio · lifecycle", .contract("twilio-verify.md 4.4"))
struct LifecycleTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("the first create starts a verification")
  func createFirst() throws {
    let exchange = try twilio.create()

    exchange.matches(golden: "first")
    let verification = try exchange.decode(VerificationAnswer.self)
    #expect(verification.status == "pending")
    #expect(try twilio.code().count == 6)
  }

  @Test("a second create keeps SID, code and expiry, and uses the new channel")
  func createAgain() throws {
    let first = try twilio.started()
    let code = try twilio.code()
    try twilio.advance(599)

    let exchange = try twilio.create(over: "call")

    exchange.matches(golden: "pending-again")
    let second = try exchange.decode(VerificationAnswer.self)
    #expect(second.sid == first.sid)
    #expect(second.channel == "call")
    #expect(second.attempts.map(\.channel) == ["sms", "call"])
    #expect(try twilio.inbox().map(\.code) == [code, code])
    try twilio.advance(1)
    #expect(try twilio.fetch().answer == notFound("\(TwilioWorld.verifications)/\(TwilioWorld.number)"))
  }

  @Test("the sixth create sends nothing and is 60203")
  func sixthCreate() throws {
    for channel in ["sms", "call", "sms", "whatsapp", "sms"] { _ = try twilio.started(over: channel) }

    let exchange = try twilio.create()

    exchange.matches(golden: "max-sends")
    #expect(exchange.answer == errorAnswer(429, 60203, "Max send attempts reached"))
    #expect(try twilio.inbox().count == 5)
  }

  @Test("the right code approves")
  func rightCode() throws {
    let verification = try twilio.started()
    try twilio.advance(32)

    let exchange = try twilio.check(try twilio.code())

    exchange.matches(golden: "approved")
    let check = try exchange.decode(CheckAnswer.self)
    #expect(check.sid == verification.sid)
    #expect(check.status == "approved")
    #expect(check.isValid)
  }

  @Test("five wrong codes get status pending, not an error")
  func wrongCodes() throws {
    _ = try twilio.started()
    try twilio.checkWrongly(4)

    let exchange = try twilio.check("0000")

    exchange.matches(golden: "wrong-code")
    let check = try exchange.decode(CheckAnswer.self)
    #expect(check.status == "pending")
    #expect(!check.isValid)
  }

  @Test("the sixth check is 60202 even with the right code")
  func sixthCheck() throws {
    _ = try twilio.started()
    try twilio.checkWrongly(5)

    let exchange = try twilio.check(try twilio.code())

    exchange.matches(golden: "max-checks")
    #expect(exchange.answer == errorAnswer(429, 60202, "Max check attempts reached"))
    let again = try twilio.check(try twilio.code())
    #expect(again.answer == errorAnswer(429, 60202, "Max check attempts reached"))
  }

  @Test("after too many checks a create is 60202 until the verification expires")
  func createAfterSixthCheck() throws {
    let first = try twilio.started()
    try twilio.checkWrongly(5)
    _ = try twilio.check("0000")

    let exchange = try twilio.create()

    exchange.matches(golden: "max-checks")
    #expect(exchange.answer == errorAnswer(429, 60202, "Max check attempts reached"))
    try twilio.advance(600)
    #expect(try twilio.started().sid != first.sid)
  }

  @Test("a fetch after the sixth check shows max_attempts_reached until expiry")
  func fetchAfterSixthCheck() throws {
    _ = try twilio.started()
    try twilio.checkWrongly(5)
    _ = try twilio.check("0000")

    let exchange = try twilio.fetch()

    exchange.matches(golden: "max-checks")
    #expect(try exchange.decode(VerificationAnswer.self).status == "max_attempts_reached")
    try twilio.advance(600)
    #expect(try twilio.fetch().answer == notFound("\(TwilioWorld.verifications)/\(TwilioWorld.number)"))
  }

  @Test("after an approval, fetch and check are 20404")
  func gone() throws {
    let verification = try twilio.started()
    let code = try twilio.code()
    _ = try twilio.check(code)

    let fetch = try twilio.fetch(verification.sid)
    let check = try twilio.check(code)

    fetch.matches(golden: "approved")
    check.matches(golden: "approved-before")
    #expect(fetch.answer == notFound("\(TwilioWorld.verifications)/\(verification.sid)"))
    #expect(check.answer == notFound(TwilioWorld.check))
  }

  @Test("after a cancel, a fetch shows it and a check is 20404")
  func canceled() throws {
    let verification = try twilio.started()
    try twilio.advance(5)

    let update = try twilio.update(verification.sid, to: "canceled")

    update.matches(golden: "canceled")
    #expect(try update.decode(VerificationAnswer.self).status == "canceled")
    let fetch = try twilio.fetch(verification.sid)
    fetch.matches(golden: "canceled")
    #expect(try fetch.decode(VerificationAnswer.self).status == "canceled")
    let check = try twilio.check(try twilio.code())
    check.matches(golden: "canceled-before")
    #expect(check.answer == notFound(TwilioWorld.check))
  }

  @Test("after ten minutes, fetch and check are 20404")
  func expired() throws {
    let verification = try twilio.started()
    let code = try twilio.code()
    try twilio.advance(601)

    let fetch = try twilio.fetch(verification.sid)
    let check = try twilio.check(code)

    fetch.matches(golden: "expired")
    check.matches(golden: "expired-before")
    #expect(fetch.answer == notFound("\(TwilioWorld.verifications)/\(verification.sid)"))
    #expect(check.answer == notFound(TwilioWorld.check))
  }

  @Test("one second before ten minutes it is still pending")
  func notYetExpired() throws {
    _ = try twilio.started()
    try twilio.advance(599)

    let check = try twilio.check(try twilio.code()).decode(CheckAnswer.self)

    #expect(check.status == "approved")
  }

  enum Ending: CaseIterable { case approval, cancel, expiry }

  @Test("a create after an end has a new SID, code and counters", arguments: Ending.allCases)
  func createAfter(_ ending: Ending) throws {
    for _ in 0..<5 { _ = try twilio.started() }
    let first = try twilio.started(to: "+12025550199")
    let old = try twilio.fetch().decode(VerificationAnswer.self)
    let code = try twilio.code()
    try twilio.checkWrongly(4)
    switch ending {
    case .approval: _ = try twilio.check(code)
    case .cancel: _ = try twilio.update(to: "canceled")
    case .expiry: try twilio.advance(600)
    }

    let new = try twilio.started()

    #expect(new.sid != old.sid)
    #expect(new.sid != first.sid)
    #expect(new.attempts.count == 1)
    #expect(try twilio.code() != code)
    try twilio.checkWrongly(5)
  }

  @Test("a check without any verification is 20404")
  func neverStarted() throws {
    let exchange = try twilio.check("123456")

    exchange.matches(golden: "never-started")
    #expect(exchange.answer == notFound(TwilioWorld.check))
  }

  @Test("verifications of different destinations and Services are independent")
  func separate() throws {
    let one = try twilio.started()
    let two = try twilio.started(to: "+12025550101")
    let service = try twilio.post(TwilioWorld.services, ["FriendlyName": "Other"]).decode(ServiceAnswer.self)
    let path = "/v2/Services/\(service.sid)/Verifications"
    let three = try twilio.post(path, ["To": TwilioWorld.number, "Channel": "sms"])
      .decode(VerificationAnswer.self)

    #expect(Set([one.sid, two.sid, three.sid]).count == 3)
    let fetch = try twilio.get("\(path)/\(one.sid)")
    #expect(fetch.answer == notFound("\(path)/\(one.sid)"))
  }

  @Test("a client can end a verification as approved, once")
  func approvedByCaller() throws {
    _ = try twilio.started()

    let exchange = try twilio.update(to: "approved")

    exchange.matches(golden: "approved")
    let verification = try exchange.decode(VerificationAnswer.self)
    #expect(verification.status == "approved")
    #expect(verification.isValid)
    let again = try twilio.update(verification.sid, to: "canceled")
    again.matches(golden: "approved-before")
    #expect(again.answer == notFound("\(TwilioWorld.verifications)/\(verification.sid)"))
  }

  @Test("only the sends of the last ten minutes count")
  func sendWindow() throws {
    try twilio.configure(#""ttlSeconds":3600"#)
    for _ in 0..<5 { _ = try twilio.started() }
    #expect(try twilio.create().answer == errorAnswer(429, 60203, "Max send attempts reached"))

    try twilio.advance(600)

    #expect(try twilio.started().attempts.count == 6)
  }
}
