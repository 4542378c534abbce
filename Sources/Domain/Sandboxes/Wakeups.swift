/// Changes in any sandbox that the event loop has to react to: it asks only these sandboxes, as there may be
/// thousands.
///
/// A class because all sandboxes write to the same one.
final class Wakeups {
  var mayHaveReadyWebhooks = true
  var hasNewJob = false
  /// The ids of sandboxes whose due time may be earlier than before.
  private var newDueTimes: Set<Int> = []
  /// Those that have given out ordinals since the last commit.
  var unsaved: [Sandbox] = []

  var hasNewDueTime: Bool { hasNewJob || !newDueTimes.isEmpty }

  func newDueTime(of sandbox: Int) { newDueTimes.insert(sandbox) }

  func takeNewDueTimes() -> Set<Int> {
    defer { newDueTimes.removeAll(keepingCapacity: true) }
    return newDueTimes
  }

  func takeUnsaved() -> [Sandbox] {
    defer { unsaved.removeAll(keepingCapacity: true) }
    return unsaved
  }
}
