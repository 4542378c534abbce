import HTTP
import JSON
import Testing

@Suite("HTTP · values")
struct ValueTests {
  @Test(
    "a status has three digits, 100 to 599",
    arguments: [(99, false), (100, true), (599, true), (600, false), (20404, false), (-1, false)])
  func status(code: Int, exists: Bool) {
    #expect((Status(code) != nil) == exists)
  }

  @Test("an absolute URL on the request line marks a proxy request")
  func proxied() {
    func origin(of line: String) -> RequestOrigin? {
      var parser = RequestParser()
      return Array("\(line) HTTP/1.1\r\nHost: a\r\n\r\n".utf8).withUnsafeBytes { bytes in
        var position = 0
        guard case .message(let message)? = try? parser.next(in: bytes, at: &position, bodyLimit: { _ in 0 })
        else { return nil }
        return message.request.via
      }
    }

    #expect(origin(of: "GET http://a/x") == .proxied)
    #expect(origin(of: "GET https://a/x") == .proxiedSecurely)
    #expect(origin(of: "GET /x") == .direct)
  }

  @Test(
    "a redirect chain carries the sandbox's query fields unchanged",
    arguments: [
      ("/a?sbx_handset=%2B1202&b=1&sbx_bearer=wifi", "&sbx_handset=%2B1202&sbx_bearer=wifi"),
      ("/a?b=sbx_", ""),
      ("/a", ""),
    ])
  func carried(target: String, carried: String) {
    #expect(Request(.get, Target(target)).sandboxQuery == carried)
  }

  @Test(
    "some responses never have a body",
    arguments: [(100, true), (101, true), (204, true), (304, true), (200, false), (205, false), (404, false)])
  func bodiless(code: Int, expected: Bool) {
    #expect(Status(code)?.isBodiless == expected)
  }

  @Test("an invalid status literal stops the program")
  func impossibleStatus() async {
    await #expect(processExitsWith: .failure) { _ = Status(integerLiteral: 600) }
  }

  @Test("field names ignore case, and repeated fields are kept in order")
  func headers() {
    var headers: Headers = ["Content-Type": "text/plain", "X-One": "1"]
    headers.add("x-one", "2")

    #expect(headers["content-TYPE"] == "text/plain")
    #expect(headers["X-ONE"] == "1")
    #expect(headers.values("x-One") == ["1", "2"])
    #expect(headers["X-On"] == nil)
    #expect(headers.count == 3)
    #expect(
      String(decoding: headers.bytes, as: UTF8.self) == "Content-Type: text/plain\r\nX-One: 1\r\nx-one: 2\r\n"
    )
  }

  @Test("only letters are compared without case")
  func headerCase() {
    let headers: Headers = ["X@A": "at", "X`A": "tick"]

    #expect(headers["X`A"] == "tick")
    #expect(headers["x@a"] == "at")
  }

  @Test(
    "a value cannot start a new line", arguments: ["a\r\nSet-Cookie: x", "a\nb", "a\u{0}b", "a\u{7F}b"])
  func injection(value: String) {
    var headers = Headers()
    headers.add("X", value)

    #expect(headers.count == 1)
    #expect(headers.bytes.filter { $0 == 0x0A }.count == 1)
    #expect(!headers.bytes.contains(0))
  }

  @Test("headers are appended in order")
  func appending() {
    var headers: Headers = ["A": "1"]
    headers.append(["B": "2", "a": "3"])

    #expect(headers.pairs.map { "\($0.name)=\($0.value)" } == ["A=1", "B=2", "a=3"])
    #expect(headers["b"] == "2")
    #expect(headers.values("A") == ["1", "3"])
  }

  @Test(
    "a target is split at the first question mark",
    arguments: [
      ("/a", "/a", ""), ("/a?", "/a", ""), ("/a?b=1&c", "/a", "b=1&c"), ("/a?b?c", "/a", "b?c"),
      ("?b", "", "b"),
    ])
  func target(text: String, path: String, query: String) {
    #expect(Target(text) == Target(path: path, query: query))
  }

  @Test("links use the scheme, host and prefix of the request")
  func base() {
    var request = Request(.get, Target("/a"), headers: ["Host": "sandbox.test:8080"], scheme: "https")
    #expect(request.base == "https://sandbox.test:8080")

    request.prefix = "/s/ci-17/twilio"
    #expect(request.base == "https://sandbox.test:8080/s/ci-17/twilio")
  }

  @Test("query, form and JSON are parsed once and report unread fields together")
  func inputs() throws {
    let form = Request(.post, Target("/a?page=1&pag=2"), body: Array("To=1&Tp=2".utf8))
    _ = try form.query["page"]
    _ = try form.form["To"]
    #expect(form.inputs.unread == ["pag", "Tp"])

    let json = Request(.post, Target("/a"), body: Array(#"{"a":1,"b":{"c":2,"d":3}}"#.utf8))
    _ = try json.json.int("a")
    _ = try json.json.object("b").int("c")
    #expect(json.inputs.unread == ["b.d"])
    #expect(Request(.get, Target("/a?b=1")).inputs.unread == [])
  }

  @Test("an empty body is an empty JSON object")
  func emptyJSON() throws {
    #expect(try Request(.post, Target("/a")).json.names == [])
  }
}
