import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Telesign · Verify API: callbacks", .contract("telesign.md 13.4"))
struct TelesignVerificationCallbackTests {
  let telesign: TelesignWorld

  init() throws {
    telesign = try TelesignWorld()
    try telesign.turn(#""verify.callback_allowed":true,"account.callback_url":"http://127.0.0.1:9/usual""#)
  }

  private func advance(_ seconds: Int) throws {
    try telesign.advance(seconds)
    telesign.world.sendWebhooks()
  }

  /// What each callback said: `ONGOING sms ONGOING 3000`.
  private func stories() throws -> [String] {
    try telesign.world.receiver.deliveries.map { delivery in
      let members = try Fields(delivery.request.body)
      #expect(!members.has("status"))
      let methods = try members.objects("inner_methods").map {
        let code = try $0.optionalInt("err_code").map { " \($0)" } ?? ""
        return "\(try $0.string("method")) \(try $0.string("state"))\(code)"
      }
      return ([try members.string("state")] + methods).joined(separator: ", ")
    }
  }

  @Test("a delivery, a fallback and the end are told, each as it is then")
  func moments() throws {
    let reference = try telesign.begin("whatsapp 60,sms")
    try advance(62)
    _ = try telesign.finalize(reference)
    telesign.world.sendWebhooks()

    #expect(
      try stories() == [
        "ONGOING, whatsapp ONGOING 3000, sms CREATED", "ONGOING, whatsapp FAILED 3056, sms ONGOING 3901",
        "ONGOING, whatsapp FAILED 3056, sms ONGOING 3000",
        "VERIFIED, whatsapp FAILED 3056, sms VERIFIED 3900",
      ])
  }

  @Test("the end of the time is told once")
  func expired() throws {
    _ = try telesign.begin()
    try advance(400)

    #expect(try stories() == ["ONGOING, sms ONGOING 3000", "FAILED, sms FAILED 3908"])
  }

  @Test("a text that fails ends the verification, and that is one callback")
  func undelivered() throws {
    _ = try telesign.begin("sms", to: "15558670207")
    try advance(400)

    #expect(try stories() == ["FAILED, sms FAILED 3003"])
  }

  @Test("a text that was held and then arrives is told of, and fails no more")
  func released() throws {
    let number = try #require(PhoneNumber("+15558675309"))
    var subscriber = try telesign.sandbox.subscribers[number]
    subscriber.reach.sms = false
    try telesign.sandbox.subscribers.keep(subscriber)
    let reference = try telesign.begin()
    try advance(20)
    try telesign.sandbox.atomically { try telesign.sandbox.messages.release(to: number, over: [.sms]) }
    telesign.world.sendWebhooks()

    #expect(try stories() == ["ONGOING, sms ONGOING 3000"])
    #expect(try telesign.state(reference) == "ONGOING: sms ONGOING 3000")
  }

  @Test("callbacks go where the request says, else where the account has set")
  func urls() throws {
    _ = try telesign.create(#","callback_url":"http://127.0.0.1:9/own""#)
    _ = try telesign.create()
    try advance(2)

    #expect(
      Set(telesign.world.receiver.deliveries.map(\.url)) == [
        "http://127.0.0.1:9/own", "http://127.0.0.1:9/usual",
      ])
  }

  @Test("nobody is told where no URL is set")
  func silence() throws {
    try telesign.turn(#""account.callback_url":"""#)
    _ = try telesign.begin()
    try advance(400)

    #expect(telesign.world.receiver.deliveries.isEmpty)
  }
}
