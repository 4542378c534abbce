import Control
import Domain
import Foundation
import HTTP
import Support
import Testing

@Suite("Control · the proxy")
struct ProxyTests {
  let desk: Desk

  init() throws {
    desk = try Desk()
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"b"}"#)
    desk.world.dispatcher.proxyPolicy = ProxyPolicy(
      providers: HostNames(
        ["api.acme.example"],
        patterns: [HostPattern("{product}.{region}.acme.example", choices: ["product": ["api"]], known: [:])]),
      listening: [Authority(host: "10.0.0.7", port: 5550), Authority(host: "127.0.0.1", port: 5552)],
      publicHost: "phones.test", outside: HostList(["out.test", "*.out.test", "api.acme.example"]))
  }

  // MARK: Where a request goes

  @Test(
    "the providers' hosts at any port, the listeners' addresses and the public host are local",
    arguments: [
      "api.acme.example:443", "API.Acme.Example:4443", "api.here.acme.example:443", "10.0.0.7:5550",
      "localhost:5550", "127.0.0.1:5552",
      "127.3.2.1:5552",
      "phones.test:443", "phones.test:5550",
    ])
  func inside(place: String) throws {
    #expect(try outcome(connect(place)) == "here")
    #expect(try outcome(connect(place, .get)) == "here")
    #expect(try journalled().isEmpty)
  }

  @Test(
    "46 F3: other hosts are blocked, and the answer and the journal say what to do",
    arguments: [
      "a.test:443", "api.acme.example.a.test:443", "xapi.acme.example:443", "acme.example:443",
      "api.acme.example.:443", "web.here.acme.example:443", "api.a.b.acme.example:443",
      "10.0.0.7:5551", "127.0.0.1:80", "localhost:443",
      "[::2]:5550", "[::1]:5550",
      "127.0.0.1.a.test:5550", "xout.test:443",
    ])
  func blocked(place: String) throws {
    let host = try Authority(host: #require(Authority(place)).host, port: nil)
    let why =
      "\(host): not a sandbox host, and blocked; allow it by --proxy-tunnel \(host), or download dependencies "
      + "before the run"

    #expect(try outcome(connect(place)) == "403 \(why).\n")
    #expect(try journalled() == ["CONNECT \(place) 403 \(why)"])
  }

  @Test("a loopback address of IPv6 is local if a listener has IPv6", arguments: ["::", "::1"])
  func loopbackOfIPv6(listener: String) throws {
    desk.world.dispatcher.proxyPolicy = ProxyPolicy(listening: [Authority(host: listener, port: 5550)])

    #expect(try outcome(connect("[::1]:5550")) == "here")
  }

  @Test("a host that was allowed is reached, and the journal says what became of it")
  func outside() throws {
    guard
      case .forward(let place, let note) = desk.world.dispatcher.proxyDecision(for: connect("a.out.test:443"))
    else {
      Issue.record("it was to leave")
      return
    }
    #expect(place == Authority(host: "a.out.test", port: 443))
    #expect(try journalled().isEmpty)

    note(Response(200))
    var failure = Response.text(502, "text")
    failure.why = "why"
    note(failure)
    note(nil)

    let why = "forwarded to a.out.test:443; allowed by --proxy-tunnel"
    #expect(
      try journalled() == [
        "CONNECT a.out.test:443 200 \(why)", "CONNECT a.out.test:443 502 why",
        "CONNECT a.out.test:443 0 \(why)",
      ])
  }

  @Test("an http URL is forwarded to its port, an https URL needs a tunnel")
  func urls() throws {
    #expect(try outcome(connect("out.test", .get)) == "outside out.test:80")
    #expect(try outcome(connect("out.test:81", .get)) == "outside out.test:81")
    #expect(
      try outcome(connect("out.test", .get, .proxiedSecurely))
        == "400 an https URL needs a tunnel; send CONNECT out.test:443.\n")
    #expect(try journalled().last?.hasPrefix("GET https://out.test/path 400 ") == true)
  }

  // MARK: The proxy user

  @Test(
    "the proxy user's sandbox wins over the credentials, and loses to header and path",
    arguments: [
      ("b:", nil, "", nil, "b"), ("b:+12025550100", nil, "", "key-c", "b"),
      ("b:", "default", "", nil, "default"),
      ("b:", nil, "/s/default", nil, "default"), ("+12025550100:x", nil, "", "key-c", "c"),
      (":", nil, "", nil, "default"),
    ] as [(String, String?, String, String?, String)])
  func choice(user: String, header: String?, prefix: String, key: String?, sandbox: String) throws {
    _ = try desk.ask("POST /control/sandboxes", #"{"name":"c"}"#)
    var headers: Headers = ["Host": "api.acme.example"]
    if let header { headers.add("X-Sandbox", header) }
    if let key { headers.add("X-Acme-Key", key) }
    var request = Request(.get, Target("\(prefix)/things/v1/things/a"), headers: headers)
    request.via = .tunnel(authorization: Array(basic(user).utf8))

    let inside = try desk.world.answer(request)
    request.via = .direct
    let direct = try desk.world.answer(request)

    #expect(String(decoding: inside.body, as: UTF8.self) == "a in \(sandbox) for nobody")
    #expect(
      String(decoding: direct.body, as: UTF8.self).hasPrefix(
        "a in \(header ?? (key == nil ? "default" : "c"))"))
  }

  @Test("an unknown proxy user is told the expected ones", arguments: ["nobody:", "+1:x", "B:"])
  func unknown(user: String) throws {
    var request = connect("api.acme.example:443")
    request.headers.add("Proxy-Authorization", basic(user))
    guard case .denied(let response) = desk.world.dispatcher.proxyDecision(for: request) else {
      Issue.record("it was to be refused")
      return
    }

    #expect(response.status == 407)
    #expect(response.headers["Proxy-Authenticate"] == #"Basic realm="ringfence""#)
    let expected = "proxy user: expected a sandbox's name, or a handset's number such as +12025550100; "
    #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(expected))
  }

  @Test("a rejected request is in the journal of the proxy user's sandbox, without the credentials")
  func journal() throws {
    var request = connect("a.test:443")
    request.headers.add("Proxy-Authorization", basic("b:secret"))
    _ = desk.world.dispatcher.proxyDecision(for: request)

    #expect(try desk.ask("GET /control/journal/latest").hasPrefix("404"))
    let shown = try desk.ask("GET /s/b/control/journal/latest")
    #expect(shown.contains("Proxy-Authorization: Basic ********"))
    #expect(!shown.contains(basic("b:secret")))
    #expect(shown.contains(#""unread":[]"#))
  }

  // MARK: Results of requests

  private func connect(_ place: String, _ method: HTTP.Method = .connect, _ origin: RequestOrigin = .proxied)
    -> Request
  {
    var request = Request(method, Target(method == .connect ? place : "/path"), headers: ["Host": place])
    request.via = origin
    return request
  }

  private func basic(_ pair: String) -> String { "Basic " + Data(pair.utf8).base64EncodedString() }

  private func outcome(_ request: Request) throws -> String {
    switch desk.world.dispatcher.proxyDecision(for: request) {
    case .local: "here"
    case .forward(let place, _): "outside \(place)"
    case .denied(let response):
      "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
    }
  }

  private func journalled() throws -> [String] {
    desk.sandbox.journal.exchanges.map { "\($0.method) \($0.target) \($0.status) \($0.why ?? "")" }
  }
}
