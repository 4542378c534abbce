import Basics

/// The times at which sandboxes have work for the event loop, on the machine's clock.
///
/// A heap, so that a change costs the same with one sandbox and with thousands. A sandbox may be due later
/// than its time here, because requests move the end of its life without a notice: ask the first one again.
struct DueTimes {
  struct Entry: Equatable {
    let time: Timestamp
    /// The sandbox's id.
    let sandbox: Int
  }

  /// Each entry is due no later than those at 2n + 1 and 2n + 2. Those that do not count any more stay until
  /// they come first.
  private var heap: [Entry] = []
  /// The time that counts, by the sandbox's id.
  private var times: [Int: Timestamp] = [:]

  /// Nil: there will be no work.
  mutating func set(_ time: Timestamp?, of sandbox: Int) {
    guard times[sandbox] != time else { return }
    times[sandbox] = time
    guard let time else { return }
    if heap.count > 2 * times.count + Self.slack { removeOutdated() }
    heap.append(Entry(time: time, sandbox: sandbox))
    moveUp(heap.count - 1)
  }

  private static let slack = 64

  var first: Entry? {
    mutating get {
      while let first = heap.first, times[first.sandbox] != first.time { removeTop() }
      return heap.first
    }
  }

  /// Removes the sandboxes that are due by a time. Returns their ids, first the one that is due first.
  mutating func removeAll(dueBy time: Timestamp) -> [Int] {
    var due: [Int] = []
    while let first, first.time <= time {
      due.append(first.sandbox)
      times[first.sandbox] = nil
    }
    return due
  }

  private mutating func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var index = 0
    while let next = [2 * index + 1, 2 * index + 2].filter({ $0 < heap.count }).min(by: { isBefore($0, $1) }),
      isBefore(next, index)
    {
      heap.swapAt(index, next)
      index = next
    }
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0, isBefore(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func removeOutdated() {
    // Sorted, so that it is a heap.
    heap = times.map { Entry(time: $1, sandbox: $0) }.sorted { $0.time < $1.time }
  }

  private func isBefore(_ index: Int, _ other: Int) -> Bool { heap[index].time < heap[other].time }
}
