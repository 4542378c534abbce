import HTTP
import Testing

private func encoded(_ response: Response, _ context: ResponseEncoder.Context = .init()) -> String {
  var output: [UInt8] = []
  ResponseEncoder.append(response, for: context, to: &output)
  return String(decoding: output, as: UTF8.self)
}

@Suite("HTTP · ResponseEncoder")
struct ResponseEncoderTests {
  let answer = Response(201, headers: ["A": "b"], body: Array("hello".utf8))

  @Test("a response is its status line, fields, length and body")
  func whole() {
    #expect(encoded(answer) == "HTTP/1.1 201 Created\r\nA: b\r\nContent-Length: 5\r\n\r\nhello")
  }

  @Test("an empty body has a length of zero")
  func empty() {
    #expect(encoded(Response(200)) == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
  }

  @Test("a response to HEAD has the length, but no body")
  func head() {
    #expect(
      encoded(answer, .init(isHead: true)) == "HTTP/1.1 201 Created\r\nA: b\r\nContent-Length: 5\r\n\r\n")
  }

  @Test("a status without a body has neither body nor length", arguments: [204, 304] as [Status])
  func bodiless(_ status: Status) {
    let text = encoded(Response(status, body: [1, 2, 3]))

    #expect(!text.contains("Content-Length") && text.hasSuffix("\r\n\r\n"))
  }

  @Test("the last response of a connection has Connection: close")
  func close() {
    #expect(encoded(Response(200), .init(keepAlive: false)).contains("\r\nConnection: close\r\n\r\n"))
  }

  @Test("an HTTP/1.0 client gets Connection: keep-alive")
  func keepAlive() {
    #expect(encoded(Response(200), .init(minorVersion: 0)).contains("\r\nConnection: keep-alive\r\n\r\n"))
  }

  @Test("a truncated response has the full length in its head", arguments: [0, 2, 5, 9])
  func truncated(_ count: Int) {
    var response = answer
    response.transport = .truncated(after: count)
    let text = encoded(response)

    #expect(text.contains("Content-Length: 5\r\n\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + "hello".prefix(count)))
  }

  @Test("nothing is sent for a reset")
  func reset() {
    var response = answer
    response.transport = .reset

    #expect(encoded(response) == "")
  }

  @Test(
    "lengths are written in decimal",
    arguments: [1, 9, 10, 99, 100, 12_345])
  func lengths(_ count: Int) {
    let text = encoded(Response(200, body: [UInt8](repeating: 0x61, count: count)))

    #expect(text.contains("Content-Length: \(count)\r\n"))
  }
}

@Suite("HTTP · RequestEncoder")
struct RequestEncoderTests {
  @Test("a POST request has the fields that its connection needs")
  func encoding() throws {
    let url = try #require(AbsoluteURL("https://a.test:8443/hook?x=1"))

    let bytes = RequestEncoder.request(.post, url, headers: ["X-A": "b"], body: Array("{}".utf8))

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "POST /hook?x=1 HTTP/1.1\r\nHost: a.test:8443\r\nX-A: b\r\nContent-Length: 2\r\n\r\n{}"
    )
  }

  @Test("a GET request has no length")
  func get() throws {
    let url = try #require(AbsoluteURL("http://a.test/hook?x=1"))

    let bytes = RequestEncoder.request(.get, url, headers: ["X-A": "b"], body: [])

    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "GET /hook?x=1 HTTP/1.1\r\nHost: a.test\r\nX-A: b\r\n\r\n")
  }

  @Test("a request is forwarded without hop-by-hop fields")
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

  @Test("a forwarded request has a length if the original had one", arguments: [true, false])
  func length(hasLength: Bool) {
    let headers: Headers = hasLength ? ["Host": "a", "Content-Length": "0"] : ["Host": "a"]

    let text = String(
      decoding: RequestEncoder.forward(Request(.get, Target("/"), headers: headers)), as: UTF8.self)

    #expect(text.contains("Content-Length: 0\r\n") == hasLength)
  }
}
