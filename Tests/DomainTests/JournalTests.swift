import Basics
import Domain
import Testing

@Suite("Domain · journal")
struct JournalTests {
  @Test("requests are numbered from one, in order")
  func numbering() {
    let journal = journal(capacity: 10, after: 3)

    #expect(journal.exchanges.map { "\($0.ordinal) \($0.target)" } == ["1 /1", "2 /2", "3 /3"])
  }

  @Test(
    "a full journal drops the oldest entries",
    arguments: [(3, [1, 2, 3]), (4, [2, 3, 4]), (6, [4, 5, 6]), (8, [6, 7, 8])])
  func ring(count: Int, ordinals: [Int]) {
    let journal = journal(capacity: 3, after: count)

    #expect(journal.exchanges.map(\.ordinal) == ordinals)
    #expect(journal.exchanges.map(\.target) == ordinals.map { "/\($0)" })
  }

  @Test("a journal keeps a thousand entries by default")
  func usualCapacity() {
    let journal = Journal()

    for number in 1...1001 { journal.record(exchange(number)) }

    #expect([journal.exchanges.count, journal.exchanges[0].ordinal] == [1000, 2])
  }

  @Test("a cleared journal numbers from one again")
  func clearing() {
    let journal = journal(capacity: 3, after: 5)

    journal.clear()
    journal.record(exchange(9))

    #expect(journal.exchanges.map { "\($0.ordinal) \($0.target)" } == ["1 /9"])
  }

  @Test("an entry is read as it was written, on any page")
  func parts() {
    let journal = Journal(capacity: 500)
    let written = (1...700).map { number in
      exchange(number, body: Array(repeating: UInt8(truncatingIfNeeded: number), count: number * 3))
    }
    for exchange in written { journal.record(exchange) }

    let read = journal.exchanges(after: 690)

    #expect(journal.exchanges.count == 500)
    #expect(read.map(\.target) == (691...700).map { "/\($0)" })
    #expect(read.map(\.responseBody) == written[690...].map(\.responseBody))
    #expect(read.map(\.requestHead) == written[690...].map(\.requestHead))
    #expect(journal.last?.ordinal == 700)
  }

  @Test("large bodies leave room for fewer entries, and the newest is always kept")
  func byteLimit() {
    let journal = Journal()
    let quarter = Array(repeating: UInt8(1), count: Journal.byteLimit / 4 - 100)

    for number in 1...6 { journal.record(exchange(number, body: quarter)) }
    let ordinals = journal.exchanges.map(\.ordinal)
    journal.record(exchange(7, body: Array(repeating: 2, count: Journal.byteLimit * 2)))

    #expect(ordinals == [3, 4, 5, 6])
    #expect(journal.exchanges.map(\.ordinal) == [7])
  }

  private func journal(capacity: Int, after count: Int) -> Journal {
    let journal = Journal(capacity: capacity)
    for number in 1...count { journal.record(exchange(number)) }
    return journal
  }

  private func exchange(_ number: Int, body: [UInt8] = []) -> Journal.Exchange {
    Journal.Exchange(
      at: Timestamp(milliseconds: 0), owner: "acme", route: nil, method: "GET", target: "/\(number)",
      requestHead: Array("Number: \(number)\r\n".utf8), requestBody: [], status: 200, responseHead: [],
      responseBody: body, why: nil, unread: [], nearest: [])
  }
}
