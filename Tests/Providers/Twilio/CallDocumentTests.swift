import Domain
import HTTP
import JSON
import Support
import Testing

@testable import Twilio

@Suite("Twilio · documents of calls", .contract("senders.md 2"))
struct CallDocumentTests {
  let twilio: TwilioWorld
  private let url = "http://127.0.0.1:9/voice?tenant=7"

  init() throws { twilio = try TwilioWorld() }

  private static let calls = "/2010-04-01/Accounts/\(TwilioWorld.account)/Calls"

  /// Makes a call whose app answers so, and lets it end.
  private func call(
    _ more: [(String, String)] = [], within seconds: Int = 60,
    app: @escaping (TestReceiver.Delivery) -> WebhookAnswer
  ) throws -> MessageItem {
    twilio.world.receiver.app = app
    let parameters = [("To", TwilioWorld.number), ("From", "+12025550199"), ("Url", url)]
    let made = try MessageItem(twilio.post("\(Self.calls).json", pairs: parameters + more))
    try twilio.advance(seconds)
    twilio.world.sendWebhooks()
    return try MessageItem(twilio.get("\(Self.calls)/\(made.sid).json"))
  }

  private func answer(
    _ text: String, _ type: String = "text/xml", status: Int = 200, fields: [(String, String)] = []
  ) -> WebhookAnswer {
    let all = [("Content-Type", type)] + fields
    return WebhookAnswer(
      status: status, fields: all.map { WebhookRequest.Field($0.0, $0.1) }, body: Array(text.utf8))
  }

  private var heard: Message? {
    get throws { try twilio.sandbox.messages.latest(Messages.Filter()) }
  }

  private var deliveries: [TestReceiver.Delivery] { twilio.world.receiver.deliveries }

  private var reasons: [String] { twilio.sandbox.journal.exchanges.compactMap(\.why) }

  @Test("TC3: a document asks for a key, and the next one at the same address says the code")
  func twoDocuments() throws {
    let ask = "<Response><Gather numDigits=\"1\"><Say>Press 1.</Say></Gather><Say>Bye.</Say></Response>"
    let say = "<Response><Say>Your token is 4. 8. 2. 9. 1. 3.</Say><Say>4. 8. 2. 9. 1. 3.</Say></Response>"
    let ended = try call([("Method", "GET")]) { answer($0.request.method == .get ? ask : say) }

    #expect(ended["status"] == "completed")
    #expect(deliveries.map(\.request.method) == [.get, .post])
    #expect(deliveries[0].url.hasPrefix("\(url)&Called=%2B12025550100&ToState=&"))
    #expect(deliveries[1].url == url)
    #expect(deliveries[1].body.hasSuffix("&Digits=1&FinishedOnKey=&msg=Gather%20End"))
    #expect(try heard?.text.hasPrefix("Press 1.\nYour token") == true)
    #expect(try heard?.code == "482913")
    #expect(try heard.map { try twilio.sandbox.messages.codeCandidates(of: $0) } == ["482913"])
  }

  @Test("TC8: the fallback is asked with the error, and without one the call ends with an apology")
  func fallback() throws {
    let spare = "http://127.0.0.1:9/spare"
    _ = try call([("FallbackUrl", spare), ("FallbackMethod", "GET")]) {
      answer("<Response><Say>Spare</Say></Response>", status: $0.url.contains("/spare") ? 200 : 500)
    }
    #expect(try heard?.text == "Spare")
    #expect(deliveries[1].url.hasPrefix("\(spare)?Called="))
    #expect(deliveries[1].url.contains("ErrorCode=11200&ErrorUrl=http%3A%2F%2F127.0.0.1%3A9%2Fvoice"))

    _ = try call([("FallbackUrl", spare)]) { _ in answer("", status: 503) }
    #expect(try heard?.text == "We are sorry, an application error has occurred. Goodbye.")
    #expect(reasons.suffix(2).allSatisfy { $0.hasPrefix("error 11200: the app answered 503 (call CA") })
  }

  @Test(
    "an answer that is no document ends the call",
    arguments: [
      ("<html></html>", "text/html", 200, "error 12102: expected the root element Response; found html"),
      ("{}", "application/json", 200, "error 12300: expected the content type text/xml; found"),
      ("", "text/xml", 200, "error 12100: line 1, column 1: expected an element"),
      ("<Response/>", "text/xml", 404, "error 11200: the app answered 404"),
      ("<Response/>", "text/xml", 302, "error 11200: the app answered 302, 1 redirects in a row"),
    ])
  func noDocument(_ text: String, _ type: String, _ status: Int, _ reason: String) throws {
    let ended = try call { _ in answer(text, type, status: status) }

    #expect(ended["status"] == "completed" && ended["duration"] == "1")
    #expect(try heard?.text.hasPrefix("We are sorry") == true)
    #expect(reasons.last?.hasPrefix(reason) == true, "\(reasons)")
  }

  @Test("a plain text is said, and a sound is played")
  func otherTypes() throws {
    _ = try call { _ in answer("Code 1 < 2 & 4829", "text/plain; charset=utf-8") }
    #expect(try heard?.text == "Code 1 < 2 & 4829")

    _ = try call { _ in answer("RIFF", "audio/wav") }
    #expect(try heard?.text == url)
  }

  @Test("redirects are followed, five in a row, and cookies are kept during the call")
  func redirects() throws {
    _ = try call {
      switch $0.url {
      case url:
        answer(
          "", status: 302,
          fields: [("Location", "/next"), ("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", "b=2")])
      case let next where next.hasPrefix("http://127.0.0.1:9/next?Called="):
        answer("<Response><Redirect>last</Redirect></Response>", fields: [("Set-Cookie", "a=3")])
      default: answer("<Response><Say>Done</Say></Response>")
      }
    }
    #expect(try heard?.text == "Done")
    #expect(deliveries.map { $0["Cookie"] } == [nil, "a=1; b=2", "b=2; a=3"])
    #expect(deliveries.map(\.request.method) == [.post, .get, .post])
    #expect(deliveries[2].url == "http://127.0.0.1:9/last")

    twilio.world.receiver.clear()
    _ = try call { _ in answer("", status: 307, fields: [("Location", url)]) }
    #expect(deliveries.count == 6 && deliveries.allSatisfy { $0.request.method == .post })
    #expect(reasons.last?.hasPrefix("error 11200: the app answered 307, 6 redirects in a row") == true)
  }

  @Test("a call has at most fifty documents")
  func loop() throws {
    let ended = try call { _ in answer("<Response><Redirect/></Response>") }

    #expect(ended["status"] == "completed")
    #expect(deliveries.count == 50)
    #expect(reasons.last?.hasPrefix("error 11200: more than 50 documents") == true)

    twilio.world.receiver.clear()
    let echo = "http://twimlets.com/echo?Twiml=%3CResponse%3E%3CRedirect/%3E%3C/Response%3E"
    let own = try call { _ in answer("<Response><Redirect>\(echo)</Redirect></Response>") }
    #expect(own["status"] == "completed" && deliveries.count == 1)
  }

  @Test("keys end with the finishing key, with their number, or with the time")
  func keys() throws {
    try twilio.seed(
      #"{"subscribers":[{"number":"+12025550100","scenarios":[{"outcome":"answer","keys":"12#34567"}]}]}"#)
    let gathers = [
      "<Gather action=\"/a\"/>", "<Gather action=\"/b\" numDigits=\"2\" finishOnKey=\"\"/>",
      "<Gather action=\"/c\" timeout=\"9\"/>", "<Gather action=\"/d\" actionOnEmptyResult=\"true\"/>",
      "<Gather action=\"/e\"/>",
    ]
    var count = 0
    _ = try call { _ in
      count += 1
      return answer("<Response>\(count > gathers.count ? "" : gathers[count - 1])<Say>End</Say></Response>")
    }
    func ending(_ text: String) -> Bool { deliveries.contains { $0.body.hasSuffix(text) } }
    #expect(deliveries.map { $0.url.suffix(2) } == ["=7", "/a", "/b", "/c", "/d"])
    #expect(ending("&Digits=12&FinishedOnKey=%23&msg=Gather%20End"))
    #expect(try heard?.text == "End")
  }

  @Test("a call in a snapshot goes on")
  func snapshot() throws {
    twilio.world.receiver.app = { _ in answer("<Response><Say>Late</Say></Response>") }
    let wait = "<Response><Pause length=\"30\"/><Redirect>\(url)</Redirect></Response>"
    let made = try MessageItem(
      twilio.post(
        "\(Self.calls).json",
        ["To": TwilioWorld.number, "From": "+12025550199", "Twiml": wait]))
    try twilio.advance(10)
    let path = "/control/sandboxes/default/snapshot"
    let saved = try twilio.world.answer(.to(path))
    let restored = try twilio.world.answer(
      .to(path, .put, headers: ["Content-Type": "application/json"], body: saved.body))
    #expect(restored.status == 200)
    try twilio.advance(60)
    twilio.world.sendWebhooks()
    #expect(try heard?.text == "Late")
    #expect(try MessageItem(twilio.get("\(Self.calls)/\(made.sid).json"))["status"] == "completed")
  }

  @Test("several messages of a twimlet, texts and sounds")
  func messages() throws {
    let form = try Form(parsing: Array("Message[0]=A%26B&Message%5B1%5D=http://a.test/1.mp3&x=1".utf8))
    let document = Twimlet.document(of: "/message", form).map { String(decoding: $0, as: UTF8.self) }
    #expect(document == "<Response><Say>A&amp;B</Say><Play>http://a.test/1.mp3</Play></Response>")
    #expect(Twimlet.document(at: "http://twimlets.com/voicemail?Email=a") == nil)
    #expect(Twimlet.document(at: "http://example.com/echo?Twiml=a") == nil)
    #expect(Twimlet.document(at: "HTTPS://TWIMLETS.com/holdmusic") != nil)
  }
}
