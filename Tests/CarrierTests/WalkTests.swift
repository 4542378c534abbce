import Carrier
import Domain
import HTTP
import Numbers
import Support
import Testing

@Suite("Carrier · walking a chain", .contract("prelude.md 14.2, 14.4, 14.6"))
struct WalkTests {
  func walk(
    _ platform: Walk.Client.Platform = .ios, own: Bool = false, handset: String? = nil, bearer: Bearer? = nil
  ) -> Walk {
    var client = Walk.Client()
    client.platform = platform
    client.isOwnHost = own
    client.handset = handset.flatMap(PhoneNumber.init)
    client.bearer = bearer
    return Walk(as: client, at: TestSandbox.start)
  }

  func redirect(_ location: String?, _ status: Status = 302) -> Response {
    Response(status, headers: location.map { ["Location": $0] } ?? [:])
  }

  @Test("the first request is a GET with Connection: close, without the port in Host on iOS")
  func firstRequest() throws {
    var (ios, android) = (walk(handset: "+12025550100", bearer: .wifi), walk(.android))

    let fields = try #require(ios.start(at: "http://127.0.0.1:5550/a?b=c").request)
    let other = try #require(android.start(at: "http://127.0.0.1:5550/a").request)

    #expect(fields.url.target == "/a?b=c")
    #expect(
      fields.headers.pairs.map { "\($0.name): \($0.value)" } == [
        "Host: 127.0.0.1", "Connection: close", "User-Agent: Ringfence/1 (iOS 18.0)", "Accept: */*",
        "x-sdk-request-date: 2026-01-05T10:20:30.000Z", "x-sdk-retry-attempt: 0",
        "X-Sandbox-Handset: +12025550100", "X-Sandbox-Bearer: wifi",
      ])
    #expect(other.headers["Host"] == "127.0.0.1:5550")
    #expect(other.headers["x-sdk-request-date"] == nil)
  }

  @Test(
    "a URL that is not absolute is rejected",
    arguments: [
      "", "/a", "//a/b", "ftp://a/b", "http://", "http:///a", "http://a:0/", "http://a:99999/",
      "http://a/b c", "http://[::1/", "http://a/ü", "http://" + String(repeating: "a", count: 9000),
    ])
  func badURL(text: String) throws {
    var walk = walk()

    #expect(walk.start(at: text).failure?.hasPrefix("the URL must be absolute") == true)
  }

  @Test(
    "every redirect status is followed with a GET", arguments: [300, 301, 302, 303, 307, 308] as [Status])
  func followed(status: Status) throws {
    var walk = walk()
    _ = walk.start(at: "http://a/one")

    let next = walk.next(after: redirect("http://b:81/two?x=1", status), delay: .zero)

    #expect(next.request?.url.description == "http://b:81/two?x=1")
  }

  @Test("304 to 306 are failures", arguments: [304, 305, 306] as [Status])
  func notRedirects(status: Status) throws {
    var walk = walk()
    _ = walk.start(at: "http://a/one")

    #expect(
      walk.next(after: redirect("http://b/", status), delay: .zero).failure?.hasPrefix("HTTP 30") == true)
  }

  @Test(
    "a relative Location works on Android and fails on iOS",
    arguments: [
      ("/two", "http://a:81/two"), ("two?x", "http://a:81/dir/two?x"), ("?x=2", "http://a:81/dir/one?x=2"),
      ("//b/two", "http://b/two"),
    ])
  func relative(location: String, url: String) throws {
    var (android, ios) = (walk(.android), walk())
    _ = android.start(at: "http://a:81/dir/one?q")
    _ = ios.start(at: "http://a:81/dir/one?q")

    #expect(android.next(after: redirect(location), delay: .zero).request?.url.description == url)
    #expect(
      ios.next(after: redirect(location), delay: .zero).failure == "missing host in Location: \(location)")
  }

  @Test("a redirect without Location ends the walk")
  func noLocation() throws {
    var walk = walk(.android)
    _ = walk.start(at: "http://a/")

    #expect(walk.next(after: redirect(nil), delay: .zero).failure == "a redirect without Location")
  }

  @Test("twenty redirects are followed; the next one ends the walk")
  func limit() throws {
    var walk = walk()
    _ = walk.start(at: "http://a/")
    for _ in 1...20 { #expect(walk.next(after: redirect("http://a/"), delay: .zero).request != nil) }

    #expect(walk.next(after: redirect("http://a/"), delay: .zero).failure == "more than 20 redirects")
  }

  @Test("on the app's own host the first answer must be a redirect")
  func ownHost() throws {
    var (own, foreign) = (walk(own: true), walk())
    _ = own.start(at: "http://a/")
    _ = foreign.start(at: "http://a/")
    let answer = Response.json(200, Array(#"{"code":"123456"}"#.utf8))

    #expect(own.next(after: answer, delay: .zero).failure?.hasPrefix("unexpected response") == true)
    #expect(foreign.next(after: answer, delay: .zero) == .end(.code("123456")))
  }

  @Test("the timeout is five seconds a hop and twenty in all")
  func timeout() throws {
    var (slow, long) = (walk(), walk())
    _ = slow.start(at: "http://a/")
    _ = long.start(at: "http://a/")
    for _ in 1...4 { #expect(long.next(after: redirect("http://a/"), delay: .seconds(5)).request != nil) }

    #expect(slow.next(after: redirect("http://a/"), delay: .milliseconds(5001)).failure == "timed out")
    #expect(long.next(after: redirect("http://a/"), delay: .milliseconds(1)).failure == "timed out")
    #expect(long.timeLeft < .zero)
  }

  @Test(
    "the final answer is a code, a text or a failure, as each platform reads it",
    arguments: [
      (#"{"code":"482913","other":1}"#, "code 482913", "code 482913"),
      (#"{"status":"failure","reason":"expired"}"#, "no code in the answer: expired", "expired"),
      (#"{"reason":"expired"}"#, "no code in the answer: expired", "no code in the answer: expired"),
      (#"{"code":5}"#, "no code in the answer", "no code in the answer"),
    ])
  func finalJSON(body: String, ios: String, android: String) throws {
    let ends = [walk(), walk(.android)].map { walk in
      var walk = walk
      _ = walk.start(at: "http://a/")
      return walk.next(after: .json(200, Array(body.utf8)), delay: .zero)
    }

    #expect(ends.map { $0.failure ?? "code \($0.code ?? "-")" } == [ios, android])
  }

  @Test(
    "46 B5: a redirect to the app ends the chain, with its URL and the result in it",
    arguments: [
      ("https://shop.test/done#request_id=1&code=si9sfG", "si9sfG", nil),
      ("https://shop.test/done#error_description=No%20match.", nil, "No match."),
      ("shop://done?code=abc&state=s", "abc", nil),
      ("com.shop.app:/done?error=access_denied&error_description=No+one", nil, "access_denied: No one"),
      ("http://127.0.0.1:8080/callback?code=abc&state=s", "abc", nil),
      ("http://127.0.0.1:8080/callback", nil, nil),
      ("https://shop.test/done#" + String(repeating: "a", count: 3000), nil, nil),
    ] as [(String, String?, String?)])
  func app(url: String, code: String?, error: String?) throws {
    for platform in Walk.Client.Platform.allCases {
      var walk = walk(platform)
      _ = walk.start(at: "http://a/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A8080%2Fcallback")
      _ = walk.next(after: redirect("http://b/gateway"), delay: .zero)

      let ending = walk.next(after: redirect(url), delay: .zero)

      guard case .end(.redirect(let end)) = ending else {
        Issue.record("\(platform): \(ending)")
        continue
      }
      #expect(end.url == url)
      #expect(end.code == code)
      #expect(end.error == error)
    }
  }

  @Test("46 B5: a fragment after a relative reference keeps it; other pages of the app's host are followed")
  func nearApp() throws {
    var walk = walk(.android)
    _ = walk.start(at: "http://a/one?redirect_uri=http://a/callback")
    #expect(walk.redirectEnding == nil)
    #expect(walk.next(after: redirect("/callbacks?code=1"), delay: .zero).request != nil)
    guard case .end(.redirect(let end)) = walk.next(after: redirect("two#code=2"), delay: .zero) else {
      Issue.record("no redirect")
      return
    }
    #expect(end.url == "http://a/two#code=2")
    #expect(walk.redirectEnding != nil)
  }

  @Test("plain text is returned, other pages and statuses are failures")
  func finalText() throws {
    func end(_ response: Response) -> Walk.Step {
      var walk = walk()
      _ = walk.start(at: "http://a/")
      return walk.next(after: response, delay: .zero)
    }

    #expect(end(.text(200, "All=well")) == .end(.text("All=well")))
    #expect(
      end(Response(200, headers: ["Content-Type": "text/html"], body: Array("<p>".utf8))).failure
        == "the answer is neither JSON nor plain text")
    #expect(end(.json(503, Array(#"{"code":"x"}"#.utf8))).failure == "HTTP 503 Service Unavailable")
    #expect(
      end(.json(503, Array(#"{"message":"busy"}"#.utf8))).failure == "HTTP 503 Service Unavailable: busy")
  }
}

extension Walk.Step {
  /// The request, where there is one.
  fileprivate var request: Walk.HopRequest? { if case .request(let request) = self { request } else { nil } }

  /// The failure's words, where it is one.
  fileprivate var failure: String? { if case .end(.failure(let words)) = self { words } else { nil } }

  /// The code, where there is one.
  fileprivate var code: String? { if case .end(.code(let code)) = self { code } else { nil } }
}
