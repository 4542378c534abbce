import HTTP
import Testing

@Suite("HTTP · absolute URLs")
struct AbsoluteURLTests {
  @Test(
    "a URL is parsed",
    arguments: [
      ("http://a.test", "http a.test 80 / a.test"),
      ("HTTP://A.Test/", "http a.test 80 / a.test"),
      ("https://a.test:8443/hook?x=1&y=%20#part", "https a.test 8443 /hook?x=1&y=%20 a.test:8443"),
      ("https://a.test?x=1", "https a.test 443 /?x=1 a.test"),
      ("http://127.0.0.1:80/p", "http 127.0.0.1 80 /p 127.0.0.1"),
      ("http://[::1]:9000/p", "http ::1 9000 /p [::1]:9000"),
      ("https://[::1]", "https ::1 443 / [::1]"),
      ("http://under_score.test:443", "http under_score.test 443 / under_score.test:443"),
    ])
  func parts(text: String, parts: String) throws {
    let url = try #require(AbsoluteURL(text))

    let scheme = url.isSecure ? "https" : "http"
    #expect("\(scheme) \(url.host) \(url.port) \(url.target) \(url.authority)" == parts)
    #expect(url.userInformation == nil)
  }

  @Test("user information is decoded, and ends at the last @ before the path")
  func user() throws {
    let url = try #require(AbsoluteURL("http://me%3A@:p%40w@a.test/x@y"))

    #expect(url.userInformation.map { String(decoding: $0, as: UTF8.self) } == "me:@:p@w")
    #expect(url.host == "a.test")
  }

  @Test(
    "anything else is rejected",
    arguments: [
      "", "a.test", "//a.test", "ftp://a.test", "http:/a.test", "http://", "http:///x", "http://:80/",
      "http://a.test:0", "http://a.test:65536", "http://a.test:x", "http://a b.test",
      "http://a.test/\r\nX: y",
      "http://ä.test", "http://a%2etest", "http://[::1", "http://[]", "http://[A]", "http://u%zz@a.test",
      "http://a.test/" + String(repeating: "x", count: 2048),
    ])
  func none(text: String) {
    #expect(AbsoluteURL(text) == nil)
  }

  @Test("a reader can allow more than usual")
  func limit() {
    let text = "http://a.test/" + String(repeating: "x", count: 2048)
    #expect(AbsoluteURL(text, atMost: text.utf8.count) != nil)
    #expect(AbsoluteURL(text, atMost: text.utf8.count - 1) == nil)
  }

  @Test("a URL is written without user, fragment and default port")
  func text() throws {
    let url = try #require(AbsoluteURL("HTTPS://me@A.Test:443/x?y#z"))

    #expect("\(url)" == "https://a.test/x?y")
    #expect(url.origin == "https://a.test")
  }

  @Test(
    "a reference is resolved on its page",
    arguments: [
      ("https://b.test/x", "https://b.test/x"), ("//b.test:81/x", "http://b.test:81/x"),
      ("/x?y", "http://a.test:82/x?y"), ("x", "http://a.test:82/dir/x"),
      ("?y", "http://a.test:82/dir/page?y"),
    ])
  func references(reference: String, url: String) throws {
    let page = try #require(AbsoluteURL("http://a.test:82/dir/page?q=/z"))

    #expect(page.resolving(reference)?.description == url)
  }

  @Test("an invalid reference is rejected", arguments: ["//", "a b", "/ü"])
  func noReference(reference: String) throws {
    let page = try #require(AbsoluteURL("http://a.test/"))

    #expect(page.resolving(reference) == nil)
  }
}
