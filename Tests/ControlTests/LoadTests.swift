import Basics
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
}
