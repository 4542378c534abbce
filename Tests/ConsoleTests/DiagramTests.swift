import Catalog
import CatalogSupport
import Crypto
import Domain
import HTTP
import JSON
import Markup
import Support
import Testing

@testable import Console

@Suite("Console · sequence diagrams")
struct DiagramTests {
  private let world: TestSandbox
  private static let number = "+12025550100"
  private static let service = "/v2/Services/VA00000000000000000000000000000001"
  private static let twilio = Request.basic(
    "AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")

  init() throws { world = try TestSandbox.withCatalog() }

  private var sandbox: Sandbox { world.sandbox }

  @discardableResult
  private func post(_ path: String, _ form: KeyValuePairs<String, String>) throws -> Fields {
    let answer = try world.answer(.post(path, form: form, headers: Self.twilio))
    return try Fields(answer.body)
  }

  @discardableResult
  private func send(_ path: String, _ json: String, _ headers: Headers = [:]) throws -> Fields {
    var all = headers
    all.add("Content-Type", "application/json")
    return try Fields(try world.answer(.to(path, .post, headers: all, body: Array(json.utf8))).body)
  }

  private func advance(_ seconds: Int) throws {
    try sandbox.atomically { try sandbox.advance(by: .seconds(seconds)) }
    world.sendWebhooks()
  }

  private func diagram(_ ordinal: Int? = nil) throws -> Diagram {
    let ordinal = try #require(try ordinal ?? sandbox.verifications.newest(1).first?.ordinal)
    let subject = try #require(try Subject(ordinal, in: sandbox, providers: catalog))
    return Diagram(of: try History(subject, in: sandbox, providers: catalog), title: ProviderMark.title(of:))
  }

  /// `app > provider: createVerification`; failed steps end with `!`.
  private func rows(_ ordinal: Int? = nil) throws -> [String] {
    try diagram(ordinal).rows.map { row in
      switch row {
      case .step(let step, _):
        "\(step.from) > \(step.to): \(step.text)\(step.tone == .failed ? "!" : "")"
      case .repeated(_, let words, _): "{\(words)}"
      case .pause(let words, _): "(\(words))"
      case .note(let words, _): "[\(words)]"
      }
    }
  }

  @Test("of many requests the newest are shown, and the page stays small (issue 45, B4)")
  func manyRequests() throws {
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    let ordinal = try #require(try sandbox.verifications.newest(1).first).ordinal
    for number in 1...900 {
      sandbox.journal.record(
        Journal.Exchange(
          at: TestSandbox.start, owner: "twilio", route: "step-\(number)", method: "POST", target: "/v2",
          requestHead: [], requestBody: [], status: 200, responseHead: [], responseBody: [], why: nil,
          unread: [], nearest: [],
          effects: .init(
            newestBefore: 1_000 + number, newestAfter: 1_000 + number, verification: ordinal)))
    }

    let rows = try rows()
    let page = try world.answer(.to("/console/verifications/\(ordinal)"))

    #expect(rows.count == 301 && rows.first?.hasSuffix("earlier steps are not shown]") == true)
    #expect(rows.last == "provider > app: 200" && rows.contains("app > provider: step-900"))
    #expect(page.status == 200 && page.body.count < 400_000)
  }

  @Test("a code by SMS: request, message, answer, receipt, a pause, and a wrong code with its reason")
  func sms() throws {
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    try advance(260)
    try post("\(Self.service)/VerificationCheck", ["To": Self.number, "Code": "000000"])

    let code = try #require(try sandbox.verifications.newest(1).first).code
    #expect(
      try rows() == [
        "app > provider: createVerification", "provider > network: SMS, 1 part", "network > phone: \(code)",
        "provider > app: 201 pending", "network > provider: delivered",
        "(4 min 19 s pass: the clock was moved)", "app > provider: checkVerification 000000",
        "provider > app: 200 pending!",
      ])
    let diagram = try diagram()
    #expect(diagram.lanes.map(\.name) == ["Your app", "Twilio", "Sandpiper Mobile", "Phone"])
    #expect(diagram.steps.last?.reason?.hasPrefix("wrong code: check 1 of 5") == true)
  }

  @Test("wrong codes in a row are one row that leads to the last of them (issue 50, C)")
  func repeated() throws {
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    try advance(1)
    for digit in 0..<4 {
      try post("\(Self.service)/VerificationCheck", ["To": Self.number, "Code": "00000\(digit)"])
    }

    let diagram = try diagram()
    let drawing = DiagramDrawing(diagram: diagram, selection: nil) { "?step=\($0)" }.html
    let html = String(decoding: drawing.bytes, as: UTF8.self)
    #expect(try rows().suffix(2) == ["network > provider: delivered", "{4 × wrong code}"])
    #expect(diagram.steps.count == 13 && html.contains("?step=13") && !html.contains("?step=12"))
  }

  @Test("email and WhatsApp go to the person directly, a call has the keys that were pressed")
  func channels() throws {
    try post("\(Self.service)/Verifications", ["To": "ann@example.test", "Channel": "email"])
    let email = try rows()
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "call"])
    try advance(20)
    let call = try rows()

    #expect(email.contains { $0.hasPrefix("provider > phone: Email: ") })
    #expect(try diagram().lanes.map(\.lane) == [.app, .provider, .network, .phone])
    #expect(call.contains("provider > network: Call") && call.contains("phone > network: presses 1"))
  }

  @Test("a lost message is red, with the scenario that lost it and the receipt that says so")
  func lost() throws {
    _ = try world.answer(
      .json(.put, "/control/scenarios", #"{"scenarios":[{"outcome":"undeliverable"}]}"#))
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    try advance(5)

    let failed = try diagram().steps.filter { $0.tone == .failed }
    #expect(failed.map(\.text) == ["not delivered", "undeliverable"])
    #expect(failed.first?.injected == "scenario 1 (undeliverable)")
    #expect(failed.first?.reason == "the phone cannot be reached")
    #expect(failed.map(\.hasHappened) == [false, true])
  }

  @Test("a request that a fault refused names the fault, also before anybody looked for the verification")
  func fault() throws {
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    _ = try world.answer(.json(.put, "/control/faults", #"{"faults":[{"status":503}]}"#))
    try post("\(Self.service)/VerificationCheck", ["To": Self.number, "Code": "000000"])

    let last = try #require(try diagram().steps.last)
    #expect(last.tone == .failed && last.text == "503 503" || last.text == "503")
    #expect(last.injected == "fault 1 answers 503")
    #expect(last.reason == nil)
  }

  @Test("a silent verification has every hop, to the provider and to the operator")
  func silent() throws {
    let started = try post("\(Self.service)/Verifications", ["To": "+12025550104", "Channel": "sna"])
    let url = try started.object("sna").string("url")
    _ = try world.answer(
      .json(.post, "/control/devices/%2B12025550104/open", #"{"url":\#(JSON.string(url).text)}"#))

    let hops = try rows().filter { $0.hasPrefix("phone") }
    #expect(
      hops == [
        "phone > provider: openSilentURL", "phone > network: authorize",
        "phone > provider: completeSilentURL",
      ])
  }

  @Test("a push is sent, and the phone answers it", arguments: ["approve", "deny"])
  func push(answer: String) throws {
    _ = try world.answer(
      .json(
        .post, "/control/devices",
        #"{"number":"\#(Self.number)","provider":"twilio","identity":"user-0001"}"#))
    let entity = "\(Self.service)/Entities/user-0001"
    let list = try Fields(try world.answer(.to("\(entity)/Factors", headers: Self.twilio)).body)
    let factor = try #require(try list.objects("factors").first).string("sid")
    try post("\(entity)/Challenges", ["FactorSid": factor, "Details.Message": "Sign in?"])
    try advance(1)
    _ = try world.answer(.json(.post, "/control/devices/latest/\(answer)", "{}"))

    let challenge = try #require(try sandbox.challenges.all(.init()).last)
    let rows = try rows(challenge.ordinal)
    #expect(
      rows.prefix(3) == [
        "app > provider: createChallenge", "provider > phone: Push", "provider > app: 201 pending",
      ])
    #expect(rows.contains("phone > provider: updateChallenge"))
    #expect(rows.contains("phone > provider: denies!") == (answer == "deny"))
  }

  @Test("a webhook is repeated until it is answered")
  func webhooks() throws {
    world.receiver.answer = .answered(status: 503, body: "")
    let body =
      #"{"target":{"type":"phone_number","value":"+33639980050"},"options":{"callback_url":"http://127.0.0.1:9/hook"}}"#
    try send("/v2/verification", body, ["Authorization": "Bearer sk_sandbox00000000000000000000000001"])
    world.receiver.answer = .answered(status: 200, body: "")
    try advance(120)

    let rows = try rows().filter { $0.contains("receiver") }
    #expect(rows.contains("provider > receiver: verify.authentication"))
    #expect(rows.contains("receiver > provider: 503, again in 1 min!"))
    #expect(rows.contains("provider > receiver: verify.authentication, try 2"))
    #expect(rows.contains("receiver > provider: 200"))
    #expect(try diagram().lanes.map(\.lane).last == .receiver)
  }

  @Test("a fallback says why the first channel ended, and shows the message of the second")
  func fallback() throws {
    let body = """
      {"recipient":{"phone_number":"12025550100"},\
      "verification_policy":[{"method":"whatsapp","fallback_time":60},{"method":"sms"}]}
      """
    let key = Base64.encode(Array(0...63))
    try send("/verification", body, Request.basic("FFFFFFFF-EEEE-DDDD-1234-AB1234567890", key))
    try advance(62)

    let rows = try rows()
    #expect(rows.contains { $0.hasPrefix("provider > phone: WhatsApp") })
    #expect(rows.contains("[WhatsApp ends: its time is over]"))
    #expect(rows.contains("provider > network: SMS, 1 part"))
  }

  @Test("a sign-in that an app knows of is asked on the phone, with buttons there and on its page")
  func signIn() throws {
    let number = "+12001004014"
    _ = try world.answer(
      .json(.post, "/control/devices", #"{"number":"\#(number)","provider":"prove"}"#))
    let token = try post(
      "/token",
      [
        "grant_type": "client_credentials", "client_id": "sandbox-client", "client_secret": "sandbox-secret",
      ])
    try send(
      "/prove/v3/unify", #"{"phoneNumber":"\#(number)","possessionType":"mobile"}"#,
      ["Authorization": "Bearer \(try token.string("access_token"))"])

    let challenge = try #require(try sandbox.challenges.all(.init()).last)
    let path = "/control/devices/\(challenge.reference)/approve"
    #expect(try rows(challenge.ordinal).contains("provider > phone: asks for approval"))
    for page in ["/", "/console/phones/%2B12001004014", "/console/verifications/\(challenge.ordinal)"] {
      let html = String(decoding: try world.answer(.to(page)).body, as: UTF8.self)
      #expect(html.contains(#"data-urls="\#(path)""#), "\(page)")
    }
    _ = try world.answer(.json(.post, path, "{}"))
    #expect(try rows(challenge.ordinal).contains("phone > provider: authenticateDevice"))
  }

  @Test("the end of the time and a change of the line are notes")
  func notes() throws {
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    try advance(1)
    _ = try world.answer(
      .json(.post, "/control/subscribers/\(Self.number)/events", #"{"event":"simSwap"}"#))
    try advance(700)

    let rows = try rows()
    #expect(rows.contains("[SIM swapped]"))
    #expect(rows.last == "[The verification expires]")
  }

  @Test("a call of no verification has its documents, its words, the pressed keys and its callbacks")
  func call() throws {
    world.receiver.app = { request in
      guard !request.body.contains("CallbackSource") else { return WebhookAnswer(status: 200, body: []) }
      let answer =
        request.body.contains("Digits")
        ? "<Response><Say>4 8 2 9 1 3</Say><Play>https://a.example/3.mp3</Play></Response>"
        : "<Response><Gather numDigits=\"1\"><Say>Press 1</Say></Gather></Response>"
      return WebhookAnswer(status: 200, body: Array(answer.utf8))
    }
    try post(
      "/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json",
      [
        "To": Self.number, "From": "+12025550199", "Url": "http://127.0.0.1:9/hook",
        "StatusCallback": "http://127.0.0.1:9/hook",
      ])
    for _ in 1...10 { try advance(1) }

    let message = try #require(try sandbox.messages.page(.init(), onHandsets: false, limit: 1).first)
    #expect(
      try rows(message.ordinal) == [
        "app > provider: createCall", "provider > network: Call", "network > phone: rings",
        "provider > app: 201 queued", "network > provider: delivered",
        "provider > receiver: call.document", "receiver > provider: 200 Gather, Say",
        "network > phone: says “Press 1”", "phone > network: presses 1",
        "provider > receiver: call.document", "receiver > provider: 200 Say, Play",
        "network > phone: says “4 8 2 9 1 3”", "network > phone: plays 3.mp3",
        "provider > receiver: call.status completed", "receiver > provider: 200",
      ])
    let story = try #require(try StoryFeed(of: sandbox, limit: 5, providers: catalog).stories.first)
    let page = try world.answer(.to("\(story.path)?step=5"))
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 200 && html.contains("Call to +1 202 555 0100") && html.contains("Press 1"))
    #expect(!html.contains("Expires") && html.contains(#"id="state">delivered"#))
  }

  @Test("the step in the address is shown beside the diagram, and each step is in the list")
  func page() throws {
    try post("\(Self.service)/Verifications", ["To": Self.number, "Channel": "sms"])
    let ordinal = try #require(try sandbox.verifications.newest(1).first).ordinal
    func html(_ query: String) throws -> String {
      String(
        decoding: try world.answer(.to("/console/verifications/\(ordinal)\(query)")).body, as: UTF8.self)
    }

    #expect(try html("").contains(#"href="/console/requests/1""#))
    let message = try html("?step=2")
    #expect(message.contains("<dt>From</dt><dd>VERIFY</dd>"))
    #expect(message.contains("Your app to Twilio: createVerification"))
    #expect(try html("?step=99").contains(#"href="/console/requests/1""#))
    #expect(try html("?step=\(Int.min)").contains(#"href="/console/requests/1""#))
  }
}
