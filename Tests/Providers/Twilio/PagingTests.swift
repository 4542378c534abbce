import HTTP
import Support
import Testing

@Suite("Twilio · pages", .contract("twilio-verify.md 2.3"))
struct PagingTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("the iOS SDK's spelling of PageToken is accepted")
  func lowerCaseToken() throws {
    let names = try fill(2)
    let one = try twilio.get("\(TwilioWorld.services)?PageSize=2").decode(ServicePage.self)

    let two = try follow(one.next?.replacing("PageToken", with: "pageToken")).decode(ServicePage.self)

    #expect(one.names + two.names == names)
  }

  @Test(
    "links have the host and prefix of the request",
    arguments: [
      ("/twilio", "127.0.0.1:5550"), ("/verify", "127.0.0.1:5550"), ("/s/default", "127.0.0.1:5550"),
      ("/s/default/twilio", "127.0.0.1:5550"), ("", "verify.twilio.com"), ("", "sandbox.test:8080"),
    ])
  func prefixes(prefix: String, host: String) throws {
    _ = try fill(2)
    let base = "http://\(host)\(prefix)/v2/Services"

    let page = try get("\(prefix)\(TwilioWorld.services)?PageSize=1", host).decode(ServicePage.self)
    let next = try #require(page.next)
    let second = try get(String(next.dropFirst("http://\(host)".count)), host).decode(ServicePage.self)
    let service = try get("\(prefix)\(TwilioWorld.services)/\(TwilioWorld.service)", host).decode(
      ServiceAnswer.self)

    #expect(page.first == "\(base)?PageSize=1&Page=0")
    #expect(page.this == page.first)
    #expect(next.hasPrefix("\(base)?PageSize=1&Page=1&PageToken="))
    #expect(second.previous?.hasPrefix("\(base)?PageSize=1&Page=0&PageToken=") == true)
    #expect(second.page == 1)
    #expect(service.text("url") == "\(base)/\(TwilioWorld.service)")
    #expect(service.text("links.verification_checks") == "\(base)/\(TwilioWorld.service)/VerificationCheck")
  }

  @Test("links have the scheme of the request")
  func scheme() throws {
    var request = Request.to(
      "\(TwilioWorld.services)/\(TwilioWorld.service)", headers: TwilioWorld.credentials)
    request.scheme = "https"

    let service = try twilio.send(request).decode(ServiceAnswer.self)

    #expect(service.text("url")?.hasPrefix("https://127.0.0.1:5550/v2/Services/") == true)
  }

  /// Adds Services to the seeded one, and returns all names in order.
  private func fill(_ count: Int) throws -> [String] {
    for number in 0..<count {
      _ = try twilio.post(TwilioWorld.services, ["FriendlyName": "Service \(number)"])
    }
    return ["Sandbox Service"] + (0..<count).map { "Service \($0)" }
  }

  private func follow(_ url: String?) throws -> Exchange {
    let url = try #require(url)
    return try twilio.get(String(url.dropFirst("http://127.0.0.1:5550".count)))
  }

  private func get(_ path: String, _ host: String) throws -> Exchange {
    var headers: Headers = ["Host": host]
    headers.append(TwilioWorld.credentials)
    return try twilio.send(Request(.get, Target(path), headers: headers))
  }
}
