import Domain
import Support
import Testing

@Suite("Control · clock and entropy")
struct ClockRoutesTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  @Test("the clock shows its mode and time")
  func fetch() throws {
    #expect(try desk.ask("GET /control/clock") == #"200 {"mode":"frozen","now":"2026-01-05T10:20:30Z"}"#)
  }

  @Test(
    "the clock is moved, set, frozen and released",
    arguments: [
      (#"{"advance":"11m"}"#, #"{"mode":"frozen","now":"2026-01-05T10:31:30Z"}"#),
      (#"{"advance":"0s"}"#, #"{"mode":"frozen","now":"2026-01-05T10:20:30Z"}"#),
      (#"{"advanceMs":1500}"#, #"{"mode":"frozen","now":"2026-01-05T10:20:31.500Z"}"#),
      (#"{"set":"2030-01-01T00:00:00.250Z"}"#, #"{"mode":"frozen","now":"2030-01-01T00:00:00.250Z"}"#),
      (
        #"{"set":"2030-01-01T00:00:00.25000000000000000000000001Z"}"#,
        #"{"mode":"frozen","now":"2030-01-01T00:00:00.250Z"}"#
      ),
      (#"{"set":"1970-01-01T00:00:00Z"}"#, #"{"mode":"frozen","now":"1970-01-01T00:00:00Z"}"#),
      (#"{"set":"9998-12-31T23:59:59.999Z"}"#, #"{"mode":"frozen","now":"9998-12-31T23:59:59.999Z"}"#),
      (
        #"{"set":"2030-01-01T00:00:00Z","advance":"1s"}"#,
        #"{"mode":"frozen","now":"2030-01-01T00:00:01Z"}"#
      ),
      (#"{"mode":"real"}"#, #"{"mode":"real","now":"2026-01-05T10:20:30Z"}"#),
      (#"{"mode":"real","advance":"1m"}"#, #"{"mode":"offset","now":"2026-01-05T10:21:30Z"}"#),
      (#"{"mode":"frozen","advance":"1m"}"#, #"{"mode":"frozen","now":"2026-01-05T10:21:30Z"}"#),
    ])
  func set(change: String, clock: String) throws {
    #expect(try desk.ask("POST /control/clock", change) == "200 \(clock)")
    #expect(try desk.ask("GET /control/clock") == "200 \(clock)")
  }

  @Test("due work is done before the clock's answer")
  func dueWork() throws {
    try desk.send()

    _ = try desk.ask("POST /control/clock", #"{"advance":"10m"}"#)

    #expect(
      try desk.sandbox.events.after(0).map(\.kind) == [
        .verificationStarted, .messageSent, .verificationExpired,
      ])
  }

  @Test("a change with one invalid member changes nothing")
  func refusedInPart() throws {
    let answer = try desk.ask(
      "POST /control/clock", #"{"mode":"real","set":"9998-12-31T23:59:59Z","advance":"1d"}"#)

    #expect(
      answer
        == #"400 {"error":"$.advance: expected a step that ends by 9998-12-31T23:59:59.999Z; found a longer one","#
        + #""field":"$.advance"}"#
    )
    #expect(try desk.ask("GET /control/clock") == #"200 {"mode":"frozen","now":"2026-01-05T10:20:30Z"}"#)
  }

  @Test("the random seed is shown and changed")
  func entropy() throws {
    let answers = [
      try desk.ask("GET /control/entropy"), try desk.ask("PUT /control/entropy", #"{"entropySeed":-9}"#),
      try desk.ask("GET /control/entropy"),
    ]

    #expect(answers == [#"200 {"entropySeed":1}"#, #"200 {"entropySeed":-9}"#, #"200 {"entropySeed":-9}"#])
  }
}
