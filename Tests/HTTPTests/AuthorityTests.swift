import HTTP
import Testing

@Suite("HTTP · hosts and ports")
struct AuthorityTests {
  @Test(
    "an authority is parsed and written",
    arguments: [
      ("a.test:443", "a.test", 443), ("A.Test", "a.test", nil), ("a.test:", "a.test", nil),
      ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:65535", "::1", 65_535),
      ("[2001:DB8::1]", "2001:db8::1", nil),
    ] as [(String, String, UInt16?)])
  func apart(text: String, host: String, port: UInt16?) throws {
    let authority = try #require(Authority(text))

    #expect((authority.host, authority.port) == (host, port))
    #expect(authority.description == (text.hasSuffix(":") ? "a.test" : text.lowercased()))
  }

  @Test(
    "text without a valid host is rejected",
    arguments: [
      "", ":443", "a:0", "a:65536", "a:+1", "a:1:2", "u@a", "a/b", "a b", "%61", "[]", "[127.0.0.1]", "[::1",
      "::1",
      "[::1]x", "ä.test", "*",
    ])
  func none(text: String) {
    #expect(Authority(text) == nil)
  }

  @Test(
    "a host list has names, subdomains, addresses, or all",
    arguments: [
      ("a.test", "a.test", true), ("A.test", "a.TEST", true), ("a.test", "b.a.test", false),
      ("*.a.test", "b.a.test", true), ("*.a.test", "a.test", false), ("*.a.test", "ba.test", false),
      ("*", "b.test", true), ("[2001:db8::1]", "2001:db8::1", true), ("10.0.0.1", "a.test", false),
    ])
  func list(entry: String, host: String, isIn: Bool) {
    #expect(HostList(["other.test", entry]).contains(host) == isIn)
    #expect(!HostList().contains(host))
  }
}
