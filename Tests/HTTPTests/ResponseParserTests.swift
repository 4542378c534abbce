import HTTP
import Testing

@Suite("HTTP · ResponseParser")
struct ResponseParserTests {
  /// The result of parsing: `200 [A=b] body`, an error, or `…` if more bytes are needed.
  private func run(_ text: String, split: Int? = nil, ends: Bool = false, limits: Limits = Limits()) -> String
  {
    var parser = ResponseParser(limits: limits)
    let bytes = Array(text.utf8)
    let size = split ?? max(1, bytes.count)
    do {
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = Array(bytes[start..<min(bytes.count, start + size)])
        let found = try piece.withUnsafeBytes { try parser.read($0) }
        if let found { return line(found) }
      }
      return ends ? try parser.finish().map(line) ?? "nothing" : "…"
    } catch {
      return "\(error)"
    }
  }

  private func line(_ response: Response) -> String {
    let fields = response.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    return "\(response.status.code) [\(fields)] \(String(decoding: response.body, as: UTF8.self))"
  }

  @Test(
    "a response is parsed, however its bytes are split",
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A:  b \r\n\r\nok", "200 [Content-Length=2|X-A=b ] ok"),
      ("HTTP/1.1 204 No Content\r\n\r\n", "204 [] "),
      ("HTTP/1.0 500\r\nContent-Length: 0\r\n\r\n", "500 [Content-Length=0] "),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n1\r\n!\r\n0\r\nT: t\r\n\r\n",
        "200 [Transfer-Encoding=chunked] ok!"
      ),
      (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
        "201 [Content-Length=0] "
      ),
      (
        "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
        "302 [Location=/x|Content-Length=0] "
      ),
    ])
  func whole(text: String, answer: String) {
    #expect(run(text) == answer)
    #expect(run(text, split: 1) == answer)
    #expect(run(text, split: 7) == answer)
  }

  @Test("a body without a length ends with the connection")
  func untilTheEnd() {
    let text = "HTTP/1.1 200 OK\r\n\r\nok"

    #expect(run(text) == "…")
    #expect(run(text, ends: true) == "200 [] ok")
    #expect(run(text, split: 1, ends: true) == "200 [] ok")
  }

  @Test(
    "an incomplete or invalid response is an error",
    arguments: [
      ("", "the connection closed without a response"),
      ("HTTP/1.1 200 OK\r\nContent-Le", "the connection closed before the end of the response"),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
        "the connection closed before the end of the response"
      ),
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok",
        "the connection closed before the end of the response"
      ),
      ("HTTP/1.1 100 Continue\r\n\r\n", "the connection closed before the end of the response"),
      (
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
        "the server switched protocols without being asked"
      ),
      (
        String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9),
        "the server sent too many interim responses"
      ),
      ("HTTP/1.1 20 OK\r\n\r\n", "invalid response status 20"),
      ("HTTP/1.1 999 What\r\n\r\n", "invalid response status 999"),
    ])
  func errors(text: String, sentence: String) {
    #expect(run(text, ends: true) == sentence)
    #expect(run(text, split: 1, ends: true) == sentence)
  }

  @Test(
    "anything but HTTP/1.1 is an error",
    arguments: [
      "SSH-2.0-x\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nA B: c\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "\u{16}\u{3}\u{1}\u{0}",
    ])
  func nonsense(text: String) {
    #expect(run(text, ends: true).hasPrefix("invalid HTTP/1.1 response"))
    #expect(run(text, split: 1, ends: true).hasPrefix("invalid HTTP/1.1 response"))
  }

  @Test("the head is limited in bytes and fields, including endless blanks")
  func headLimits() {
    let long = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n"
    let blank = "HTTP/1.1 200 OK\r\nX: \(String(repeating: " ", count: 20_000))"
    let many = "HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 101))\r\n"

    #expect(run(long) == "the response head is too large")
    #expect(run(long, split: 100) == "the response head is too large")
    #expect(run(blank, split: 100) == "the response head is too large")
    #expect(run(many) == "the response has too many header fields")
  }

  @Test("only the beginning of a long body is read", arguments: [nil, 1, 5])
  func bodyLimit(split: Int?) {
    var limits = Limits()
    limits.body = 4
    let known = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabcdefgh"
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n6\r\ncdefgh"

    #expect(run(known, split: split, limits: limits) == "200 [Content-Length=1000000] abcd")
    #expect(run(chunked, split: split, limits: limits) == "200 [Transfer-Encoding=chunked] abcd")
  }
}
