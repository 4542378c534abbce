import Domain
import HTTP
import JSON
import ProviderKit
import Support
import Testing
import Twilio

@Suite("Twilio · Silent Network Auth", .contract("twilio-verify.md 5, 13.5"))
struct SilentTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  /// Starts a silent verification and returns the URL for the phone.
  func start(_ number: String = TwilioWorld.number, _ more: KeyValuePairs<String, String> = [:]) throws
    -> String
  {
    let form = [("To", number), ("Channel", "sna")] + more.map { ($0.key, $0.value) }
    let exchange = try twilio.send(
      .to(
        TwilioWorld.verifications, .post, headers: TwilioWorld.credentials,
        body: Array(form.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&").utf8)))
    return try #require(try exchange.decode(SilentAnswer.self).url)
  }

  /// Opens a URL, follows its redirects, and returns the last response.
  @discardableResult
  func open(_ url: String, headers: Headers = [:]) throws -> String {
    var exchange = try twilio.world.send(.to(path(url), headers: headers))
    while let location = exchange.headers["Location"] {
      exchange = try twilio.world.send(.to(path(location), headers: headers))
    }
    return exchange.answer
  }

  func path(_ url: String) -> String { url.replacing("http://127.0.0.1:5550", with: "") }

  func check(
    _ number: String = TwilioWorld.number, _ more: KeyValuePairs<String, String> = [:]
  ) throws -> SilentCheckAnswer {
    try checked(number, more).decode()
  }

  func checked(_ number: String, _ more: KeyValuePairs<String, String> = [:]) throws -> Exchange {
    let form = [("To", number)] + more.map { ($0.key, $0.value) }
    return try twilio.send(
      .to(
        TwilioWorld.check, .post, headers: TwilioWorld.credentials,
        body: Array(form.map { "\($0.0)=\(PercentCoding.encode($0.1))" }.joined(separator: "&").utf8)))
  }

  @Test("a create returns a URL and sends no message")
  func create() throws {
    let exchange = try twilio.create(over: "sna")

    exchange.matches(golden: "sna")
    #expect(try twilio.inbox().isEmpty)
    let url = try exchange.decode(SilentAnswer.self).url
    #expect(url?.wholeMatch(of: /http:..127.0.0.1:5550.handset.twilio.sna.s_[a-z2-7]{26}/) != nil)
  }

  @Test("every hop is as the phone's SDK expects it")
  func hops() throws {
    let url = try start()

    let first = try twilio.world.send(.to(path(url)))
    let second = try twilio.world.send(.to(path(#require(first.headers["Location"]))))
    let third = try twilio.world.send(.to(path(#require(second.headers["Location"]))))

    first.matches(golden: "redirect")
    third.matches(golden: "success")
    #expect(third.answer == "200 ErrorCode=0&ErrorDescription=Success&Carrier=Sandpiper Mobile")
  }

  @Test("the URL accepts POST too")
  func post() throws {
    let url = try start()

    let exchange = try twilio.world.send(.to(path(url), .post))

    exchange.matches(golden: "redirect")
    #expect(exchange.headers["Location"]?.contains("/carrier/v1/authorize?session=s_") == true)
  }

  @Test("a check without a code is pending before the phone opens the URL, and approved after it")
  func approved() throws {
    let url = try start()
    let before = try checked(TwilioWorld.number)
    let opened = try open(url)
    let after = try checked(TwilioWorld.number)

    before.matches(golden: "sna-pending")
    #expect(try before.decode(SilentCheckAnswer.self).text == "pending 60519")
    #expect(opened.hasPrefix("200 ErrorCode=0&ErrorDescription=Success"))
    after.matches(golden: "sna-approved")
    #expect(try after.decode(SilentCheckAnswer.self).text == "approved")
    #expect(
      try checked(TwilioWorld.number).answer == notFound(TwilioWorld.check), "gone, as after any approval")
  }

  @Test("an incomplete redirect chain proves nothing")
  func halfWay() throws {
    let url = try start()
    let first = try twilio.world.send(.to(path(url)))
    _ = try twilio.world.send(.to(path(#require(first.headers["Location"]))))

    #expect(try check().text == "pending 60519")
  }

  /// The last two digits of a number, the last response to its phone, and the code in the check.
  struct Case: Sendable {
    let ending: Int
    let text: String
    let code: Int
  }

  @Test(
    "every failure has its code in the URL's answer and in the check",
    arguments: [
      Case(ending: 40, text: "200 ErrorCode=-17&ErrorDescription=Phone number mismatch", code: 60500),
      Case(ending: 38, text: "200 ErrorCode=-31&ErrorDescription=Wifi or unknown carrier", code: 60531),
      Case(ending: 45, text: "200 ErrorCode=-30&ErrorDescription=Unsupported carrier", code: 60510),
      Case(ending: 41, text: "503 The gateway is out of order.\n", code: 60511),
      Case(ending: 42, text: "504 The gateway has given up.\n", code: 60002),
      Case(
        ending: 43, text: "200 <html><body><h1>It works!</h1></body></html>\n", code: 60533),
      Case(ending: 99, text: "503 The gateway is out of order.\n", code: 60511),
    ])
  func failures(failure: Case) throws {
    let number = "+120255501\(failure.ending)"
    let url = try start(number)

    #expect(try open(url) == failure.text)
    #expect(try check(number).text == "pending \(failure.code)")
  }

  @Test(
    "a browser can simulate any phone",
    arguments: [
      ("success", "ErrorCode=0"), ("mismatch", "ErrorCode=-17"), ("wifi", "ErrorCode=-31"),
      ("unsupported", "ErrorCode=-30"),
    ])
  func simulate(word: String, text: String) throws {
    #expect(try open(start() + "?simulate=\(word)").hasPrefix("200 \(text)&"))
  }

  @Test("an unknown simulation is 60200")
  func badSimulation() throws {
    let url = try start()
    let got = try twilio.world.send(.to(path(url) + "?simulate=rain"))
    let posted = try twilio.world.send(.to(path(url) + "?simulate=rain", .post))

    got.matches(golden: "bad-simulation")
    posted.matches(golden: "bad-simulation")
    #expect(got.answer == errorAnswer(400, 60200, "Invalid parameter `simulate`: rain"))
  }

  @Test("another phone, or the right one on Wi-Fi, fails")
  func otherPhones() throws {
    #expect(try open(start(), headers: ["X-Sandbox-Handset": "+12025550104"]).hasPrefix("200 ErrorCode=-17"))
    #expect(try open(start(), headers: ["X-Sandbox-Bearer": "wifi"]).hasPrefix("200 ErrorCode=-31"))
    #expect(try open(start() + "?sbx_handset=%2B12025550104").hasPrefix("200 ErrorCode=-17"))
    #expect(try check().text == "pending 60500 60531 60500", "codes accumulate in the order of the sendings")
  }

  @Test("a URL works once and for ten minutes, and an unknown one never")
  func over() throws {
    let url = try start()
    try open(url)
    #expect(try open(url) == "200 ErrorCode=-20&ErrorDescription=URL already used")

    let late = try start("+12025550101")
    try twilio.advance(600)
    #expect(try open(late) == "200 ErrorCode=-20&ErrorDescription=URL expired")
    #expect(
      try open("/handset/twilio/sna/s_aaaaaaaaaaaaaaaaaaaaaaaaaa")
        == "200 ErrorCode=-10&ErrorDescription=Unknown URL")
    #expect(
      try open("/handset/twilio/sna/s_aaaaaaaaaaaaaaaaaaaaaaaaaa/complete?grant=1")
        == "200 ErrorCode=-10&ErrorDescription=Unknown URL")
  }

  @Test("a forged grant proves nothing")
  func forged() throws {
    let url = try start()
    _ = try twilio.world.send(.to(path(url)))

    #expect(
      try open("\(url)/complete?grant=00000000000000000000000000000000")
        == "200 ErrorCode=-10&ErrorDescription=Unknown URL")
    #expect(try check().text == "pending 60519")
  }

  @Test("with a client token, the check must repeat the token of the URL's answer")
  func clientToken() throws {
    let url = try start(TwilioWorld.number, ["EnableSnaClientToken": "true"])
    let text = try open(url)
    let token = try #require(text.split(separator: "&SnaClientToken=").last.map(String.init))

    #expect(token.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    #expect(try check().text == "pending 60517")
    #expect(try check(TwilioWorld.number, ["SnaClientToken": "0"]).text == "pending 60517")
    #expect(try check(TwilioWorld.number, ["SnaClientToken": token]).text == "approved")
  }

  @Test("each silent attempt has its own URL, and a text after it has a code")
  func fallback() throws {
    let first = try start("+12025550140")
    let second = try start("+12025550140")
    try open(first)
    #expect(first != second)
    #expect(try check("+12025550140").text == "pending 60500 60519")

    let text = try twilio.create(to: "+12025550140")
    let code = try twilio.code(for: "+12025550140")

    text.matches(golden: "sms-after-sna")
    #expect(try check("+12025550140", ["Code": code]).text == "approved, no list")
  }

  @Test("a check needs a code only if the newest attempt is not silent")
  func codes() throws {
    _ = try start()
    #expect(try check(TwilioWorld.number, ["Code": "123456"]).text == "pending 60519")

    _ = try twilio.create()
    #expect(try checked(TwilioWorld.number).answer == errorAnswer(400, 60200, "Invalid parameter: Code"))
    #expect(try checked("+12025550199").answer == errorAnswer(400, 60200, "Invalid parameter: Code"))
  }

  @Test("a check after expiry is 20404", .contract("twilio-verify.md 4.4"))
  func expired() throws {
    _ = try start()
    try twilio.advance(601)

    #expect(try checked(TwilioWorld.number).answer == notFound(TwilioWorld.check))
  }

  @Test("silent verification does not support PSD2", .contract("twilio-verify.md 13.3"))
  func psd2() throws {
    try twilio.set(["Psd2Enabled": "true"])

    let exchange = try twilio.post(
      TwilioWorld.verifications,
      ["To": TwilioWorld.number, "Channel": "sna", "Amount": "€39.99", "Payee": "Acme"])

    exchange.matches(golden: "sna-psd2")
    #expect(exchange.answer == errorAnswer(400, 60329, "Verify SNA does not work with psd2_enabled"))
  }

  @Test("auto is silent if the operator supports it, else a text", .contract("twilio-verify.md 4.1"))
  func auto() throws {
    #expect(try twilio.create(over: "auto").decode(SilentAnswer.self).channel == "sna")
    #expect(try twilio.create(to: "+12025550150", over: "auto").decode(SilentAnswer.self).channel == "sms")

    try twilio.configure(#""disabledChannels":["sna"]"#)
    #expect(try twilio.create(over: "auto").decode(SilentAnswer.self).channel == "sms")
  }

  @Test("a public URL is the base of the phone's URL")
  func publicURL() throws {
    twilio.world.sandboxes.addresses.publicURL = "http://192.0.2.7:8080"

    let url = try start()

    #expect(url.hasPrefix("http://192.0.2.7:8080/handset/twilio/sna/s_"))
  }

  @Test("the URL belongs to the sandbox of the credentials")
  func otherSandbox() throws {
    let other = try #require(try twilio.world.sandboxes.create("ci", Sandbox.Configuration()))
    let own = Dictionary(
      uniqueKeysWithValues: try TwilioProvider.credentials(of: other).map { ($0.name, $0.value) })
    let account = try #require(own["accountSid"])
    let service = try #require(own["serviceSid"])

    let url = try twilio.post(
      "/v2/Services/\(service)/Verifications", ["To": TwilioWorld.number, "Channel": "sna"],
      as: Request.basic(account, #require(own["authToken"]))
    ).decode(SilentAnswer.self).url

    #expect(url?.hasPrefix("http://127.0.0.1:5550/s/ci/handset/twilio/sna/") == true)
    #expect(try open(#require(url)).hasPrefix("200 ErrorCode=0&"))
  }

  @Test("a fault can hit the phone's requests")
  func fault() throws {
    let url = try start()
    _ = try twilio.world.send(
      .json(.put, "/control/faults", #"{"faults":[{"route":"completeSilentURL","status":503}]}"#))
    let first = try twilio.world.send(.to(path(url)))
    let second = try twilio.world.send(.to(path(#require(first.headers["Location"]))))
    let third = try twilio.world.send(.to(path(#require(second.headers["Location"]))))

    third.matches(golden: "fault")
    #expect(try check().text == "pending 60519")
  }
}

struct SilentAnswer: NamedBody {
  static let statuses: Set = [201]
  let channel: String
  let url: String?

  init(_ fields: Fields) throws {
    channel = try fields.string("channel")
    url = try fields.optionalObject("sna")?.string("url")
    for name in fields.names { _ = try fields.json(name) }
  }
}

struct SilentCheckAnswer: NamedBody {
  static let statuses: Set = [200]
  /// The status and the error codes: `pending 60500 60519`.
  let text: String

  init(_ fields: Fields) throws {
    let codes = try fields.optionalObjects("sna_attempts_error_codes")?.map { entry in
      _ = try entry.string("attempt_sid")
      return " \(try entry.int("code"))"
    }
    text = try fields.string("status") + (codes?.joined() ?? ", no list")
    for name in fields.names { _ = try fields.json(name) }
  }
}
