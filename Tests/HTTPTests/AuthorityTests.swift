import HTTP
import Testing

@Suite("HTTP · hosts and ports")
struct AuthorityTests {
  @Test(
    "an authority is taken apart, and put together",
    arguments: [
      ("a.test:443", "a.test", 443), ("A.Test", "a.test", nil), ("a.test:", "a.test", nil),
      ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:65535", "::1", 65_535),
      ("[2001:DB8::1]", "2001:db8::1", nil),
    ] as [(String, String, UInt16?)])
  func apart(text: String, host: String, port: UInt16?) throws {
    let place = try #require(Authority(text))

    #expect((place.host, place.port) == (host, port))
    #expect(place.description == (text.hasSuffix(":") ? "a.test" : text.lowercased()))
  }

  @Test(
    "what names no host is none",
    arguments: [
      "", ":443", "a:0", "a:65536", "a:+1", "a:1:2", "u@a", "a/b", "a b", "%61", "[]", "[127.0.0.1]", "[::1",
      "::1",
      "[::1]x", "ä.test", "*",
    ])
  func none(text: String) {
    #expect(Authority(text) == nil)
  }

  @Test(
    "a list of hosts has names, domains' ends, addresses, or all",
    arguments: [
      ("a.test", "a.test", true), ("A.test", "a.TEST", true), ("a.test", "b.a.test", false),
      ("*.a.test", "b.a.test", true), ("*.a.test", "a.test", false), ("*.a.test", "ba.test", false),
      ("*", "b.test", true), ("[2001:db8::1]", "2001:db8::1", true), ("10.0.0.1", "a.test", false),
    ])
  func list(entry: String, host: String, isIn: Bool) {
    #expect(HostList(["other.test", entry]).contains(host) == isIn)
    #expect(!HostList().contains(host))
  }

  @Test("a request is forwarded without what was between its client and the proxy")
  func forward() {
    let request = Request(
      .post, Target("/a?b"),
      headers: [
        "Host": "a.test:81", "Proxy-Authorization": "Basic eA==", "proxy-connection": "keep-alive",
        "X-Kept": "1",
        "Connection": "X-Named ,close, Host", "x-named": "2", "Keep-Alive": "3", "TE": "trailers",
        "Upgrade": "h2c",
        "Transfer-Encoding": "chunked", "Expect": "100-continue", "Trailer": "X-T",
      ], body: Array("body".utf8))

    let lines = [
      "POST /a?b HTTP/1.1", "Host: a.test:81", "X-Kept: 1", "Content-Length: 4", "Via: 1.1 ringfence",
      "Connection: close", "", "body",
    ]
    #expect(
      String(decoding: RequestEncoder.forward(request), as: UTF8.self) == lines.joined(separator: "\r\n"))
  }

  @Test("a request is forwarded with a length where it had one", arguments: [true, false])
  func length(hasLength: Bool) {
    let headers: Headers = hasLength ? ["Host": "a", "Content-Length": "0"] : ["Host": "a"]

    let text = String(
      decoding: RequestEncoder.forward(Request(.get, Target("/"), headers: headers)), as: UTF8.self)

    #expect(text.contains("Content-Length: 0\r\n") == hasLength)
  }
}
