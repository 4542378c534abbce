import Domain
import Testing

@Suite("Domain · journal")
struct JournalTests {
  @Test("exchanges are numbered from one in the order they came")
  func numbering() {
    let journal = journal(capacity: 10, after: 3)

    #expect(journal.exchanges.map { "\($0.ordinal) \($0.target)" } == ["1 /1", "2 /2", "3 /3"])
  }

  @Test(
    "a full journal forgets the oldest",
    arguments: [(3, [1, 2, 3]), (4, [2, 3, 4]), (6, [4, 5, 6]), (8, [6, 7, 8])])
  func ring(count: Int, ordinals: [Int]) {
    let journal = journal(capacity: 3, after: count)

    #expect(journal.exchanges.map(\.ordinal) == ordinals)
    #expect(journal.exchanges.map(\.target) == ordinals.map { "/\($0)" })
  }

  @Test("a journal keeps a thousand exchanges unless told otherwise")
  func usualCapacity() {
    let journal = Journal()

    for number in 1...1001 { journal.record(exchange(number)) }

    #expect([journal.exchanges.count, journal.exchanges[0].ordinal] == [1000, 2])
  }

  @Test("an emptied journal numbers from one again")
  func clearing() {
    let journal = journal(capacity: 3, after: 5)

    journal.clear()
    journal.record(exchange(9))

    #expect(journal.exchanges.map { "\($0.ordinal) \($0.target)" } == ["1 /9"])
  }

  private func journal(capacity: Int, after count: Int) -> Journal {
    let journal = Journal(capacity: capacity)
    for number in 1...count { journal.record(exchange(number)) }
    return journal
  }

  private func exchange(_ number: Int) -> Journal.Exchange {
    Journal.Exchange(
      at: Timestamp(milliseconds: 0), owner: "acme", route: nil, method: "GET", target: "/\(number)",
      requestHead: [], requestBody: [], status: 200, responseHead: [], responseBody: [], why: nil, unread: [],
      nearest: [])
  }
}
