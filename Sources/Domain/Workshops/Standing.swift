package import Basics
import JSON

/// What a board says about a participant first.
package enum Standing: Int, Sendable {
  /// The current task has been open for five minutes, and the last request was refused or in vain, or for as
  /// long there was none; or the task has been open for twenty minutes.
  case stuck
  /// Joined, and sent nothing yet.
  case silent
  case working
  case notStarted
  case finished
}

extension Participant {
  /// Nil when all tasks are done.
  package var currentResult: TaskResult? { results[safe: current] }

  package func standing(at now: Timestamp) -> Standing {
    guard let task = currentResult else { return .finished }
    guard task.openedAt != nil else { return .notStarted }
    guard let stuckAt else { return .silent }
    return stuckAt <= now ? .stuck : .working
  }

  /// When the participant counts as stuck if nothing happens until then; nil before the first request and
  /// when all tasks are done.
  package var stuckAt: Timestamp? {
    guard let task = currentResult, let openedAt = task.openedAt, let activeAt else { return nil }
    let isRefused =
      switch task.refusal?.kind {
      case nil, .onPurpose, .beforeFailure: false
      case .mistake, .beforeOthers, .accepted: true
      }
    let quietSince = isRefused ? openedAt : max(openedAt, activeAt)
    return min(quietSince + Self.patience, openedAt + Self.longPatience)
  }

  /// True if no request came for so long that this is why the participant counts as stuck.
  package func isQuiet(at now: Timestamp) -> Bool { activeAt.map { now - $0 >= Self.patience } ?? true }

  private static let patience = Duration.seconds(300)
  private static let longPatience = Duration.seconds(1200)
}

/// The participants of a workshop together.
package struct Room {
  /// In the order of their positions.
  package let participants: [Participant]
  package let now: Timestamp
  /// How many participants have done so many tasks, from none to all.
  package let doneCounts: [Int]

  init(_ participants: [Participant], tasks: Int, at now: Timestamp) {
    self.participants = participants
    self.now = now
    var counts = Array(repeating: 0, count: tasks + 1)
    for participant in participants { counts[min(participant.current, tasks)] += 1 }
    doneCounts = counts
  }

  package var finished: Int { doneCounts.last ?? 0 }

  package func count(of standing: Standing) -> Int {
    participants.count { $0.standing(at: now) == standing }
  }

  /// Who is stuck with a task that has been open for longest, and since when it is open.
  package var longestStuck: (name: String, since: Timestamp)? {
    participants.filter { $0.standing(at: now) == .stuck }
      .compactMap { one in one.currentResult?.openedAt.map { (one.name, $0) } }
      .min { $0.1 < $1.1 }
  }

  /// The task at which most participants are who have started and not finished, and since when the first of
  /// them has been at it.
  package var commonTask: (index: Int, since: Timestamp)? {
    var starts: [Int: [Timestamp]] = [:]
    for one in participants {
      if let openedAt = one.currentResult?.openedAt { starts[one.current, default: []].append(openedAt) }
    }
    let most = starts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    return most.flatMap { task in task.value.min().map { (task.key, $0) } }
  }

  /// Who sent the last request, and when; nil if nobody has.
  package var lastActive: (name: String, at: Timestamp)? {
    participants.compactMap { one in one.activeAt.map { (one.name, $0) } }.max { $0.1 < $1.1 }
  }
}

extension Workshops {
  package func room(of workshop: Workshop) throws -> Room {
    Room(try participants(of: workshop), tasks: workshop.tasks.count, at: now)
  }
}
