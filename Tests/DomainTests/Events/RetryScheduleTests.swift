import Basics
import Domain
import Support
import Testing

@Suite("Domain · retry schedules")
struct RetryScheduleTests {
  let start = TestSandbox.start

  /// The minutes behind the first attempt at which the others are made.
  private func minutes(of schedule: RetrySchedule) -> [Int64] {
    var times: [Timestamp] = [start]
    while let next = schedule.next(after: times.count, at: times[times.count - 1], first: start) {
      times.append(next)
    }
    return times.dropFirst().map { ($0 - start).milliseconds / 60_000 }
  }

  @Test("the provider defines which statuses acknowledge; a missing answer never does")
  func acknowledgements() {
    var strict = RetrySchedule.never
    strict.acknowledgements = 200...200
    let results = [200, 204, 299, 300].map { WebhookAttempt.Result.answered(status: $0, body: "") }

    #expect(results.map(RetrySchedule.never.isAcknowledged) == [true, true, true, false])
    #expect(results.map(strict.isAcknowledged) == [true, false, false, false])
    #expect(!strict.isAcknowledged(by: .unanswered(why: "down")))
    #expect(!strict.isAcknowledged(by: .refused(why: "not there")))
  }

  @Test("pauses double up to the longest one until the span ends")
  func doubling() {
    let schedule = RetrySchedule.doubling(
      from: .seconds(60), upTo: .seconds(12 * 3600), for: .seconds(14 * 86_400))

    let minutes = minutes(of: schedule)

    #expect(minutes.prefix(10) == [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023])
    #expect(zip(minutes.dropFirst(10), minutes.dropFirst(9)).allSatisfy { $0 - $1 == 720 })
    #expect(minutes.last == 19_743)
    #expect(minutes.count == 36)
  }

  @Test("pauses are used in order, and the last one is repeated")
  func list() {
    let schedule = RetrySchedule(pauses: [.seconds(60), .seconds(300)], span: .seconds(1200))

    #expect(minutes(of: schedule) == [1, 6, 11, 16])
  }

  @Test("without a span there is one attempt after each pause, however long the attempts take")
  func pausesOnly() {
    let schedule = RetrySchedule(pauses: [.seconds(60), .seconds(120)])

    #expect(minutes(of: schedule) == [1, 3])
    #expect(schedule.next(after: 2, at: start + .seconds(86_400), first: start) != nil)
  }

  @Test("a schedule of one attempt has no retries")
  func never() {
    #expect(minutes(of: .never) == [])
  }
}
