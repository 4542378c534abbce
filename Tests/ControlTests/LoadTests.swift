import Domain
import HTTP
import JSON
import Support
import Testing

/// Latency and request limits, as requests see them.
@Suite("Control · load")
struct LoadTests {
  let desk: Desk

  init() throws { desk = try Desk() }

  private func put(_ list: String, _ rule: String) throws {
    let answer = try desk.ask("PUT /control/\(list)", #"{"\#(list)":[\#(rule)]}"#)
    #expect(answer.hasPrefix("200"))
  }

  /// The delays of so many answers, in milliseconds.
  private func delays(_ count: Int, _ line: String = "GET /things/v1/things/a") -> [Int] {
    (0..<count).map { _ in desk.wait(line)?.delay.map { Int($0.milliseconds) } ?? 0 }
  }

  private func advance(_ span: String) throws {
    _ = try desk.respond("POST /control/clock", #"{"advance":"\#(span)"}"#)
  }

  @Test("answers of a provider or a route wait for the median, others do not")
  func constant() throws {
    try put("latency", #"{"provider":"acme","route":"fetchThing","medianMs":180}"#)

    #expect(delays(2) == [180, 180])
    #expect(delays(1, "POST /calls/v1/calls") == [0])
    #expect(delays(1, "GET /control/latency") == [0])
  }

  @Test("half of the answers take up to the median, and one of a hundred more than the 99th percentile")
  func distribution() throws {
    try put("latency", #"{"medianMs":200,"p99Ms":900}"#)

    let sorted = delays(2000).sorted()

    #expect((190...210).contains(sorted[1000]))
    #expect((800...1000).contains(sorted[1980]))
    #expect((sorted.first ?? 0) > 5 && (sorted.last ?? 0) < 4000)
  }

  @Test("the times are the same for the same random seed, and others for another")
  func seed() throws {
    func times(seed: Int) throws -> [Int] {
      _ = try desk.respond("PUT /control/entropy", #"{"entropySeed":\#(seed)}"#)
      try put("latency", #"{"medianMs":200,"p99Ms":900}"#)
      return delays(5)
    }

    let first = try times(seed: 1)

    #expect(Set(first).count == 5)
    #expect(try times(seed: 1) == first)
    #expect(try times(seed: 2) != first)
  }

  @Test("the first matching rule decides, and a fault's latency is added")
  func order() throws {
    try put("latency", #"{"route":"fetchThing","medianMs":50},{"medianMs":70}"#)
    try put("faults", #"{"latencyMs":1000}"#)

    #expect(delays(1) == [1050])
    #expect(delays(1, "POST /calls/v1/calls") == [1070])
  }

  @Test("requests beyond a limit get the provider's 429, until the sandbox's clock allows more")
  func limit() throws {
    try put("limits", #"{"provider":"acme","requestsPerSecond":2}"#)

    let answers = try (0..<3).map { _ in try desk.ask("GET /things/v1/things/a") }
    try advance("500ms")
    let later = try (0..<2).map { _ in try desk.respond("GET /things/v1/things/a").status.code }

    #expect(answers[1].hasPrefix("200") && answers[2] == "429 acme: fault -")
    #expect(later == [200, 429])
    #expect(
      try desk.newestExchange()["why"]?.text
        == "too many requests: limit 1: acme answers 429 to more than 2 requests a second (/control/limits)")
    #expect(try desk.ask("GET /control/limits").contains(#""applied":2"#))
  }

  @Test("routes count together, or each for itself")
  func scope() throws {
    let lines = ["GET /things/v1/things/a", "POST /calls/v1/calls", "POST /calls/v1/calls"]
    func statuses(_ limit: String) throws -> [Int] {
      try put("limits", limit)
      return try lines.map { try desk.respond($0).status.code }
    }

    #expect(try statuses(#"{"requestsPerSecond":1}"#) == [200, 429, 429])
    #expect(try statuses(#"{"route":"callThing","requestsPerSecond":1}"#) == [200, 201, 429])
    #expect(try statuses(#"{"provider":"twilio","requestsPerSecond":1}"#) == [200, 201, 201])
  }

  @Test("a request counts once for each limit that it matches, also if limits are equal")
  func equalLimits() throws {
    try put(
      "limits",
      #"{"requestsPerSecond":2},{"provider":"acme","requestsPerSecond":2},{"requestsPerSecond":2}"#)

    let statuses = try (0..<3).map { _ in try desk.respond("GET /things/v1/things/a").status.code }

    #expect(statuses == [200, 200, 429])
  }

  @Test("a request that fails counts too")
  func failures() throws {
    try put("limits", #"{"requestsPerSecond":1}"#)

    #expect(try desk.respond("POST /things/v1/broken").status == 500)
    #expect(try desk.respond("GET /things/v1/things/a").status == 429)
  }

  @Test("the control API has no latency and no limits")
  func ownRequests() throws {
    try put("limits", #"{"requestsPerSecond":1}"#)

    #expect(try (0..<3).allSatisfy { _ in try desk.respond("GET /control/clock").status == 200 })
  }

  @Test("seeds load the rules, and exports have them")
  func seeds() throws {
    let rules =
      #""latency":[{"provider":"acme","route":null,"medianMs":180,"p99Ms":900}],"#
      + #""limits":[{"provider":null,"route":null,"requestsPerSecond":50}]"#

    #expect(try desk.respond("POST /control/seed", "{\(rules)}").status.code < 300)

    let export = try desk.ask("GET /control/sandboxes/default/export")
    #expect(export.contains(rules))
  }

  @Test("rules that can never act are errors")
  func mistakes() throws {
    #expect(
      try desk.ask("PUT /control/latency", #"{"latency":[{"medianMs":200,"p99Ms":100}]}"#)
        == #"400 {"error":"$.latency[0].p99Ms: expected medianMs or more; found 100","field":"$.latency[0].p99Ms"}"#
    )
    #expect(
      try desk.ask("PUT /control/limits", #"{"limits":[{"provider":"acmee","requestsPerSecond":1}]}"#)
        .contains(#"did you mean \"acme\"?"#))
  }
}
