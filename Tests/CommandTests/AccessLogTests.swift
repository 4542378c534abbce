import Basics
import HTTP
import Testing

@testable import ringfence

@Suite("Access log")
struct AccessLogTests {
  private func entry(_ request: Request?, bytes: Int? = 12, status: Status = 200) -> AccessLog.Entry {
    AccessLog.Entry(
      time: Timestamp(milliseconds: 1_767_608_430_123), request: request, peer: "192.0.2.7:4711",
      version: "HTTP/1.1", status: status, bytes: bytes, duration: .milliseconds(3))
  }

  @Test("a line of what was no request")
  func nothing() {
    #expect(
      entry(nil, status: 400).combined == """
        192.0.2.7 - - [05/Jan/2026:10:20:30 +0000] "-" 400 12 "-" "-"

        """)
    #expect(
      String(decoding: entry(nil, status: 400).json, as: UTF8.self)
        == #"{"time":"2026-01-05T10:20:30.123Z","client":"192.0.2.7","method":null,"host":null,"target":null,"#
        + #""protocol":"HTTP/1.1","status":400,"bytes":12,"milliseconds":3,"referrer":null,"userAgent":null,"#
        + #""traceparent":null,"sandbox":null,"provider":null,"route":null}"#)
  }

  @Test("what a client sends cannot end its field or its line")
  func escaped() {
    let request = Request(
      .get, Target("/a\"b"), headers: ["User-Agent": "x\" 200\n\u{e9}\\"], peer: "[2001:db8::1]:80")

    #expect(
      entry(request, bytes: nil).combined == #"""
        2001:db8::1 - - [05/Jan/2026:10:20:30 +0000] "GET /a\x22b HTTP/1.1" 200 - "-" "x\x22 200\xC3\xA9\x5C"

        """#)
  }

  @Test("secrets in a query are masked, also before a sandbox is known")
  func masked() {
    let request = Request(
      .get, Target("/console/sign-in?token=12345678&a=1"), headers: ["Referer": "http://a/?q=1#x"])

    #expect(entry(request).combined.contains(#""GET /console/sign-in?token=********&a=1 HTTP/1.1""#))
    #expect(entry(request).combined.contains(#" "http://a/" "#))
  }
}
