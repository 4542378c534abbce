import HTTP
import Support
import Testing

@Suite("HTTP · requests behind reverse proxies")
struct ForwardingTests {
  private let proxies = TrustedProxies(["10.0.0.0/8", "::1"].compactMap { AddressRange($0) })

  private func told(_ headers: Headers, from peer: String = "10.1.2.3:4711") -> TrustedProxies.Client? {
    var request = Request.to("/", headers: headers)
    request.peer = peer
    return proxies.client(of: request)
  }

  // MARK: Addresses

  @Test(
    "an address is read and written",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("192.0.2.7:80", "192.0.2.7"),
      ("[2001:db8::1]:80", "[2001:db8:0:0:0:0:0:1]"),
      ("2001:DB8::1", "[2001:db8:0:0:0:0:0:1]"), ("::", "[0:0:0:0:0:0:0:0]"),
      ("[::ffff:192.0.2.7]", "192.0.2.7"),
      ("1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]"), ("1:2:3:4:5:6:192.0.2.7", "[1:2:3:4:5:6:c000:207]"),
    ])
  func address(text: String, written: String) {
    #expect(IPAddress(withPort: text)?.description == written)
  }

  @Test(
    "text that is no address is refused",
    arguments: [
      "", "192.0.2", "192.0.2.256", "192.0.2.7.1", "192.0.2.-7", "a.test", "1::2::3", "1:2:3:4:5:6:7:8:9",
      ":::",
      "1:2:3:4:5:6:7::8:9", "12345::", "192.0.2.7::", "::1%eth0", "[::1", "g::", "192.0.2.7:99999",
      " 192.0.2.7",
    ])
  func noAddress(text: String) {
    #expect(IPAddress(withPort: text) == nil)
  }

  @Test(
    "a network contains the addresses with the same first bits",
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
      ("192.0.2.4/31", "192.0.2.5", true),
      ("192.0.2.4/31", "192.0.2.6", false), ("192.0.2.4", "192.0.2.4", true),
      ("192.0.2.4", "192.0.2.5", false),
      ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
      ("2001:db8::/33", "2001:db8:7fff::1", true),
      ("2001:db8::/33", "2001:db8:8000::1", false), ("127.0.0.1", "::ffff:127.0.0.1", true),
    ])
  func range(text: String, address: String, isIn: Bool) throws {
    #expect(try #require(AddressRange(text)).contains(#require(IPAddress(address))) == isIn)
  }

  @Test(
    "a network that is none is refused",
    arguments: [
      "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0.0/0008", "/8", "all",
    ])
  func noRange(text: String) {
    #expect(AddressRange(text) == nil)
  }

  // MARK: Fields

  @Test(
    "a trusted proxy tells address, scheme and host",
    arguments: [
      [
        "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "HTTPS", "X-Forwarded-Host": "sandbox.test",
      ],
      ["Forwarded": "for=203.0.113.9;proto=https;host=sandbox.test"],
      ["Forwarded": #"For="203.0.113.9:4711" ; by=_me;Proto=https; host="sandbox.test""#],
      ["Forwarded": #"for="\203.0.113.9";host=sandbox.test;proto="https";ext="a,b;\"c""#],
      ["forwarded": "for=192.0.2.1, for=203.0.113.9;proto=https;host=sandbox.test,for=10.9.9.9"],
    ] as [[String: String]])
  func fields(fields: [String: String]) throws {
    var headers = Headers()
    for field in fields { headers.add(field.key, field.value) }

    let client = try #require(told(headers))

    #expect("\(client.address)" == "203.0.113.9")
    #expect((client.scheme, client.host) == ("https", "sandbox.test"))
  }

  @Test("the fields of anybody else are ignored")
  func untrusted() {
    #expect(told(["X-Forwarded-For": "203.0.113.9"], from: "192.0.2.1:80") == nil)
    #expect(told(["Forwarded": "for=203.0.113.9"], from: "") == nil)
    #expect(told(["X-Forwarded-For": "203.0.113.9"], from: "[::1]:80") != nil)
    #expect(told([:]) == nil)
  }

  @Test(
    "what the client itself sent does not count",
    arguments: [
      ["X-Forwarded-For": "1.1.1.1, 203.0.113.9"], ["X-Forwarded-For": "10.0.0.1, 203.0.113.9"],
      ["X-Forwarded-For": "nonsense, 203.0.113.9, 10.0.0.2"], ["Forwarded": "for=1.1.1.1, for=203.0.113.9"],
    ] as [[String: String]])
  func spoofed(fields: [String: String]) {
    var headers = Headers()
    for field in fields { headers.add(field.key, field.value) }

    #expect(told(headers)?.address.description == "203.0.113.9")
  }

  @Test("repeated fields are one list")
  func repeated() {
    #expect(
      told(["X-Forwarded-For": "1.1.1.1", "x-forwarded-for": "203.0.113.9"])?.address.description
        == "203.0.113.9"
    )
    #expect(
      told(["Forwarded": "for=1.1.1.1", "forwarded": "for=203.0.113.9"])?.address.description
        == "203.0.113.9")
  }

  @Test(
    "behind an address that no proxy tells is the proxy itself",
    arguments: ["unknown", "_hidden", "a.test", "", "999.1.1.1", "203.0.113.9, ", "203.0.113.9 10.0.0.1"])
  func unknownAddress(text: String) throws {
    let client = try #require(told(["X-Forwarded-For": text, "X-Forwarded-Proto": "https"]))

    #expect("\(client.address)" == "10.1.2.3")
    #expect(client.scheme == "https")
  }

  @Test(
    "a malformed line says nothing",
    arguments: [
      "for", "for=", "for=1.1.1.1;", "for=1.1.1.1;;proto=https", #"for="1.1.1.1"#, #"for="1.1.1.1\"#,
      "for=1.1.1.1 x", ",for=1.1.1.1", "for=1.1.1.1;for=1.1.1.1", "=1.1.1.1", "for=1.1.1.1;proto=ä",
      "for=203.0.113.9;x=" + String(repeating: "y", count: 5_000),
    ])
  func malformed(line: String) throws {
    let alone = try #require(told(["Forwarded": line]))
    let followed = try #require(told(["Forwarded": line, "forwarded": "for=203.0.113.9"]))

    #expect((alone.address.description, alone.scheme) == ("10.1.2.3", nil))
    #expect(followed.address.description == "203.0.113.9")
  }

  @Test("values that make no sense are left out")
  func values() throws {
    let client = try #require(
      told(["X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "gopher", "X-Forwarded-Host": "a b"]))

    #expect((client.scheme, client.host) == (nil, nil))
  }

  @Test("both kinds of fields count if they name the same address, and else neither")
  func bothKinds() throws {
    let same = try #require(
      told(["Forwarded": "for=203.0.113.9", "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"])
    )

    #expect((same.address.description, same.scheme) == ("203.0.113.9", "https"))
    #expect(told(["Forwarded": "for=1.1.1.1", "X-Forwarded-For": "203.0.113.9"]) == nil)
  }

  @Test("a scheme that only the outer proxy tells holds for the whole way")
  func outerScheme() {
    let headers: Headers = ["X-Forwarded-For": "203.0.113.9, 10.0.0.2", "X-Forwarded-Proto": "https"]
    let both: Headers = ["X-Forwarded-For": "203.0.113.9, 10.0.0.2", "X-Forwarded-Proto": "https, http"]

    #expect(told(headers)?.scheme == "https")
    #expect(told(both)?.scheme == "https")
  }

  @Test("at most 20 proxies are followed")
  func limit() {
    let list = (["203.0.113.9"] + (1...25).map { "10.0.0.\($0)" }).joined(separator: ", ")

    #expect(told(["X-Forwarded-For": list])?.address.description == "10.0.0.6")
  }

  // MARK: Links

  private func resolved(
    _ host: String, url: String? = nil, scheme: String = "http", headers: Headers = [:],
    via: RequestOrigin = .direct
  ) -> Request {
    let address = PublicAddress(
      url: url.flatMap { AbsoluteURL($0) }, proxies: proxies, providers: HostNames(["api.provider.test"]))
    var request = Request(
      .get, Target("/"), headers: ["Host": host], scheme: scheme, peer: "10.0.0.1:1", via: via)
    request.headers.append(headers)
    request.prefix = "/s/ci"
    address.resolve(&request)
    return request
  }

  @Test(
    "the public URL decides the origin of links",
    arguments: [
      ("https://sandbox.test", "sandbox.test", "http", "https://sandbox.test"),
      ("https://sandbox.test", "sandbox.test:443", "http", "https://sandbox.test"),
      ("https://sandbox.test:8443", "sandbox.test:8443", "http", "https://sandbox.test:8443"),
      ("https://sandbox.test", "127.0.0.1:5550", "http", "https://sandbox.test"),
      ("https://sandbox.test", "127.0.0.1:5551", "https", "https://127.0.0.1:5551"),
      ("https://sandbox.test", "api.provider.test", "http", "https://api.provider.test"),
      ("http://sandbox.test:5550", "sandbox.test:5550", "https", "http://sandbox.test:5550"),
      ("http://sandbox.test:5550", "127.0.0.1:5551", "https", "https://127.0.0.1:5551"),
      ("http://sandbox.test:5550", "ringfence:5550", "http", "http://ringfence:5550"),
    ])
  func publicURL(url: String, host: String, scheme: String, origin: String) {
    let request = resolved(host, url: url, scheme: scheme)

    #expect((request.origin, request.base, request.host) == (origin, "\(origin)/s/ci", host))
  }

  @Test("without a public URL, links have what the proxy tells")
  func forwardedOrigin() {
    let request = resolved(
      "10.0.0.9:5550", headers: ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "sandbox.test"])

    #expect(
      (request.origin, request.host, request.peer) == ("https://sandbox.test", "sandbox.test", "10.0.0.1"))
    #expect(resolved("10.0.0.9:5550").origin == "http://10.0.0.9:5550")
  }

  @Test("a request to the forward proxy keeps what its client chose")
  func forwardProxy() {
    let request = resolved(
      "api.provider.test", url: "https://sandbox.test", headers: ["X-Forwarded-For": "203.0.113.9"],
      via: .proxied)

    #expect((request.origin, request.peer) == ("http://api.provider.test", "10.0.0.1:1"))
  }
}
