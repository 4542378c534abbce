import HTTP
import Testing

/// Bytes of a request and the expected result.
struct Reading: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: String
  let requests: [String]
  var tunnelled: String?

  var testDescription: String { name }
}

private let readings: [Reading] = [
  Reading(
    name: "a request without a body",
    bytes: "GET /a/b?c=d+e HTTP/1.1\r\nHost: x\r\nX-One:  two \t\r\nEmpty:\r\n\r\n",
    requests: ["GET /a/b?c=d+e [Host=x|X-One=two|Empty=] "]),
  Reading(
    name: "a body of a told length",
    bytes: "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
    requests: ["POST /a [Host=x|Content-Length=5] hello"]),
  Reading(
    name: "a body in chunks with extensions and trailers",
    bytes: "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n"
      + "5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Trailer: y\r\n\r\nGET / HTTP/1.1\r\nHost: y\r\n\r\n",
    requests: ["POST /a [Host=x|Transfer-Encoding=Chunked] hello!", "GET / [Host=y] "]),
  Reading(
    name: "requests one behind the other",
    bytes: "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nPOST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok"
      + "DELETE /3 HTTP/1.1\r\nHost: x\r\n\r\n",
    requests: ["GET /1 [Host=x] ", "POST /2 [Host=x|Content-Length=2] ok", "DELETE /3 [Host=x] "]),
  Reading(
    name: "two empty lines before a request",
    bytes: "\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    requests: ["GET / [Host=x] "]),
  Reading(
    name: "an absolute target, whose authority replaces Host",
    bytes: "GET http://verify.example:8080/v2?x=1 HTTP/1.1\r\nAccept: */*\r\nHost: other\r\n\r\n",
    requests: ["GET /v2?x=1 [Host=verify.example:8080|Accept=*/*] "]),
  Reading(
    name: "an absolute target without a path",
    bytes: "GET http://verify.example HTTP/1.1\r\nHost: verify.example\r\n\r\n",
    requests: ["GET / [Host=verify.example] "]),
  Reading(
    name: "the asterisk of OPTIONS",
    bytes: "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    requests: ["OPTIONS * [Host=x] "]),
  Reading(
    name: "HTTP/1.0 without Host",
    bytes: "GET / HTTP/1.0\r\n\r\n",
    requests: ["GET / [Host=here:5550] "]),
  Reading(
    name: "a request for a tunnel, whose target replaces Host",
    bytes: "CONNECT Verify.Example:443 HTTP/1.1\r\nHost: other\r\nProxy-Authorization: Basic eA==\r\n\r\n",
    requests: ["CONNECT verify.example:443 [Host=verify.example:443|Proxy-Authorization=Basic eA==] "],
    tunnelled: ""),
  Reading(
    name: "a request for a tunnel of HTTP/1.0, and what belongs to the tunnel",
    bytes: "CONNECT [::1]:8443 HTTP/1.0\r\n\r\nGET / HTTP/1.1\r\n\0",
    requests: ["CONNECT [::1]:8443 [Host=[::1]:8443] "],
    tunnelled: "GET / HTTP/1.1\r\n\0"),
  Reading(
    name: "a request for a tunnel with the empty body that some clients tell of, behind another request",
    bytes:
      "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:443 HTTP/1.1\r\nHost: x:443\r\nContent-Length: 0\r\n\r\n\u{16}",
    requests: ["GET /1 [Host=x] ", "CONNECT x:443 [Host=x:443|Content-Length=0] "],
    tunnelled: "\u{16}"),
  Reading(
    name: "an upgrade that is not taken up",
    bytes: "POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
      + "HTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: 2\r\n\r\nokGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    requests: [
      "POST / [Host=x|Connection=Upgrade, HTTP2-Settings|Upgrade=h2c|HTTP2-Settings=AAMAAABkAAQAAP__|"
        + "Content-Length=2] ok",
      "GET / [Host=x] ",
    ]),
  Reading(
    name: "an upgrade before a body in chunks",
    bytes: "POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    requests: [
      "POST / [Host=x|Connection=Upgrade|Upgrade=h2c|Transfer-Encoding=chunked] ok", "GET / [Host=x] ",
    ]),
]

@Suite("RequestParser · requests")
struct RequestParserTests {
  @Test("a request is parsed", arguments: readings)
  func whole(_ reading: Reading) {
    let run = ParserRun(Array(reading.bytes.utf8))

    #expect(run.requests == reading.requests)
    #expect(run.tunnelled == reading.tunnelled.map { Array($0.utf8) })
    #expect(run.error == nil)
    #expect(!run.isUnfinished)
  }

  @Test("the result does not depend on how the bytes are split", arguments: readings)
  func split(_ reading: Reading) {
    let bytes = Array(reading.bytes.utf8)
    let whole = ParserRun(bytes)

    for index in 1..<bytes.count { #expect(ParserRun(bytes, split: [index]) == whole, "split at \(index)") }
    #expect(ParserRun(bytes, split: Array(repeating: 1, count: bytes.count)) == whole)
  }

  @Test(
    "46 B5: links have the port of the server's own address, if a client leaves it out of Host",
    arguments: [
      ("127.0.0.1", "127.0.0.1:5550", "http", "http://127.0.0.1:5550"),
      ("LOCALHOST", "[::1]:5550", "http", "http://localhost:5550"),
      ("[::1]", "[::1]:5551", "https", "https://[::1]:5551"),
      ("127.0.0.1:80", "127.0.0.1:5550", "http", "http://127.0.0.1:80"),
      ("127.0.0.1", "127.0.0.1:80", "http", "http://127.0.0.1"),
      ("127.0.0.1", "192.168.1.5:5550", "http", "http://127.0.0.1"),
      ("192.168.1.5", "192.168.1.5:5550", "http", "http://192.168.1.5:5550"),
      ("verify.example", "127.0.0.1:5550", "http", "http://verify.example"),
      ("127.0.0.1", "", "http", "http://127.0.0.1"),
    ])
  func origin(host: String, server: String, scheme: String, origin: String) throws {
    var parser = RequestParser(scheme: scheme, authority: server)
    var request: Request?
    try Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8).withUnsafeBytes { input in
      var position = 0
      if case .message(let message) = try parser.next(in: input, at: &position, bodyLimit: { _ in 0 }) {
        request = message.request
      }
    }

    #expect(request?.origin == origin)
    #expect(request?.base == origin)
    #expect(request?.host == host)
  }
}
