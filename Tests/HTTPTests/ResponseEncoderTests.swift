import HTTP
import Testing

private func encoded(_ response: Response, _ context: ResponseEncoder.Context = .init()) -> String {
  var output: [UInt8] = []
  ResponseEncoder.append(response, for: context, to: &output)
  return String(decoding: output, as: UTF8.self)
}

@Suite("ResponseEncoder")
struct ResponseEncoderTests {
  let answer = Response(201, headers: ["A": "b"], body: Array("hello".utf8))

  @Test("an answer is its status line, its fields, its length and its body")
  func whole() {
    #expect(encoded(answer) == "HTTP/1.1 201 Created\r\nA: b\r\nContent-Length: 5\r\n\r\nhello")
  }

  @Test("an empty body has a length of zero")
  func empty() {
    #expect(encoded(Response(200)) == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
  }

  @Test("HEAD is told the length of the body it does not get")
  func head() {
    #expect(
      encoded(answer, .init(isHead: true)) == "HTTP/1.1 201 Created\r\nA: b\r\nContent-Length: 5\r\n\r\n")
  }

  @Test("a status without a body has neither body nor length", arguments: [204, 304] as [Status])
  func bodiless(_ status: Status) {
    let text = encoded(Response(status, body: [1, 2, 3]))

    #expect(!text.contains("Content-Length") && text.hasSuffix("\r\n\r\n"))
  }

  @Test("the last answer of a connection says so")
  func close() {
    #expect(encoded(Response(200), .init(persists: false)).contains("\r\nConnection: close\r\n\r\n"))
  }

  @Test("an old client is told that the connection stays")
  func keepAlive() {
    #expect(encoded(Response(200), .init(minorVersion: 0)).contains("\r\nConnection: keep-alive\r\n\r\n"))
  }

  @Test("a truncated answer promises its whole length", arguments: [0, 2, 5, 9])
  func truncated(_ count: Int) {
    var response = answer
    response.transport = .truncated(after: count)
    let text = encoded(response)

    #expect(text.contains("Content-Length: 5\r\n\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + "hello".prefix(count)))
  }

  @Test("nothing is sent of an answer that is a reset")
  func reset() {
    var response = answer
    response.transport = .reset

    #expect(encoded(response) == "")
  }

  @Test(
    "lengths are written in full",
    arguments: [1, 9, 10, 99, 100, 12_345])
  func lengths(_ count: Int) {
    let text = encoded(Response(200, body: [UInt8](repeating: 0x61, count: count)))

    #expect(text.contains("Content-Length: \(count)\r\n"))
  }

  @Test("a body in parts is chunks with an end, and empty parts do not end it")
  func chunks() {
    var output: [UInt8] = []
    ResponseEncoder.appendStreamHead(Response(200), for: .init(), to: &output)
    for part in ["hello, ", "", "long enough for two digits"] {
      ResponseEncoder.append(chunk: Array(part.utf8), to: &output)
    }
    ResponseEncoder.appendLastChunk(to: &output)

    #expect(
      String(decoding: output, as: UTF8.self) == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "7\r\nhello, \r\n1a\r\nlong enough for two digits\r\n0\r\n\r\n")
  }
}
