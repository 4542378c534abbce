import Catalog
import CatalogSupport
import Crypto
import Domain
import Foundation
import HTTP
import Support
import Testing

@testable import Console

@Suite("Console · reports")
struct ReportTests {
  private let world: TestSandbox

  init() throws { world = try TestSandbox.withCatalog() }

  private func report() throws -> String {
    let response = try world.answer(.to("/control/sandboxes/default/report"))
    #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    return String(decoding: response.body, as: UTF8.self)
  }

  private func exchange(
    status: Int = 200, body: String = "", head: String = "", target: String = "/v2/verification",
    why: String? = nil
  ) -> Journal.Exchange {
    Journal.Exchange(
      at: TestSandbox.start, owner: "prelude", route: "createVerification", method: "POST", target: target,
      requestHead: Array(head.utf8), requestBody: Array(body.utf8), status: status, responseHead: [],
      responseBody: Array(body.utf8), why: why, unread: ["metdata"], nearest: [])
  }

  @Test("a report has the requests with their reasons, and the fields that nobody read")
  func requests() throws {
    world.sandbox.journal.record(exchange(status: 400, why: "the target is missing"))

    let html = try report()

    #expect(html.contains(#"<li id="request-1" class="refused" data-item="1">"#))
    #expect(html.contains("the target is missing"))
    #expect(html.contains("Fields that nobody read: metdata"))
  }

  @Test("failed verifications come first with open diagrams, requests last (issue 50, C)")
  func order() throws {
    let account = Request.basic("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")
    for number in ["+12025550100", "+12025550101"] {
      _ = try world.answer(
        .post(
          "/v2/Services/VA00000000000000000000000000000001/Verifications",
          form: ["To": number, "Channel": "sms"], headers: account))
    }
    _ = try world.answer(.to("/control/verifications/+12025550100/lock", .post))

    let html = try report()

    let places = ["Failures", "open>", "Verifications", "in the others", "Phones", "Requests"]
      .map { html.range(of: $0)?.lowerBound }
    #expect(places.compactMap(\.self).count == places.count)
    #expect(places.compactMap(\.self).sorted() == places.compactMap(\.self))
    #expect(html.split(separator: "open>").count == 2)
  }

  @Test("secrets are masked")
  func secrets() throws {
    world.sandbox.journal.record(
      exchange(
        body: #"{"access_token":"hush-1"}"#, head: "Authorization: Bearer hush-2\r\nCookie: hush-3\r\n",
        target: "/x?token=hush-4"))

    let html = try report()

    #expect(!html.contains("hush"))
    #expect(html.contains("Authorization: Bearer ********"))
  }

  @Test("the name of a test is next to its requests, and failed tests are listed first")
  func tests() throws {
    let journal = world.sandbox.journal
    journal.record(exchange())
    journal.begin(test: "test_sign_in")
    journal.record(exchange())
    journal.end(test: "test_sign_in", .failed)
    journal.record(exchange())

    let html = try report()

    #expect(html.contains(##"<a href="#request-2">test_sign_in</a>"##))
    let lines = html.split(separator: "<li id=\"request-").dropFirst()
    #expect(
      lines.map { $0.contains(#"<span class="test failed">test_sign_in: failed</span>"#) } == [
        false, true, false,
      ])
  }

  @Test("of tests that overlap, the one that began last has the request")
  func overlap() throws {
    let journal = world.sandbox.journal
    journal.begin(test: "outer")
    journal.begin(test: "inner")
    journal.record(exchange())
    journal.end(test: "inner", .passed)
    journal.record(exchange())
    journal.end(test: "never begun", .skipped)

    #expect([1, 2, 3].map { journal.test(of: $0)?.name } == ["inner", "outer", "outer"])
    #expect(journal.tests.map(\.outcome) == [nil, .passed, .skipped])
  }

  @Test("each verification has its diagram, whose requests lead to their lines")
  func diagrams() throws {
    let form: KeyValuePairs = ["To": "+12025550100", "Channel": "sms"]
    let account = Request.basic("AC00000000000000000000000000000001", "0123456789abcdef0123456789abcdef")
    _ = try world.answer(
      .post(
        "/v2/Services/VA00000000000000000000000000000001/Verifications", form: form, headers: account))

    let html = try report()

    let drawing = try #require(html.components(separatedBy: #"class="panel reported""#).last)
    #expect(drawing.contains("createVerification") && drawing.contains(##"<a href="#request-1""##))
    #expect(html.hasSuffix("</html>\n"))
  }

  @Test("markup stays text, and a zero byte is no gap")
  func escaping() throws {
    world.sandbox.journal.record(
      exchange(body: "</script><img src=x>\0", target: "/<b>\0", why: "</style><script>alert(1)</script>"))
    world.sandbox.journal.begin(test: "<i>")
    world.sandbox.journal.record(exchange())

    let html = try report()

    #expect(!html.contains("<img") && !html.contains("<b>") && !html.contains("<i>"))
    #expect(html.components(separatedBy: "<script>").count == 2)
    #expect(html.hasSuffix("</html>\n"))
  }

  @Test("its style and script are allowed by their hashes, and nothing else is")
  func policy() throws {
    let html = try report()

    for tag in ["style", "script"] {
      let parts = html.components(separatedBy: "<\(tag)>")
      #expect(parts.count == 2)
      let code = try #require(parts.last?.components(separatedBy: "</\(tag)>").first)
      #expect(!code.isEmpty)
      #expect(html.contains("&#39;sha256-\(Base64.encode(SHA256.hash(Array(code.utf8))))&#39;"))
    }
    for word in ["http://", "https://", "src=", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test(
    "5,000 requests with large bodies that need escaping stay below the limit, and the first ones are whole")
  func size() throws {
    let world = try TestSandbox.withCatalog { $0.journalCapacity = 5000 }
    let body = String(repeating: "\"'&<>", count: 300)
    for _ in 1...5000 {
      world.sandbox.journal.record(exchange(status: 400, body: body, target: "/\(body)", why: body))
    }

    let pieces = try Report(of: world.sandbox, providers: catalog).pieces()
    let (html, largest) = try Self.collect(pieces)

    #expect(html.utf8.count < Report.sizeLimit)
    #expect(html.contains("From request "))
    #expect(largest < 4_000_000)
  }

  /// The whole text, and the size of its largest piece.
  private static func collect(_ pieces: BodyPieces) throws -> (String, Int) {
    var (bytes, largest): ([UInt8], Int) = ([], 0)
    while case .bytes(let piece) = try pieces.next(size: 1) {
      largest = max(largest, piece.count)
      bytes += piece
    }
    return (String(decoding: bytes, as: UTF8.self), largest)
  }
}
