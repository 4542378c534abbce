import Basics
import HTTP
import JSON
import Testing

@testable import Compare

@Suite("Compare · recordings")
struct RecordingTests {
  private static let uri = "https://api.provider.example/v1/codes?a=1"

  private func read(_ text: String) throws -> Recording {
    try Recording(Array(text.utf8)) { $0 == "api.provider.example" }
  }

  /// A cassette with one interaction; the arguments are JSON.
  private func cassette(
    request: String = #"{"method":"POST","uri":"\#(uri)","headers":{"A":["1"]},"body":"x=1"}"#,
    status: String = #"{"code":201,"message":"Created"}"#, headers: String = "{}",
    body: String = #"{"string":"ok"}"#
  ) -> String {
    """
    {"version":1,"interactions":[{"request":\(request),
    "response":{"status":\(status),"headers":\(headers),"body":\(body)}}]}
    """
  }

  private func archive(
    request: String = #"{"method":"GET","url":"\#(uri)","headers":[{"name":":method","value":"GET"}]}"#,
    response: String = #"{"status":200,"headers":[],"content":{"size":2,"text":"b2s=","encoding":"base64"}}"#,
    started: String = "2026-01-05T10:20:30.412+02:00"
  ) -> String {
    #"{"log":{"entries":[{"startedDateTime":"\#(started)","request":\#(request),"response":\#(response)}]}}"#
  }

  @Test("an interaction of a cassette")
  func readsCassettes() throws {
    let recording = try read(cassette(headers: #"{"date":["Mon, 05 Jan 2026 10:20:30 GMT"],"B":"2"}"#))
    let entry = try #require(recording.entries.first)

    let request = try entry.request()
    #expect(request.method == .post)
    #expect(request.target.text == "/v1/codes?a=1")
    #expect(request.host == "api.provider.example")
    #expect(request.headers["A"] == "1")
    #expect(request.body == Array("x=1".utf8))
    #expect(entry.answer.status == 201)
    #expect(entry.answer.headers["B"] == "2")
    #expect(entry.answer.text == "ok")
    #expect(recording.start?.iso8601 == "2026-01-05T10:20:30Z")
  }

  @Test("an entry of a HAR file")
  func readsArchives() throws {
    let recording = try read(archive())
    let entry = try #require(recording.entries.first)

    #expect(try entry.request().headers.count == 1)
    #expect(entry.answer.text == "ok")
    #expect(recording.start?.iso8601Exact == "2026-01-05T08:20:30.412Z")
  }

  @Test("the server's clock wins over the client's")
  func prefersServerTime() throws {
    let header = #"[{"name":"Date","value":"Mon, 05 Jan 2026 09:00:00 GMT"}]"#
    let recording = try read(
      archive(response: #"{"status":200,"headers":\#(header),"content":{"size":5}}"#))

    #expect(recording.start?.iso8601 == "2026-01-05T09:00:00Z")
    #expect(recording.entries.first?.answer.body == nil, "a body that was not recorded is unknown, not empty")
  }

  @Test("requests to other hosts, and those without an answer, are counted")
  func countsOthers() throws {
    let other = try read(cassette(request: #"{"method":5,"uri":"https://other.example/"}"#))
    #expect(other.entries.isEmpty)
    #expect(other.foreignCount == 1)
    #expect(try read(archive(request: #"{"url":"data:text/plain,a"}"#)).foreignCount == 1)
    #expect(try read(archive(response: #"{"status":0}"#)).unansweredCount == 1)
  }

  @Test("a body in Base64, a missing one, and a text without an object")
  func readsBodies() throws {
    #expect(try read(cassette(body: #"{"base64_string":"b2s="}"#)).entries[0].answer.text == "ok")
    #expect(try read(cassette(body: "null")).entries[0].answer.text == "")
    #expect(try read(cassette(body: "{}")).entries[0].answer.text == nil)
    #expect(try read(archive(response: #"{"status":200,"content":{}}"#)).entries[0].answer.text == nil)
    #expect(try read(archive(response: #"{"status":200,"content":{"size":0}}"#)).entries[0].answer.text == "")
    #expect(try read(cassette(body: #""ok""#)).entries[0].answer.text == "ok")
  }

  @Test(
    "an error names entry and member",
    arguments: [
      ("[]", "$: expected an object; found an array"),
      ("{", #"$: expected a member name in double quotes at byte 1; found the end"#),
      ("{}", "$: expected log, as in HAR, or interactions, as in VCR's cassettes; found neither"),
      ("interactions:\n- a", "$.version: missing; expected an integer"),
      (#"{"interactions":[],"version":2}"#, "$.version: expected 1; found 2"),
      (#"{"interactions":[{}],"version":1}"#, "$.interactions[0].request: missing; expected an object"),
      (#"{"log":{}}"#, "$.log.entries: missing; expected an array of objects"),
    ])
  func namesMember(file: String, error: String) {
    #expect(throws: FieldError.self) { try read(file) }
    #expect(message(of: file) == error)
  }

  @Test("an error of one entry names it")
  func namesEntry() {
    #expect(
      message(of: cassette(status: #"{"code":"200"}"#))
        == #"$.interactions[0].response.status.code: expected an integer; found "200""#)
    #expect(
      message(of: cassette(status: #"{"code":20}"#))
        == "$.interactions[0].response.status.code: expected a status from 100 to 599; found 20")
    #expect(
      message(of: cassette(headers: #"{"A":1}"#))
        == "$.interactions[0].response.headers.A: expected a string, or an array of strings; found 1")
    #expect(
      message(of: cassette(body: #"{"base64_string":"?"}"#))
        == "$.interactions[0].response.body.base64_string: expected Base64; found another text")
    #expect(
      message(of: archive(started: "yesterday"))
        == #"$.log.entries[0].startedDateTime: expected a time such as 2026-01-05T10:20:30.412Z; found "yesterday""#
    )
  }

  @Test("a cassette in YAML, of Python and of Ruby")
  func readsYAML() throws {
    let python = """
      interactions:
      - request:
          body: !!binary |
            eD0x
          headers:
            A:
            - '1, it''s
              two'
          method: POST
          uri: \(Self.uri)
        response:
          body:
            string: "{\\"a\\": \\"caf\\xE9\\",\\
              \\ \\"b\\": 1}"
          headers: {}
          status:
            code: 201
            message: Created
      version: 1
      """
    let entry = try #require(try read(python).entries.first)
    #expect(entry.body == Array("x=1".utf8))
    #expect(try entry.request().headers["A"] == "1, it's two")
    #expect(entry.answer.text == #"{"a": "café", "b": 1}"#)
    let ruby = """
      ---
      http_interactions:
      - request:
          method: post
          uri: \(Self.uri)
          body:
            encoding: US-ASCII
            string: x=1
        response:
          status:
            code: 200
          body:
            encoding: UTF-8
            string: |-
              a

               b
      recorded_with: VCR 6.1.0
      """
    let other = try #require(try read(ruby).entries.first)
    #expect(try other.request().method == .post)
    #expect(other.answer.text == "a\n\n b")
    #expect(message(of: "---\ninteractions: [1]") == "line 2: expected block style; found something else")
    let tags = String(repeating: "!!binary ", count: 100_000)
    #expect(message(of: "---\ninteractions: \(tags)") == "line 2: expected Base64; found something else")
  }

  @Test("a request that no client can send is refused, and so is a header that ends its line")
  func refusesImpossibleRequests() {
    for headers in [#"{"A b":"1"}"#, #"{"A":"1\r\nB: 2"}"#] {
      let request = #"{"method":"GET","uri":"\#(Self.uri)","headers":\#(headers)}"#
      #expect(message(of: cassette(request: request)).hasPrefix("$.interactions[0].request: expected"))
    }
    let method = #"{"method":"BREW","uri":"\#(Self.uri)"}"#
    #expect(message(of: cassette(request: method)).contains("The method is not known here."))
    let url = "https://api.provider.example/\(String(repeating: "s", count: 3000))"
    let long = message(of: cassette(request: #"{"method":"GET","uri":"\#(url)"}"#))
    #expect(long.hasSuffix("found another one of 3029 bytes"), "\(long)")
  }

  @Test("a compressed answer is refused")
  func refusesCompression() {
    #expect(message(of: cassette(body: #"{"base64_string":"H4sIAAAA"}"#)).contains("without compression"))
  }

  @Test("limits: 5000 requests to providers, 64 MiB")
  func limits() {
    let one = #"{"request":{"method":"GET","uri":"\#(Self.uri)"},"response":{"status":{"code":200}}}"#
    let many = { Array(repeating: one, count: $0).joined(separator: ",") }
    let full = { #"{"version":1,"interactions":[\#(many($0))]}"# }
    #expect(throws: Never.self) { try read(full(5000)) }
    #expect(
      message(of: full(5001))
        == "$.interactions[5000].request: expected at most 5000 requests to providers; found more")
    let large = [UInt8](repeating: 0x20, count: (64 << 20) + 1)
    #expect(throws: FieldError.self) { try Recording(large) { _ in true } }
  }

  private func message(of file: String) -> String {
    do {
      _ = try read(file)
      return "no error"
    } catch {
      return "\(error)"
    }
  }
}
