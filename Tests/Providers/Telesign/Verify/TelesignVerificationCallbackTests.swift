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
    try telesign.configure(
      #""verify.callback_allowed":true,"account.callback_url":"http://127.0.0.1:9/usual""#)
  }

  private func advance(_ seconds: Int) throws {
    try telesign.advance(seconds)
    telesign.world.sendWebhooks()
  }

  /// The states in each callback, such as `ONGOING, sms ONGOING 3000`.
  private func states() throws -> [String] {
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

  @Test("callbacks report a delivery, a fallback and the end, each with the state of that time")
  func moments() throws {
    let reference = try telesign.start("whatsapp 60,sms")
    try advance(62)
    _ = try telesign.finalize(reference)
    telesign.world.sendWebhooks()

    #expect(
      try states() == [
        "ONGOING, whatsapp ONGOING 3000, sms CREATED", "ONGOING, whatsapp FAILED 3056, sms ONGOING 3901",
        "ONGOING, whatsapp FAILED 3056, sms ONGOING 3000",
        "VERIFIED, whatsapp FAILED 3056, sms VERIFIED 3900",
      ])
  }

  @Test("a silent method is reported when it starts, and when it times out")
  func silent() throws {
    let created = try telesign.create(
      #","verification_policy":[{"method":"silent","fallback_time":60},{"method":"sms"}]"#
    ).members()
    let path = "/handset/telesign/v1/verifications/\(try created.string("reference_id"))/silent"
    let token: Headers = ["Authorization": "Bearer \(try created.string("mobile_app_token"))"]
    for _ in 0..<2 { _ = try telesign.get(path, as: token) }
    telesign.world.sendWebhooks()
    try advance(61)

    #expect(
      try states() == [
        "ONGOING, silent ONGOING 3901, sms CREATED", "ONGOING, silent FAILED 3056, sms ONGOING 3901",
        "ONGOING, silent FAILED 3056, sms ONGOING 3000",
      ])
  }

  @Test("a callback has the state of its event, also if another event follows before it is sent")
  func waiting() throws {
    let reference = try telesign.start("sms")
    telesign.world.receiver.isSilent = true
    try telesign.advance(2)
    _ = try telesign.finalize(reference)
    telesign.world.receiver.isSilent = false
    telesign.world.sendWebhooks()

    #expect(try states() == ["ONGOING, sms ONGOING 3000", "VERIFIED, sms VERIFIED 3900"])
  }

  @Test("one callback reports the expiry")
  func expired() throws {
    _ = try telesign.start()
    try advance(400)

    #expect(try states() == ["ONGOING, sms ONGOING 3000", "FAILED, sms FAILED 3908"])
  }

  @Test("an SMS that fails ends the verification with one callback")
  func undelivered() throws {
    _ = try telesign.start("sms", to: "15558670207")
    try advance(400)

    #expect(try states() == ["FAILED, sms FAILED 3003"])
  }

  @Test("a held SMS that arrives later is reported, and no longer fails")
  func released() throws {
    let number = try #require(PhoneNumber("+15558675309"))
    var subscriber = try telesign.sandbox.subscribers[number]
    subscriber.reach.sms = false
    try telesign.sandbox.subscribers.keep(subscriber)
    let reference = try telesign.start()
    try advance(20)
    try telesign.sandbox.atomically { try telesign.sandbox.messages.release(to: number, over: [.sms]) }
    telesign.world.sendWebhooks()

    #expect(try states() == ["ONGOING, sms ONGOING 3000"])
    #expect(try telesign.state(reference) == "ONGOING: sms ONGOING 3000")
  }

  @Test("callbacks go to the URL of the request, else to that of the settings")
  func urls() throws {
    _ = try telesign.create(#","callback_url":"http://127.0.0.1:9/own""#)
    _ = try telesign.create()
    try advance(2)

    #expect(
      Set(telesign.world.receiver.deliveries.map(\.url)) == [
        "http://127.0.0.1:9/own", "http://127.0.0.1:9/usual",
      ])
  }

  @Test("without a URL there are no callbacks")
  func silence() throws {
    try telesign.configure(#""account.callback_url":"""#)
    _ = try telesign.start()
    try advance(400)

    #expect(telesign.world.receiver.deliveries.isEmpty)
  }
}
