import HTTP
import Testing
import Wire

@testable import Server

@Suite("Server · long turns of the event loop")
struct TurnWatchTests {
  private func request(_ path: String) -> Request { Request(.get, Target(path: path)) }

  @Test("a slow turn names its slowest request")
  func slow() throws {
    var watch = TurnWatch(slow: 50)

    watch.answered(request("/a"), at: 1_010, inTurnOf: 1_000)
    watch.answered(request("/b"), at: 1_090, inTurnOf: 1_000)
    watch.answered(request("/c"), at: 1_100, inTurnOf: 1_000)
    let ended = watch.end(of: 1_000, after: 104, worked: 0)
    let turn = try #require(ended)

    #expect(turn.duration == .milliseconds(104) && turn.isSlow && turn.requests == 3)
    #expect(turn.slowest?.request.target.path == "/b" && turn.slowest?.duration == .milliseconds(80))
  }

  @Test("only turns that are slow or longer than all before are returned")
  func longest() {
    var watch = TurnWatch(slow: 50)

    let durations: [UInt64] = [3, 2, 3, 10, 49, 50, 49, 60, 50, 5]
    let turns = durations.enumerated().map {
      watch.end(of: UInt64(1 + $0.offset), after: $0.element, worked: 0)
    }

    #expect(turns.map { $0?.isSlow } == [false, nil, nil, false, false, true, nil, true, true, nil])
  }

  @Test("a turn does not report the requests of an earlier one")
  func stale() throws {
    var watch = TurnWatch(slow: 50)

    watch.answered(request("/a"), at: 1_040, inTurnOf: 1_000)
    let ended = watch.end(of: 1_200, after: 70, worked: 0)
    let turn = try #require(ended)

    #expect(turn.requests == 0 && turn.slowest == nil)
  }

  @Test("a turn has the time in which its thread waited", arguments: [(0, 70), (30, 40), (70, 0), (74, 0)])
  func waited(worked: UInt64, expected: Int64) throws {
    var watch = TurnWatch(slow: 50)

    let ended = watch.end(of: 1_000, after: 70, worked: worked)

    #expect(try #require(ended).waited == .milliseconds(expected))
  }

  @Test("a clock that is a little late does no harm")
  func late() throws {
    var watch = TurnWatch(slow: 50)

    watch.answered(request("/a"), at: 998, inTurnOf: 1_000)
    watch.answered(request("/b"), at: 1_062, inTurnOf: 1_000)
    let ended = watch.end(of: 1_000, after: 62, worked: 0)
    let turn = try #require(ended)

    #expect(turn.slowest?.request.target.path == "/b" && turn.slowest?.duration == .milliseconds(62))
  }

  @Test("the server reports the turn of a slow request")
  func server() throws {
    let server = try TestServer { request in
      // Work that depends on no clock, and takes far longer than a turn usually does.
      let work = (0..<(request.target.path == "/slow" ? 5_000_000 : 0)).reduce(0) { $0 &+ $1.nonzeroBitCount }
      return .now(.text(200, "\(work)"))
    }
    let client = try server.client()

    try client.send(get("/slow"))
    _ = try client.receiveAnswer()
    try client.send(get("/"))
    _ = try client.receiveAnswer()

    #expect(server.sync { $0.turns.contains { $0.slowest?.request.target.path == "/slow" } })
    #expect(server.end())
  }
}
