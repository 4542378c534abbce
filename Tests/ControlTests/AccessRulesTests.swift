import Basics
import Control
import Domain
import HTTP
import JSON
import Support
import Testing

@Suite("Control · access without a token")
struct AccessRulesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  // MARK: Host

  @Test(
    "a loopback name or address is accepted",
    arguments: [
      "localhost", "localhost:5550", "LOCALHOST:5550", "app.localhost", "a.b.localhost:1", "127.0.0.1",
      "127.0.0.1:5550", "127.255.255.254:80", "[::1]", "[::1]:5550",
    ])
  func loopbackHosts(host: String) throws {
    #expect(try status("GET /control/clock", ["Host": host]) == 200)
  }

  @Test(
    "another name is refused, on each kind of operation",
    arguments: [
      "evil.example", "evil.example:5550", "127.0.0.1.evil.example", "127.evil.example:5550",
      "localhost.evil.example", "notlocalhost", "xlocalhost:5550", "10.0.0.1", "[::2]:5550", "0.0.0.0:5550",
      "",
    ])
  func foreignHosts(host: String) throws {
    for line in ["GET /control/sandboxes", "POST /control/reset", "GET /metrics", "PATCH /control/clock"] {
      #expect(try status(line, ["Host": host]) == 403, "\(line)")
    }
  }

  @Test("a refused Host is named, with the option that allows it")
  func hostMessage() throws {
    #expect(
      try desk.answer(send("GET /control/sandboxes", ["Host": "evil.example:5550"]))
        == #"403 {"error":"Host: expected localhost, a loopback address or another name of this server; "#
        + #"found evil.example:5550. To allow this name: ringfence serve --allow-host evil.example","field":"Host"}"#
    )
  }

  @Test(
    "a name of the server is accepted, with any port",
    arguments: [
      "sandbox.test", "sandbox.test:80", "Sandbox.Test", "a.team.test:5550", "phones.example",
      "192.0.2.7:5550",
    ])
  func knownHosts(host: String) throws {
    let names = ServerNames(
      listening: [HTTP.Authority(host: "192.0.2.7", port: 80)],
      publicURL: AbsoluteURL("https://phones.example"), allowed: HostList(["sandbox.test", "*.team.test"]))
    desk.world.dispatcher.accessRules = AccessRules(names: names)

    #expect(try status("GET /control/clock", ["Host": host]) == 200)
    for other in ["xsandbox.test", "team.test", "xteam.test", "phones.example.evil.example", "192.0.2.70"] {
      #expect(try status("GET /control/clock", ["Host": other]) == 403, "\(other)")
    }
  }

  @Test("a server that listens everywhere has every address, and no name", arguments: ["0.0.0.0", "::"])
  func everywhere(address: String) throws {
    let names = ServerNames(listening: [HTTP.Authority(host: address, port: 80)])
    desk.world.dispatcher.accessRules = AccessRules(names: names)

    #expect(try status("GET /control/clock", ["Host": "10.1.2.3:80"]) == 200)
    #expect(try status("GET /control/clock", ["Host": "[fe80::1]:80"]) == 200)
    #expect(try status("GET /control/clock", ["Host": "10.1.2.3.evil.example"]) == 403)
  }

  // MARK: Origin and Sec-Fetch-Site

  static let own = "http://127.0.0.1:5550"

  @Test(
    "only pages of the same origin, and programs, are accepted",
    arguments: [
      (nil, nil, 200), (own, nil, 200), (own, "same-origin", 200), (nil, "none", 200),
      (nil, "same-origin", 200),
      ("https://127.0.0.1:5550", nil, 200),
      ("https://evil.example", nil, 403), ("null", nil, 403), ("", nil, 403), ("file://", nil, 403),
      ("http://127.0.0.1", nil, 403), ("http://127.0.0.1:3000", nil, 403),
      ("http://localhost:5550", nil, 403),
      ("http://evil.localhost:5550", nil, 403), ("http://127.0.0.1:5550.evil.example", nil, 403),
      ("chrome-extension://abcdef", nil, 403), ("https://evil.example", "cross-site", 403),
      (nil, "cross-site", 403), (nil, "same-site", 403), (nil, "nonsense", 403), (own, "cross-site", 403),
      ("https://evil.example", "same-origin", 403),
    ] as [(String?, String?, Int)])
  func origins(origin: String?, site: String?, expected: Int) throws {
    var headers: Headers = ["Host": "127.0.0.1:5550"]
    if let origin { headers.add("Origin", origin) }
    if let site { headers.add("Sec-Fetch-Site", site) }

    for line in ["GET /control/clock", "POST /control/reset", "DELETE /control/inbox", "GET /metrics"] {
      let status = try status(line, headers)
      #expect(expected == 403 ? status == 403 : status < 300, "\(line)")
    }
  }

  @Test("pages at the public URL are accepted, behind a proxy too")
  func publicOrigin() throws {
    let names = ServerNames(publicURL: AbsoluteURL("https://phones.example"))
    desk.world.dispatcher.accessRules = AccessRules(names: names)
    let headers: Headers = ["Host": "127.0.0.1:5550", "Origin": "https://phones.example"]

    #expect(try status("GET /control/clock", headers) == 200)
  }

  @Test("a refused page is named, with what it should have been")
  func originMessages() throws {
    #expect(
      try desk.ask("POST /control/reset", headers: ["Origin": "https://evil.example"]).contains(
        "expected http://127.0.0.1:5550; found https://evil.example. Call it from a program."))
    #expect(
      try desk.ask("POST /control/reset", headers: ["Sec-Fetch-Site": "same-site"]).contains(
        "expected same-origin or none; found same-site."))
  }

  // MARK: Content-Type

  @Test(
    "a body needs the JSON content type",
    arguments: [
      ("application/json", 200), ("application/json; charset=utf-8", 200), ("Application/JSON", 200),
      ("application/json;charset=utf-8", 200), ("text/plain", 415), ("text/plain;charset=UTF-8", 415),
      ("application/x-www-form-urlencoded", 415), ("multipart/form-data; boundary=x", 415),
      ("application/jsonp", 415), ("text/plain, application/json", 415), ("", 415), (nil, 415),
    ] as [(String?, Int)])
  func contentTypes(type: String?, expected: Int) throws {
    var headers: Headers = ["Host": "localhost"]
    if let type { headers.add("Content-Type", type) }

    #expect(try status("PUT /control/entropy", headers, #"{"entropySeed":7}"#) == expected)
    #expect(desk.sandbox.entropy.seed == (expected == 200 ? 7 : 1))
  }

  @Test("a request without a body needs no content type")
  func noBody() throws {
    #expect(try status("POST /control/reset", ["Host": "localhost", "Content-Type": "text/plain"]) == 200)
  }

  @Test("a refused content type is named, with the flag for curl")
  func contentTypeMessage() throws {
    #expect(
      try desk.ask("PUT /control/entropy", "{}", headers: ["Content-Type": "text/plain"])
        == #"415 {"error":"Content-Type: expected application/json; found text/plain. "#
        + #"With curl, add: -H 'Content-Type: application/json'","field":"Content-Type"}"#)
  }

  // MARK: Everything else

  @Test("providers, the mobile network and health checks have no such rules")
  func otherPaths() throws {
    let headers: Headers = [
      "Host": "evil.example", "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site",
    ]
    for path in ["/things/v1/things/a", "/livez", "/readyz"] {
      #expect(try status("GET \(path)", headers) == 200, "\(path)")
    }
    #expect(try status("GET /handset/attach", headers) != 403)
    #expect(try status("POST /things/v1/things", headers, "to=1") == 201)
  }

  @Test("a refusal does not tell whether a sandbox exists")
  func unknownSandbox() throws {
    let answers = try ["default", "nope"].map { name in
      try desk.answer(send("GET /s/\(name)/control/clock", ["Host": "evil.example"]))
    }
    #expect(answers[0] == answers[1])
  }

  private func status(_ line: String, _ headers: Headers, _ body: String = "") throws -> Int {
    try send(line, headers, body).status.code
  }

  private func send(_ line: String, _ headers: Headers, _ body: String = "") throws -> Response {
    let words = line.split(separator: " ").map(String.init)
    return try desk.world.answer(
      Request(
        HTTP.Method(rawValue: words[0]) ?? .options, Target(words[1]), headers: headers,
        body: Array(body.utf8)))
  }
}
