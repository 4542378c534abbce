/// When each row of the boards changed, so that an open page gets only the rows that did.
///
/// ```
/// row 3 is saved: count 17      a page that knows 16 gets row 3      one that knows 17 gets nothing
/// ```
/// A page needs only the count that it knows. Here is one number for each participant who has changed.
struct BoardChanges {
  /// Grows with every change of any board.
  private(set) var count: Int
  /// The count after the last change of which workshops and participants there are. A page that knows an
  /// earlier one is out of date as a whole.
  private var oldest: Int
  /// The count after the last change of the time of boards.
  private var clock: Int
  /// By the workshop's id and the participant's position: the count after the last change.
  private var rows: [Int: [Int: Int]] = [:]

  init(afterStarts starts: Int = 0) {
    count = ChangeCounts.first(afterStarts: starts)
    (oldest, clock) = (count, count)
  }

  mutating func markRow(_ position: Int, of workshop: Int) {
    count += 1
    rows[workshop, default: [:]][position] = count
  }

  mutating func markClock() {
    count += 1
    clock = count
  }

  mutating func markAll() {
    count += 1
    oldest = count
    rows = [:]
  }

  func update(of workshop: Int, after known: Int) -> BoardUpdate {
    guard oldest...count ~= known else { return .everything }
    let changed = rows[workshop, default: [:]].filter { $0.value > known }.keys.sorted()
    return changed.isEmpty && clock <= known ? .nothing : .rows(changed)
  }
}

/// What is new on a board for a page that knows an earlier state.
package enum BoardUpdate: Equatable, Sendable {
  case nothing
  /// The rows of the participants at these positions; none if only the time has changed.
  case rows([Int])
  /// The page may have other participants, or may be of an earlier start of the server.
  case everything
}
