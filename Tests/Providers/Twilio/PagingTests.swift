import HTTP
import Support
import Testing

@Suite("Twilio · pages", .contract("twilio-verify.md 2.3"))
struct PagingTests {
  let twilio: TwilioWorld

  init() throws { twilio = try TwilioWorld() }

  @Test("the URLs of pages lead forward and back")
  func following() throws {
    let names = try fill(6)

    let first = try twilio.get("\(TwilioWorld.services)?PageSize=3")
    first.matches(golden: "first-page")
    let one = try first.decode(ServicePage.self)
    let second = try follow(one.next)
    second.matches(golden: "middle-page")
    let two = try second.decode(ServicePage.self)
    let three = try follow(two.next).decode(ServicePage.self)
    let back = try follow(three.previous).decode(ServicePage.self)
    let start = try follow(back.previous).decode(ServicePage.self)

    #expect(one.names + two.names + three.names == names)
    #expect([one.page, two.page, three.page, back.page, start.page] == [0, 1, 2, 1, 0])
    #expect(three.next == nil)
    #expect(back.names == two.names)
    #expect(start.names == one.names)
    #expect(one.previous == nil)
    #expect(start.previous == nil)
  }

  @Test("a last page that is full has no next page")
  func exactlyFull() throws {
    let names = try fill(1)

    let page = try twilio.get("\(TwilioWorld.services)?PageSize=2").decode(ServicePage.self)

    #expect(page.names == names)
    #expect(page.next == nil)
  }

  @Test(
    "the size of a page is 50 by default and 1000 at most",
    arguments: [
      ("", 50), ("?PageSize=1000", 1000), ("?PageSize=5000", 1000), ("?PageSize=", 50),
      ("?PageSize=9223372036854775807", 1000),
    ])
  func size(query: String, size: Int) throws {
    let page = try twilio.get(TwilioWorld.services + query).decode(ServicePage.self)

    #expect(page.size == size)
    #expect(page.this == "http://127.0.0.1:5550/v2/Services?PageSize=\(size)&Page=0")
    #expect(page.first == page.this)
  }

  @Test(
    "bad paging parameters are 60200",
    arguments: [
      ("PageSize=0", "PageSize"), ("PageSize=-1", "PageSize"), ("PageSize=many", "PageSize"),
      ("Page=-1", "Page"),
      ("Page=x", "Page"), ("Page=9223372036854775807&PageSize=1", "Page"), ("Page=1000000001", "Page"),
      ("Page=9223372036854775808", "Page"), ("Page=-9223372036854775808", "Page"),
      ("PageSize=9223372036854775808", "PageSize"), ("PageToken=DN", "PageToken"),
      ("PageToken=DNVA00000000000000000000000000000001", "PageToken"),
      ("PageToken=XX00000000000000000000000000000001", "PageToken"),
    ])
  func unreadable(query: String, parameter: String) throws {
    let exchange = try twilio.get("\(TwilioWorld.services)?\(query)")

    #expect(exchange.answer == errorAnswer(400, 60200, "Invalid parameter: \(parameter)"))
    if query == "PageSize=0" { exchange.matches(golden: "bad-page-size") }
  }

  @Test("the iOS SDK's spelling of PageToken is accepted")
  func lowerCaseToken() throws {
    let names = try fill(2)
    let one = try twilio.get("\(TwilioWorld.services)?PageSize=2").decode(ServicePage.self)

    let two = try follow(one.next?.replacing("PageToken", with: "pageToken")).decode(ServicePage.self)

    #expect(one.names + two.names == names)
  }

  @Test("deleting an item does not shift the next page")
  func inStep() throws {
    let names = try fill(5)
    let one = try twilio.get("\(TwilioWorld.services)?PageSize=3").decode(ServicePage.self)
    _ = try twilio.delete("\(TwilioWorld.services)/\(TwilioWorld.service)")

    let two = try follow(one.next).decode(ServicePage.self)

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
