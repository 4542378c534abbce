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

  /// The URL for the phone in a create's answer.
  private func url(in created: Exchange) throws -> String {
    try #require(try created.decode(SilentAnswer.self).url)
  }

  /// Opens a URL, follows its redirects, and returns the last response.
  @discardableResult
  private func open(_ url: String) throws -> String {
    func send(_ url: String) throws -> Exchange {
      try twilio.world.send(.to(url.replacing("http://127.0.0.1:5550", with: "")))
    }
    var exchange = try send(url)
    while let location = exchange.headers["Location"] { exchange = try send(location) }
    return exchange.answer
  }

  @Test("a check's form needs no content type")
  func contentType() throws {
    let url = try url(in: twilio.create(over: "sna"))
    func check() throws -> Exchange {
      try twilio.send(
        .to(
          TwilioWorld.check, .post, headers: TwilioWorld.credentials,
          body: Array("To=\(PercentCoding.encode(TwilioWorld.number))".utf8)))
    }

    try check().matches(golden: "sna-pending")
    try open(url)
    try check().matches(golden: "sna-approved")
  }

  /// A program that is served waits for such a gateway.
  @Test("a gateway that gives up is 60002")
  func silence() throws {
    let number = "+12025550142"
    #expect(try open(url(in: twilio.create(to: number, over: "sna"))) == "504 The gateway has given up.\n")

    let answer = try twilio.post(TwilioWorld.check, ["To": number]).answer

    #expect(answer.contains(#""status":"pending""#) && answer.contains(#""code":60002}]"#))
  }

  @Test("a public URL is the base of the phone's URL")
  func publicURL() throws {
    twilio.world.sandboxes.addresses.publicURL = "http://192.0.2.7:8080"

    #expect(try url(in: twilio.create(over: "sna")).hasPrefix("http://192.0.2.7:8080/handset/twilio/sna/s_"))
  }

  @Test("the URL belongs to the sandbox of the credentials")
  func otherSandbox() throws {
    let other = try #require(try twilio.world.sandboxes.create("ci", Sandbox.Configuration()))
    let own = Dictionary(
      uniqueKeysWithValues: try TwilioProvider.credentials(of: other).map { ($0.name, $0.value) })
    let account = try #require(own["accountSid"])
    let service = try #require(own["serviceSid"])

    let url = try url(
      in: twilio.post(
        "/v2/Services/\(service)/Verifications", ["To": TwilioWorld.number, "Channel": "sna"],
        as: Request.basic(account, #require(own["authToken"]))))

    #expect(url.hasPrefix("http://127.0.0.1:5550/s/ci/handset/twilio/sna/"))
    #expect(try open(url).hasPrefix("200 ErrorCode=0&"))
  }
}

private struct SilentAnswer: NamedBody {
  static let statuses: Set = [201]
  let url: String?

  init(_ fields: Fields) throws {
    url = try fields.optionalObject("sna")?.string("url")
    for name in fields.names { _ = try fields.json(name) }
  }
}
