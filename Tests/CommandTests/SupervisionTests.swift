import HTTP
import Testing

@testable import ringfence

@Suite("Supervision")
struct SupervisionTests {
  @Test("a server that crashes before it is ready is given up after five times")
  func crashesAtStart() {
    var policy = RestartPolicy()
    let decisions = (1...5).map { _ in policy.decide(wasReady: false, hadRequest: false) }

    #expect(
      decisions == [
        .restart(after: .zero), .restart(after: .zero), .restart(after: .zero),
        .restart(after: .milliseconds(100)), .giveUp,
      ])
  }

  @Test("restarts get slower while no request arrives, up to 6.4 seconds")
  func crashesWithoutRequests() {
    var policy = RestartPolicy()
    let decisions = (1...20).map { _ in policy.decide(wasReady: true, hadRequest: false) }

    #expect(decisions[2] == .restart(after: .zero))
    #expect(decisions[3] == .restart(after: .milliseconds(100)))
    #expect(decisions[4] == .restart(after: .milliseconds(200)))
    #expect(decisions[19] == .restart(after: .milliseconds(6400)))
  }

  @Test("a crash after a request is repaired at once, however many there were")
  func crashesWithRequests() {
    var policy = RestartPolicy()
    for _ in 1...20 { _ = policy.decide(wasReady: true, hadRequest: false) }

    #expect(policy.decide(wasReady: true, hadRequest: true) == .restart(after: .zero))
    #expect(policy.decide(wasReady: false, hadRequest: false) == .restart(after: .zero))
  }

  @Test("the status names the request that is being handled")
  func handling() throws {
    let status = try ServerStatus()
    #expect(status.description == "while starting")

    status.phase = .waiting
    #expect(status.description == "before its first request")

    let seen = try ServerStatus(status.descriptor)
    status.begin(Request(.post, Target("/v2/Services/VA1/Verifications?Secret=1")))
    #expect(seen.description == "while handling POST /v2/Services/VA1/Verifications")

    status.name("first", of: "other")
    status.name("create", of: "acme")
    #expect(seen.description == "while handling POST /v2/Services/VA1/Verifications (acme create)")

    status.begin(Request(.post, Target("/v2/Services/VA1/Verifications")))
    status.phase = .committing
    #expect(seen.description == "while saving; the last request was POST /v2/Services/VA1/Verifications")

    status.phase = .waiting
    #expect(seen.description == "between requests; the last one was POST /v2/Services/VA1/Verifications")

    status.recordCrash()
    #expect(seen.description == "while starting")
    #expect(seen.restarts == 1)
  }

  @Test("a long path is cut, and bytes that would disturb a terminal are replaced")
  func longPath() throws {
    let status = try ServerStatus()
    status.begin(Request(.get, Target(path: "/a\u{1B}[2J" + String(repeating: "x", count: 1000))))

    #expect(status.request.hasPrefix("GET /a?[2Jxxx"))
    #expect(status.request.utf8.count == 380)
    status.name(String(repeating: "y", count: 1000), of: "acme")
    #expect(status.request.utf8.count == 480)
  }
}
