import Basics

/// The times at which sandboxes have work for the event loop, on the machine's clock.
///
/// A sandbox may be due later than its time here, because requests move the end of its life without a notice:
/// ask the first one again.
struct DueTimes {
  struct Entry: Equatable {
    let time: Timestamp
    /// The sandbox's id.
    let sandbox: Int
  }

  /// By the sandbox's id.
  private var times: [Int: Timestamp] = [:]
  /// The first of them while `isFirstKnown`. It is searched when its work is done, not in each turn.
  private var knownFirst: Entry?
  private var isFirstKnown = true

  /// Nil: there will be no work.
  mutating func set(_ time: Timestamp?, of sandbox: Int) {
    guard times[sandbox] != time else { return }
    times[sandbox] = time
    guard isFirstKnown else { return }
    if let time, knownFirst.map({ time < $0.time }) ?? true {
      knownFirst = Entry(time: time, sandbox: sandbox)
    } else if sandbox == knownFirst?.sandbox {
      isFirstKnown = false
    }
  }

  var first: Entry? {
    mutating get {
      if !isFirstKnown {
        knownFirst = times.min { $0.value < $1.value }.map { Entry(time: $0.value, sandbox: $0.key) }
        isFirstKnown = true
      }
      return knownFirst
    }
  }

  /// Removes the sandboxes that are due by a time. Returns their ids, first the one that is due first.
  mutating func removeAll(dueBy time: Timestamp) -> [Int] {
    guard let first, first.time <= time else { return [] }
    let due = times.filter { $0.value <= time }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    for sandbox in due { times[sandbox] = nil }
    isFirstKnown = false
    return due
  }
}
