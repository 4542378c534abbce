import Basics
import HTTP
import Testing

@testable import Compare

@Suite("Compare · comparison")
struct ComparisonTests {
  private static let now = Timestamp(milliseconds: 1_767_608_430_000)
  private static let first = "VE0123456789abcdef0123456789abcdef"
  private static let second = "VEfedcba9876543210fedcba9876543210"

  private func answer(_ body: String, status: Int = 200, headers: Headers = [:]) -> RecordedAnswer {
    RecordedAnswer(
      status: status, headers: headers.pairs.map { Recording.Header(name: $0.name, value: $0.value) },
      body: Array(body.utf8))
  }

  /// `place: kind: recorded / own` of each difference.
  private func differences(
    _ recorded: RecordedAnswer, _ own: RecordedAnswer, ids: IdMap = IdMap()
  ) -> [String] {
    Comparison(recorded, own, ids: ids, now: Self.now).differences.map {
      "\($0.place): \($0.kind.rawValue): \($0.recorded ?? "-") / \($0.own ?? "-")"
    }
  }

  private func differences(_ recorded: String, _ own: String) -> [String] {
    differences(answer(recorded), answer(own))
  }

  @Test(
    "each kind of difference in a body",
    arguments: [
      (#"{"a":1}"#, #"{}"#, "$.a: missing: 1 / -"),
      (#"{}"#, #"{"a":{"b":null}}"#, #"$.a: extra: - / {"b":null}"#),
      (#"{"a":"1"}"#, #"{"a":1}"#, "$.a: type: a text: 1 / a number: 1"),
      (#"{"a":null}"#, #"{"a":{}}"#, "$.a: type: null / an object"),
      (#"{"a":{"b":["x"]}}"#, #"{"a":{"b":["y"]}}"#, "$.a.b[0]: text: x / y"),
      (#"{"a":1}"#, #"{"a":2}"#, "$.a: number: 1 / 2"),
      (#"{"a":1.5}"#, #"{"a":1}"#, "$.a: number: 1.5 / 1"),
      (#"{"a":true}"#, #"{"a":false}"#, "$.a: number: true / false"),
      (#"[1,2]"#, #"[1]"#, "$: count: 2 / 1"),
      (#"{"a":1}"#, "", "$: type: an object / no body"),
      ("a", "b", "$: text: a / b"),
    ])
  func kinds(recorded: String, own: String, difference: String) {
    #expect(differences(recorded, own) == [difference])
  }

  @Test("status and the headers that clients act on")
  func head() {
    let recorded = answer(
      "", status: 201,
      headers: ["Content-Type": "application/json;charset=utf-8", "Allow": "GET", "Via": "1"])
    let own = answer("", headers: ["content-type": "application/json; charset=utf-8", "Retry-After": "3"])

    #expect(
      differences(recorded, own) == [
        "status: status: 201 / 200", "header Retry-After: extra: - / 3", "header Allow: missing: GET / -",
      ])
  }

  @Test("without recorded headers, none are compared")
  func noHeaders() {
    #expect(differences(answer("a"), answer("a", headers: ["Content-Type": "text/plain"])) == [])
  }

  @Test("times may differ by seconds, but not in format")
  func times() {
    #expect(differences(#"["2026-01-05T10:20:30Z"]"#, #"["2026-01-05T10:20:34Z"]"#) == [])
    #expect(
      differences(#"["2026-01-05T10:20:30Z"]"#, #"["2026-01-05T10:20:37Z"]"#)
        == ["$[0]: time: 2026-01-05T10:20:30Z / 2026-01-05T10:20:37Z"])
    #expect(
      differences(#"["2026-01-05T10:20:30Z"]"#, #"["2026-01-05T10:20:30.000Z"]"#)
        == ["$[0]: time format: 2026-01-05T10:20:30Z / 2026-01-05T10:20:30.000Z"])
    #expect(
      differences(#"["Mon, 05 Jan 2026 10:20:30 +0000"]"#, #"["Tue, 06 Jan 2026 10:20:30 +0000"]"#)
        == ["$[0]: time: Mon, 05 Jan 2026 10:20:30 +0000 / Tue, 06 Jan 2026 10:20:30 +0000"])
    #expect(differences("[1767608430]", "[1767608432]") == [])
    #expect(differences("[1767608430]", "[1767608530]") == ["$[0]: time: 1767608430 / 1767608530"])
  }

  @Test("an id of the same form is learnt, also in a URL")
  func ids() {
    let recorded = #"{"sid":"\#(Self.first)","url":"https://a.example/\#(Self.first)"}"#
    let own = #"{"sid":"\#(Self.second)","url":"https://a.example/\#(Self.second)"}"#
    let comparison = Comparison(answer(recorded), answer(own), ids: IdMap(), now: Self.now)

    #expect(comparison.differences == [])
    #expect(comparison.ids.replacing(in: "/\(Self.first).json") == "/\(Self.second).json")
  }

  @Test("an id that stands for another one is a difference, and so is one of another form")
  func otherIDs() {
    let third = "VE00000000000000000000000000000001"
    #expect(
      differences(#"["\#(Self.first)","\#(Self.first)"]"#, #"["\#(Self.second)","\#(third)"]"#)
        == ["$[1]: id: \(Self.first) / \(third)"])
    #expect(
      differences(#"["\#(Self.first)"]"#, #"["VL0123456789abcdef0123456789abcdef"]"#)
        == ["$[0]: id shape: VE and 32 hex digits / VL and 32 hex digits"])
    #expect(
      differences(#"["\#(Self.first)"]"#, #"["3f2504e0-4f89-11d3-9a0c-0305e82c3301"]"#)
        == ["$[0]: id shape: VE and 32 hex digits / a UUID"])
  }

  @Test("words, hosts and codes are no ids")
  func noIDs() {
    let words = [
      "in-progress-2024", "approved", "123456", "+12025550100", "api.provider2.example", "pending_v2",
    ]
    for text in words {
      #expect(ValueShape.id(text) == nil, "\(text)")
    }
  }

  @Test(
    "the forms of ids",
    arguments: [
      ("vrf_01jc0t6fwwfgfsq1md24mhyztj", "vrf_ and 26 small letters and digits"),
      ("3F2504E0-4F89-11D3-9A0C-0305E82C3301", "a UUID in capitals"),
      ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-", "a JWT"),
      ("0123456789ABCDEF0123456789ABCDEF", "32 capitals and digits"),
      ("QmFzZTY0VGV4dA-_QmFzZTY0VGV4dA", "30 letters and digits"),
    ])
  func forms(id: String, form: String) {
    #expect(ValueShape.id(id) == form)
  }

  @Test("the distance counts differences; another status weighs more than all")
  func distance() {
    let base = answer(#"{"a":1,"b":2}"#)
    let near = Comparison(base, answer(#"{"a":2,"b":3}"#), ids: IdMap(), now: Self.now)
    let far = Comparison(base, answer(#"{"a":1,"b":2}"#, status: 404), ids: IdMap(), now: Self.now)

    #expect(near.distance == 2)
    #expect(far.distance > near.distance)
  }
}

@Suite("Compare · ids")
struct IdMapTests {
  private static let (recorded, own) = ("abcdef0123456789", "0123456789abcdef")

  @Test("a pair holds in both directions")
  func pairs() {
    var map = IdMap()
    #expect(map.match(Self.recorded, Self.own) == .same)
    #expect(map.match(Self.recorded, Self.own) == .same)
    #expect(map.match(Self.recorded, "another") == .other)
    #expect(map.match("another", Self.own) == .other)
  }

  @Test("only whole words are replaced")
  func replaces() {
    var map = IdMap()
    _ = map.match(Self.recorded, Self.own)

    #expect(
      map.replacing(in: "/a/\(Self.recorded).json?id=\(Self.recorded)&x=\(Self.recorded)0")
        == "/a/\(Self.own).json?id=\(Self.own)&x=\(Self.recorded)0")
    #expect(map.replacing(in: [0xFF] + Array(Self.recorded.utf8)) == [0xFF] + Array(Self.recorded.utf8))
  }

  @Test("the parts of a text are the text", arguments: ["", "a.b", "..", "/a.json?c", "eyJ.a.b x", "ä.1"])
  func tokens(text: String) {
    #expect(Token.split(text).map(\.text).joined() == text)
  }
}
