import HTTP
import Testing

/// Bytes that are ambiguous or not a request, with the expected status.
struct Vector: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]
  let status: Status

  init(_ status: Status, _ name: String, _ text: String) {
    self.init(status, name, bytes: Array(text.utf8))
  }

  init(_ status: Status, _ name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    self.status = status
  }

  var testDescription: String { "\(status.code) \(name)" }
}

/// A GET request with these header lines after `Host`.
private func get(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n" }

/// A POST request with these header lines after `Host`, then this body.
private func post(_ lines: String, _ body: String) -> String {
  "POST / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\(body)"
}

/// A request with this body in chunks.
private func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }

private let lineVectors: [Vector] = [
  Vector(400, "a blank before the colon", get("Name : v\r\n")),
  Vector(400, "a tab before the colon", get("Name\t: v\r\n")),
  Vector(400, "a folded line with a blank", get("Name: a\r\n b\r\n")),
  Vector(400, "a folded line with a tab", get("Name: a\r\n\tb\r\n")),
  Vector(400, "a folded first line", "GET / HTTP/1.1\r\n Host: x\r\n\r\n"),
  Vector(400, "a folded Transfer-Encoding", post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")),
  Vector(400, "an empty line of LF alone", "GET / HTTP/1.1\r\nHost: x\r\n\n"),
  Vector(400, "LF alone everywhere", "GET / HTTP/1.1\nHost: x\n\n"),
  Vector(400, "LF alone behind the request line", "GET / HTTP/1.1\nHost: x\r\n\r\n"),
  Vector(400, "LF alone behind a field", "GET / HTTP/1.1\r\nHost: x\n\r\n"),
  Vector(400, "two LF between fields", "GET / HTTP/1.1\r\nHost: x\r\n\nName: v\r\n\r\n"),
  Vector(400, "a CR in a value", get("Name: a\rb\r\n")),
  Vector(400, "a CR that ends a field", get("Name: a\rContent-Length: 3\r\n")),
  Vector(400, "CR CR LF", get("Name: a\r\r\n")),
  Vector(400, "CR CR LF at the end of the head", "GET / HTTP/1.1\r\nHost: x\r\n\r\r\n"),
  Vector(400, "a CR in the request line", "GET /\r HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "NUL in a value", get("Name: a\0b\r\n")),
  Vector(400, "a control character in a value", get("Name: a\u{01}b\r\n")),
  Vector(400, "DEL in a value", get("Name: a\u{7F}b\r\n")),
  Vector(400, "a vertical tab in a value", get("Name: a\u{0B}b\r\n")),
  Vector(400, "a form feed in a value", get("Name: a\u{0C}b\r\n")),
  Vector(400, "NUL in a name", get("Na\0me: v\r\n")),
  Vector(400, "a control character in a name", get("Na\u{02}me: v\r\n")),
  Vector(400, "a letter beyond ASCII in a name", get("Näme: v\r\n")),
  Vector(400, "a blank in a name", get("Na me: v\r\n")),
  Vector(400, "a bracket in a name", get("Na(me: v\r\n")),
  Vector(400, "an empty name", get(": v\r\n")),
  Vector(400, "an empty name in trailers", chunked("0\r\n: v\r\n\r\n")),
  Vector(400, "a line without a colon", get("Name\r\n")),
  Vector(400, "NUL instead of a line", get("\0\r\n")),
  Vector(400, "LF before the request", "\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "CR alone before the request", "\rGET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "many empty lines before the request", "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"),
]

private let lengthVectors: [Vector] = [
  Vector(400, "length and chunks", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
  Vector(400, "chunks and length", post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n")),
  Vector(400, "two lengths that differ", post("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd")),
  Vector(400, "two equal lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc")),
  Vector(400, "a length with plus", post("Content-Length: +3\r\n", "abc")),
  Vector(400, "a length with minus", post("Content-Length: -3\r\n", "abc")),
  Vector(400, "minus zero", post("Content-Length: -0\r\n", "")),
  Vector(400, "a hexadecimal length", post("Content-Length: 0x3\r\n", "abc")),
  Vector(400, "a hexadecimal digit", post("Content-Length: a\r\n", "0123456789")),
  Vector(400, "a blank inside the length", post("Content-Length: 1 2\r\n", "abcdefghijkl")),
  Vector(400, "a list of lengths", post("Content-Length: 3, 3\r\n", "abc")),
  Vector(400, "a list of different lengths", post("Content-Length: 3,4\r\n", "abcd")),
  Vector(400, "a length with a fraction", post("Content-Length: 3.0\r\n", "abc")),
  Vector(400, "a length with an exponent", post("Content-Length: 1e1\r\n", "0123456789")),
  Vector(400, "an empty length", post("Content-Length:\r\n", "")),
  Vector(400, "a length in quotes", post("Content-Length: \"3\"\r\n", "abc")),
  Vector(400, "a length beyond 64 bits", post("Content-Length: 18446744073709551619\r\n", "abc")),
  Vector(400, "a length with a vertical tab", post("Content-Length: \u{0B}3\r\n", "abc")),
  Vector(400, "Arabic digits", post("Content-Length: ٣\r\n", "abc")),
  Vector(400, "a blank before the length's colon", post("Content-Length : 3\r\n", "abc")),
  Vector(413, "a length over the limit", post("Content-Length: 1048577\r\n", "")),
  Vector(413, "a length far over the limit", post("Content-Length: 999999999999999999\r\n", "")),
]

private let encodingVectors: [Vector] = [
  Vector(400, "identity", post("Transfer-Encoding: identity\r\n", "0\r\n\r\n")),
  Vector(400, "identity, chunked", post("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n")),
  Vector(400, "chunked, identity", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n")),
  Vector(400, "chunked, chunked", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")),
  Vector(400, "xchunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
  Vector(400, "chunkedx", post("Transfer-Encoding: chunkedx\r\n", "0\r\n\r\n")),
  Vector(400, "chunked with a parameter", post("Transfer-Encoding: chunked;q=1\r\n", "0\r\n\r\n")),
  Vector(400, "chunked in quotes", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")),
  Vector(400, "a comma before chunked", post("Transfer-Encoding: , chunked\r\n", "0\r\n\r\n")),
  Vector(400, "a comma behind chunked", post("Transfer-Encoding: chunked,\r\n", "0\r\n\r\n")),
  Vector(400, "an empty encoding", post("Transfer-Encoding:\r\n", "0\r\n\r\n")),
  Vector(400, "a vertical tab before chunked", post("Transfer-Encoding: \u{0B}chunked\r\n", "0\r\n\r\n")),
  Vector(400, "a vertical tab behind chunked", post("Transfer-Encoding: chunked\u{0B}\r\n", "0\r\n\r\n")),
  Vector(400, "NUL behind chunked", post("Transfer-Encoding: chunked\0\r\n", "0\r\n\r\n")),
  Vector(400, "a blank before the encoding's colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")),
  Vector(
    400, "Transfer-Encoding twice",
    post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
  Vector(
    400, "Transfer-Encoding twice, once identity",
    post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n")),
  Vector(
    400, "Transfer-Encoding twice, first identity",
    post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
  Vector(400, "gzip alone", post("Transfer-Encoding: gzip\r\n", "0\r\n\r\n")),
  Vector(501, "gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")),
  Vector(
    400, "chunks of HTTP/1.0",
    "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  Vector(
    400, "length and chunks of HTTP/1.0",
    "POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
]

private let chunkVectors: [Vector] = [
  Vector(400, "a chunk size with 0x", chunked("0x3\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a chunk size with minus", chunked("-3\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a chunk size with plus", chunked("+3\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a blank before the chunk size", chunked(" 3\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a tab before the chunk size", chunked("\t3\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a blank behind the chunk size", chunked("3 \r\nabc\r\n0\r\n\r\n")),
  Vector(400, "an underscore in the chunk size", chunked("1_0\r\n0123456789abcdef\r\n0\r\n\r\n")),
  Vector(400, "an empty chunk size", chunked("\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a chunk size of no digits", chunked(";x\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a letter in the chunk size", chunked("3g\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a chunk size beyond 64 bits", chunked("10000000000000003\r\nabc\r\n0\r\n\r\n")),
  Vector(413, "the largest chunk size", chunked("ffffffffffffffff\r\nabc\r\n0\r\n\r\n")),
  Vector(413, "a chunk size that is negative as a signed number", chunked("8000000000000000\r\nabc\r\n")),
  Vector(400, "LF alone behind the chunk size", chunked("3\nabc\r\n0\r\n\r\n")),
  Vector(400, "CR alone behind the chunk size", chunked("3\rabc\r\n0\r\n\r\n")),
  Vector(400, "LF alone behind the chunk", chunked("3\r\nabc\n0\r\n\r\n")),
  Vector(400, "LF alone behind the last chunk's size", chunked("3\r\nabc\r\n0\n\r\n")),
  Vector(400, "LF alone at the end", chunked("3\r\nabc\r\n0\r\n\n")),
  Vector(400, "a chunk longer than its size", chunked("3\r\nabcd\r\n0\r\n\r\n")),
  Vector(400, "a chunk shorter than its size", chunked("4\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a chunk without its line end", chunked("3\r\nabc0\r\n\r\n")),
  Vector(400, "LF in a chunk extension", chunked("3;a\nb\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "CR in a chunk extension", chunked("3;a\rb\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "NUL in a chunk extension", chunked("3;a\0\r\nabc\r\n0\r\n\r\n")),
  Vector(400, "a folded trailer", chunked("0\r\nA: b\r\n c\r\n\r\n")),
  Vector(400, "LF alone behind a trailer", chunked("0\r\nA: b\n\r\n")),
  Vector(400, "a blank before a trailer's colon", chunked("0\r\nA : b\r\n\r\n")),
  Vector(400, "a trailer that begins with a blank", chunked("0\r\n A: b\r\n\r\n")),
  Vector(
    400, "a long chunk extension",
    chunked("3;" + String(repeating: "a", count: 2000) + "\r\nabc\r\n0\r\n\r\n")),
  Vector(
    400, "many short chunk extensions",
    chunked(String(repeating: "1;aaaaaaaaaaaaaaaa\r\nx\r\n", count: 100) + "0\r\n\r\n")),
  Vector(431, "long trailers", chunked("0\r\n" + String(repeating: "A: b\r\n", count: 4000) + "\r\n")),
  Vector(
    413, "chunks over the limit together",
    "POST /large HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      + String(repeating: "186a0\r\n" + String(repeating: "x", count: 100_000) + "\r\n", count: 21)
      + "0\r\n\r\n"),
  Vector(
    413, "a route's own limit", "POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 2000001\r\n\r\n"),
]

private let hostVectors: [Vector] = [
  Vector(400, "no Host", "GET / HTTP/1.1\r\nAccept: */*\r\n\r\n"),
  Vector(400, "two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n"),
  Vector(400, "two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n"),
  Vector(400, "a blank in Host", "GET / HTTP/1.1\r\nHost: x y\r\n\r\n"),
  Vector(400, "a slash in Host", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n"),
  Vector(400, "a user in Host", "GET / HTTP/1.1\r\nHost: u@x\r\n\r\n"),
  Vector(400, "a comma in Host", "GET / HTTP/1.1\r\nHost: x,y\r\n\r\n"),
  Vector(400, "a question mark in Host", "GET / HTTP/1.1\r\nHost: x?y\r\n\r\n"),
  Vector(400, "a backslash in Host", "GET / HTTP/1.1\r\nHost: x\\y\r\n\r\n"),
  Vector(400, "a letter beyond ASCII in Host", "GET / HTTP/1.1\r\nHost: xä\r\n\r\n"),
  Vector(400, "a port that is no number in Host", "GET / HTTP/1.1\r\nHost: x:80a\r\n\r\n"),
  Vector(400, "two ports in Host", "GET / HTTP/1.1\r\nHost: x:80:81\r\n\r\n"),
  Vector(400, "an open bracket in Host", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
  Vector(400, "empty brackets in Host", "GET / HTTP/1.1\r\nHost: []\r\n\r\n"),
  Vector(400, "an absolute target without Host", "GET http://x/ HTTP/1.1\r\n\r\n"),
  Vector(400, "an absolute target with a user", "GET http://u@x/ HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "an absolute target without authority", "GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "an absolute target of another scheme", "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n"),
]

private let tunnelVectors: [Vector] = [
  Vector(400, "CONNECT without a port", connect("x")),
  Vector(400, "CONNECT with an empty port", connect("x:")),
  Vector(400, "CONNECT to port 0", connect("x:0")),
  Vector(400, "CONNECT to a port beyond 65535", connect("x:65536")),
  Vector(400, "CONNECT to a port with a sign", connect("x:+443")),
  Vector(400, "CONNECT to two ports", connect("x:443:443")),
  Vector(400, "CONNECT without a host", connect(":443")),
  Vector(400, "CONNECT to a path", connect("/x:443")),
  Vector(400, "CONNECT to a URL", connect("https://x:443/")),
  Vector(400, "CONNECT to a host with a user", connect("u@x:443")),
  Vector(400, "CONNECT to an escaped host", connect("%78:443")),
  Vector(400, "CONNECT to the asterisk", connect("*")),
  Vector(400, "CONNECT to an address of IPv6 without brackets", connect("::1:443")),
  Vector(400, "CONNECT to brackets without an address of IPv6", connect("[127.0.0.1]:443")),
  Vector(400, "CONNECT to an open bracket", connect("[::1:443")),
  Vector(400, "CONNECT without Host", "CONNECT x:443 HTTP/1.1\r\n\r\n"),
  Vector(400, "CONNECT with a length", connect("x:443", "Content-Length: 1\r\n") + "a"),
  Vector(400, "CONNECT in chunks", connect("x:443", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n"),
  Vector(414, "CONNECT to a host that is too long", connect(String(repeating: "x", count: 8_200) + ":443")),
]

/// A request for a tunnel to this place, with these header lines behind `Host`.
private func connect(_ place: String, _ lines: String = "") -> String {
  "CONNECT \(place) HTTP/1.1\r\nHost: x\r\n\(lines)\r\n"
}

private let lineShapeVectors: [Vector] = [
  Vector(501, "a lower-case method", "get / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(501, "a method of another world", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(501, "TRACE", "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a bracket in the method", "GE(T / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a method with NUL", "GE\0T / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a method that begins with a blank", " GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "two blanks before the target", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "two blanks before the version", "GET /  HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a tab before the target", "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a blank behind the version", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n"),
  Vector(400, "a target with a blank", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a target that is no path", "GET a HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "an asterisk for GET", "GET * HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a fragment in the target", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "NUL in the target", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a tab in the target", "GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "DEL in the target", "GET /a\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "UTF-8 in the target", "GET /ä HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(
    400, "a byte beyond ASCII in the target",
    bytes: Array("GET /".utf8) + [0xFF] + Array(" HTTP/1.1\r\n".utf8)),
  Vector(400, "HTTP/0.9", "GET /\r\n"),
  Vector(400, "no version", "GET / \r\nHost: x\r\n\r\n"),
  Vector(400, "a version of another protocol", "GET / ICY/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a lower-case version", "GET / http/1.1\r\nHost: x\r\n\r\n"),
  Vector(400, "a version of one digit", "GET / HTTP/1\r\nHost: x\r\n\r\n"),
  Vector(400, "a version of three digits", "GET / HTTP/1.10\r\nHost: x\r\n\r\n"),
  Vector(505, "version 1.2", "GET / HTTP/1.2\r\nHost: x\r\n\r\n"),
  Vector(505, "version 2.0", "GET / HTTP/2.0\r\nHost: x\r\n\r\n"),
  Vector(505, "version 0.9", "GET / HTTP/0.9\r\nHost: x\r\n\r\n"),
  Vector(505, "the preface of HTTP/2, where it is not accepted", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Vector(400, "the beginning of TLS", bytes: [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC]),
  Vector(417, "an unknown expectation", post("Expect: tea\r\nContent-Length: 3\r\n", "abc")),
]

private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

private let sizeVectors: [Vector] = [
  Vector(414, "a target over the limit", "GET /\(letters(8_192)) HTTP/1.1\r\nHost: x\r\n\r\n"),
  Vector(414, "a target without an end", "GET /\(letters(9_000))"),
  Vector(414, "a method without an end", letters(9_000)),
  Vector(431, "a head over the limit", get("Name: \(letters(16_384))\r\n")),
  Vector(431, "a field without an end", "GET / HTTP/1.1\r\nHost: x\r\nName: \(letters(17_000))"),
  Vector(431, "a head of many lines", get(String(repeating: "Name: \(letters(500))\r\n", count: 40))),
  Vector(431, "a field with a long name", get("\(letters(257)): v\r\n")),
  Vector(431, "too many fields", get(String(repeating: "N: v\r\n", count: 100))),
]

private let short =
  lineVectors + lengthVectors + encodingVectors + hostVectors + lineShapeVectors + tunnelVectors

@Suite("RequestParser · malformed requests")
struct MalformedRequestTests {
  @Test("a malformed or ambiguous request is rejected", arguments: short + chunkVectors + sizeVectors)
  func refused(_ vector: Vector) {
    let run = ParserRun(vector.bytes)

    #expect(run.error?.status == vector.status)
    #expect(run.requests == [])
  }

  @Test(
    "the error does not depend on how the bytes are split",
    arguments: short + chunkVectors.filter { $0.bytes.count < 1000 })
  func split(_ vector: Vector) {
    let whole = ParserRun(vector.bytes)

    for index in 1..<vector.bytes.count {
      #expect(ParserRun(vector.bytes, split: [index]) == whole, "split at \(index)")
    }
    #expect(ParserRun(vector.bytes, split: Array(repeating: 1, count: vector.bytes.count)) == whole)
  }

  @Test(
    "the error for a limit does not depend on the size of pieces", arguments: sizeVectors, [1, 7, 1000, 4096])
  func pieces(_ vector: Vector, size: Int) {
    let count = vector.bytes.count / size

    #expect(ParserRun(vector.bytes, split: Array(repeating: size, count: count)) == ParserRun(vector.bytes))
  }

  @Test("an error has a sentence as plain text", arguments: short)
  func sentence(_ vector: Vector) throws {
    let error = try #require(ParserRun(vector.bytes).error)

    #expect(error.sentence.hasSuffix("."))
    #expect(error.response.headers["Content-Type"] == "text/plain; charset=utf-8")
  }
}

private let accepted: [(name: String, bytes: String)] = [
  ("a target at the limit", "GET /\(letters(8_191)) HTTP/1.1\r\nHost: x\r\n\r\n"),
  ("as many fields as allowed", get(String(repeating: "N: v\r\n", count: 99))),
  (
    "a body at the route's limit",
    "POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n" + letters(2_000_000)
  ),
  ("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
  ("a bracketed Host", "GET / HTTP/1.1\r\nHost: [::1]:5550\r\n\r\n"),
  ("a Host with an underscore", "GET / HTTP/1.1\r\nHost: my_service:80\r\n\r\n"),
  ("bytes beyond ASCII in a value", get("Name: ä\r\n")),
  ("a length with leading zeros", post("Content-Length: 0003\r\n", "abc")),
  ("a length with blanks around it", post("Content-Length: \t3 \r\n", "abc")),
  ("a chunk size with leading zeros", chunked("0003\r\nabc\r\n000\r\n\r\n")),
  ("an extension in quotes", chunked("3;a=\"b c\"\r\nabc\r\n0\r\n\r\n")),
]

@Suite("RequestParser · limits")
struct RequestLimitTests {
  @Test("a request at the limit is accepted", arguments: accepted.indices)
  func within(_ index: Int) {
    let run = ParserRun(Array(accepted[index].bytes.utf8))

    #expect(run.error == nil, "\(accepted[index].name)")
    #expect(run.requests.count == 1)
  }

  @Test("a client that expects it gets 100 Continue before its body")
  func continuation() {
    let head = post("Expect: 100-Continue\r\nContent-Length: 3\r\n", "")

    let waiting = ParserRun(Array(head.utf8))
    let whole = ParserRun(Array((head + "abc").utf8))

    #expect(waiting.continuations == 1 && waiting.isUnfinished)
    #expect(whole.continuations == 1 && whole.requests.count == 1)
  }

  @Test("a client with a body over the limit gets no 100 Continue")
  func noContinuation() {
    let run = ParserRun(Array(post("Expect: 100-continue\r\nContent-Length: 2000000\r\n", "").utf8))

    #expect(run.continuations == 0)
    #expect(run.error?.status == 413)
  }

  @Test(
    "a request asks to keep or close the connection",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", true),
      ("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false),
      ("GET / HTTP/1.1\r\nHost: x\r\nConnection: Keep-Alive, Close\r\n\r\n", false),
      ("GET / HTTP/1.0\r\nHost: x\r\n\r\n", false),
      ("GET / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n", true),
    ])
  func keepAlive(_ bytes: String, _ keepAlive: Bool) {
    #expect(ParserRun(Array(bytes.utf8)).keepAlive == [keepAlive])
  }
}
