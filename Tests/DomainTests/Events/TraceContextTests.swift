import Testing

@testable import Domain

private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

@Suite("Domain · trace context")
struct TraceContextTests {
  @Test(
    "a valid parent is kept as it is",
    arguments: [
      parent, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff",
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what the future",
    ].map { String($0.prefix { $0 != " " }) })
  func valid(text: String) throws {
    let trace = try #require(TraceContext(parents: [text], states: []))
    #expect(trace.fields == [WebhookRequest.Field("traceparent", text)])
    #expect(TraceContext(column: trace.column) == trace)
  }

  @Test(
    "an invalid parent is none",
    arguments: [
      "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "\(parent)-", "\(parent) ",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
      "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-\r\nX: y",
      "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
  func invalid(text: String) {
    #expect(TraceContext(parents: [text], states: []) == nil)
  }

  @Test("two parents are none")
  func repeated() {
    #expect(TraceContext(parents: [parent, parent], states: []) == nil)
    #expect(TraceContext(parents: [], states: ["a=b"]) == nil)
  }

  @Test(
    "a valid state is kept as it is; several fields are one list",
    arguments: [
      (["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"], "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
      (["a=1", "b=2"], "a=1,b=2"), (["tenant@system=x y", ""], "tenant@system=x y"),
      (["a=1, ,\tb=2"], "a=1, ,\tb=2"),
    ])
  func state(values: [String], joined: String) throws {
    let trace = try #require(TraceContext(parents: [parent], states: values))
    #expect(trace.state == joined)
    #expect(TraceContext(column: trace.column) == trace)
  }

  @Test(
    "an invalid state is dropped alone",
    arguments: [
      "a", "a=", "=1", "A=1", "a=1,a=2", "a=b=c", "a=1\n", "-a=1", ",", String(repeating: "a=1,", count: 200),
      (1...33).map { "k\($0)=1" }.joined(separator: ","),
    ])
  func invalidState(text: String) throws {
    let trace = try #require(TraceContext(parents: [parent], states: [text]))
    #expect(trace.state == nil)
  }

  @Test(
    "a damaged column is none", arguments: ["", "x", "\(parent)\n", "\(parent)\nA=1", "\(parent)\na=1\nb=2"])
  func damaged(column: String) { #expect(TraceContext(column: column) == nil) }
}
