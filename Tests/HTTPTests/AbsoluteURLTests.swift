import HTTP
import Testing

@Suite("HTTP · absolute URLs")
struct AbsoluteURLTests {
  @Test(
    "a URL is taken apart",
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

  @Test("user information is decoded, and only the last @ before the path ends it")
  func user() throws {
    let url = try #require(AbsoluteURL("http://me%3A@:p%40w@a.test/x@y"))

    #expect(url.userInformation.map { String(decoding: $0, as: UTF8.self) } == "me:@:p@w")
    #expect(url.host == "a.test")
  }

  @Test(
    "anything else is none",
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

  @Test("a request is one whole, with the fields that frame it")
  func encoding() throws {
    let url = try #require(AbsoluteURL("https://a.test:8443/hook?x=1"))

    let bytes = RequestEncoder.post(url, headers: ["X-A": "b"], body: Array("{}".utf8))

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "POST /hook?x=1 HTTP/1.1\r\nHost: a.test:8443\r\nX-A: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
  }

  @Test("a URL is written as it was read, without user, fragment and a port that goes without saying")
  func text() throws {
    let url = try #require(AbsoluteURL("HTTPS://me@A.Test:443/x?y#z"))

    #expect("\(url)" == "https://a.test/x?y")
    #expect(url.origin == "https://a.test")
  }

  @Test(
    "a reference is read from its page",
    arguments: [
      ("https://b.test/x", "https://b.test/x"), ("//b.test:81/x", "http://b.test:81/x"),
      ("/x?y", "http://a.test:82/x?y"), ("x", "http://a.test:82/dir/x"),
      ("?y", "http://a.test:82/dir/page?y"),
    ])
  func references(reference: String, url: String) throws {
    let page = try #require(AbsoluteURL("http://a.test:82/dir/page?q=/z"))

    #expect(page.resolving(reference)?.description == url)
  }

  @Test("a reference that leads nowhere is none", arguments: ["//", "a b", "/ü"])
  func noReference(reference: String) throws {
    let page = try #require(AbsoluteURL("http://a.test/"))

    #expect(page.resolving(reference) == nil)
  }
}
