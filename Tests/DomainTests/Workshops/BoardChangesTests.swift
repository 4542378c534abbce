import Testing

@testable import Domain

@Suite("Domain · changes of boards")
struct BoardChangesTests {
  private var changes = BoardChanges(afterStarts: 3)

  @Test("a page gets the rows of its workshop that changed after the count that it knows, in order")
  mutating func rows() {
    let start = changes.count
    changes.markRow(7, of: 1)
    changes.markRow(2, of: 1)
    let known = changes.count
    changes.markRow(5, of: 2)
    changes.markRow(7, of: 1)

    #expect(changes.update(of: 1, after: start) == .rows([2, 7]))
    #expect(changes.update(of: 1, after: known) == .rows([7]))
    #expect(changes.update(of: 2, after: known) == .rows([5]))
    #expect(changes.update(of: 3, after: start) == .nothing)
    #expect(changes.update(of: 1, after: changes.count) == .nothing)
  }

  @Test("the time is news for every board, without rows")
  mutating func clock() {
    changes.markRow(1, of: 1)
    let known = changes.count
    changes.markClock()

    #expect(changes.update(of: 1, after: known) == .rows([]))
    #expect(changes.update(of: 2, after: known) == .rows([]))
    #expect(changes.update(of: 1, after: changes.count) == .nothing)
  }

  @Test("after other participants everything is new, and rows from then on")
  mutating func all() {
    changes.markRow(1, of: 1)
    let known = changes.count
    changes.markAll()
    let after = changes.count
    changes.markRow(2, of: 1)

    #expect(changes.update(of: 1, after: known) == .everything)
    #expect(changes.update(of: 1, after: after) == .rows([2]))
  }

  @Test("a count of an earlier start, or of no start, gets everything")
  mutating func unknown() {
    var earlier = BoardChanges(afterStarts: 2)
    earlier.markRow(1, of: 1)
    changes.markRow(1, of: 1)

    for known in [earlier.count, 0, -1, changes.count + 1, Int.max, Int.min] {
      #expect(changes.update(of: 1, after: known) == .everything, "\(known)")
    }
  }
}
